// RUN: gensyn-opt %s --verify-roundtrip | FileCheck %s
// RUN: gensyn-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// Types that are only stored: in and out of text, and through constants.

// CHECK-LABEL: @conversions
// FOLD-LABEL: @conversions
func.func @conversions(%a: tensor<4xf32>, %s: tensor<4xui8>) -> (tensor<4xf8E4M3FN>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E8M0FNU>, tensor<4xi4>, tensor<4xf8E5M2>) {
  // CHECK: repro.convert %{{.*}} saturate : tensor<4xf32> to tensor<4xf8E4M3FN>
  %0 = repro.convert %a saturate : tensor<4xf32> to tensor<4xf8E4M3FN>
  // CHECK: repro.convert %{{.*}} : tensor<4xf8E4M3FN> to tensor<4xf8E5M2FNUZ>
  %1 = repro.convert %0 : tensor<4xf8E4M3FN> to tensor<4xf8E5M2FNUZ>
  // CHECK: repro.convert %{{.*}} saturate round up : tensor<4xf32> to tensor<4xf8E8M0FNU>
  %2 = repro.convert %a saturate round up : tensor<4xf32> to tensor<4xf8E8M0FNU>
  // CHECK: repro.convert %{{.*}} : tensor<4xf32> to tensor<4xi4>
  %3 = repro.convert %a : tensor<4xf32> to tensor<4xi4>
  // CHECK: repro.bitcast %{{.*}} : tensor<4xui8> to tensor<4xf8E5M2>
  %4 = repro.bitcast %s : tensor<4xui8> to tensor<4xf8E5M2>
  return %0, %1, %2, %3, %4 : tensor<4xf8E4M3FN>, tensor<4xf8E5M2FNUZ>, tensor<4xf8E8M0FNU>, tensor<4xi4>, tensor<4xf8E5M2>
}

// convert_r1: 464 is the tie between 448 and what would be 480.
// FOLD-LABEL: @fold_floats
func.func @fold_floats() -> (tensor<6xui8>, tensor<6xui8>, tensor<6xf4E2M1FN>) {
  %a = repro.constant dense<[464.0, 465.0, -1.0e9, -0.0, 0.001, 0x7F800001]> : tensor<6xf32>
  %0 = repro.convert %a : tensor<6xf32> to tensor<6xf8E4M3FN>
  %1 = repro.convert %a saturate : tensor<6xf32> to tensor<6xf8E4M3FNUZ>
  %b0 = repro.bitcast %0 : tensor<6xf8E4M3FN> to tensor<6xui8>
  %b1 = repro.bitcast %1 : tensor<6xf8E4M3FNUZ> to tensor<6xui8>
  %2 = repro.convert %a : tensor<6xf32> to tensor<6xf4E2M1FN>
  // FOLD-DAG: repro.constant dense<[126, 127, 127, 128, 1, 127]> : tensor<6xui8>
  // FOLD-DAG: repro.constant dense<[127, 127, 255, 0, 1, 128]> : tensor<6xui8>
  // FOLD-DAG: repro.constant dense<[6.000000e+00, 6.000000e+00, -6.000000e+00, -0.000000e+00, 0.000000e+00, -0.000000e+00]> : tensor<6xf4E2M1FN>
  return %b0, %b1, %2 : tensor<6xui8>, tensor<6xui8>, tensor<6xf4E2M1FN>
}

// convert_r2 and convert_r3.
// FOLD-LABEL: @fold_scales_and_integers
func.func @fold_scales_and_integers() -> (tensor<4xi4>, tensor<4xui2>, tensor<4xi32>, tensor<4xui8>) {
  %a = repro.constant dense<[-9.5, 7.9, 3.0, 0x7FC00000]> : tensor<4xf32>
  %0 = repro.convert %a : tensor<4xf32> to tensor<4xi4>
  %1 = repro.convert %a : tensor<4xf32> to tensor<4xui2>
  %2 = repro.convert %0 : tensor<4xi4> to tensor<4xi32>
  %3 = repro.convert %a round down : tensor<4xf32> to tensor<4xf8E8M0FNU>
  %4 = repro.bitcast %3 : tensor<4xf8E8M0FNU> to tensor<4xui8>
  // FOLD-DAG: repro.constant dense<[-8, 7, 3, 0]> : tensor<4xi4>
  // FOLD-DAG: repro.constant dense<[0, 3, 3, 0]> : tensor<4xui2>
  // FOLD-DAG: repro.constant dense<[-8, 7, 3, 0]> : tensor<4xi32>
  // FOLD-DAG: repro.constant dense<[255, 129, 128, 255]> : tensor<4xui8>
  return %0, %1, %2, %4 : tensor<4xi4>, tensor<4xui2>, tensor<4xi32>, tensor<4xui8>
}

// A conversion of a type to itself makes NaNs canonical, so it stays; one of
// integers does nothing.
// FOLD-LABEL: @to_itself
// FOLD-SAME: (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xi4>)
func.func @to_itself(%a: tensor<4xf32>, %b: tensor<4xi4>) -> (tensor<4xf32>, tensor<4xi4>, tensor<4xi4>) {
  // FOLD: %[[C:.*]] = repro.convert %[[A]]
  %0 = repro.convert %a : tensor<4xf32> to tensor<4xf32>
  %1 = repro.convert %b : tensor<4xi4> to tensor<4xi4>
  %2 = repro.bitcast %b : tensor<4xi4> to tensor<4xi4>
  // FOLD: return %[[C]], %[[B]], %[[B]]
  return %0, %1, %2 : tensor<4xf32>, tensor<4xi4>, tensor<4xi4>
}
