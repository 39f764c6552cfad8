// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-sum-integers,canonicalize))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-sum-integers,canonicalize),repro-report-orders)' -o %t.mlir | FileCheck %s --check-prefix=REPORT

// What reports say of such sums.
// REPORT: convolution: contract f32, 6 points, integers: within 3 u of the result
// REPORT-NEXT: zero_point: contract f32, 8 points, integers: within 3 u of the result

// A convolution of int8 with a scale of the image, and one for each channel of
// the weights: integers are summed, and the sums scaled.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: %[[X:.+]]: tensor<1x2x6xi8>, %[[S:.+]]: tensor<f32>, %[[W:.+]]: tensor<5x2x3xi8>, %[[T:.+]]: tensor<5xf32>
// CHECK: %[[SUM:.+]] = repro.contract %{{.+}}, %{{.+}} domain <[1, 5, 4, 2, 3], reduce [3, 4]>
// CHECK-SAME: bounds [zero, in] : tensor<1x2x6xi32>, tensor<5x2x3xi32> -> tensor<1x5x4xi32>
// CHECK: %[[F:.+]] = repro.convert %[[SUM]] : tensor<1x5x4xi32> to tensor<1x5x4xf32>
// CHECK: %[[ONE:.+]] = repro.broadcast %[[S]] dims [] : tensor<f32> to tensor<5xf32>
// CHECK: %[[BOTH:.+]] = repro.mul %[[T]], %[[ONE]] : tensor<5xf32>
// CHECK: %[[ALL:.+]] = repro.broadcast %{{.+}} to tensor<1x5x4xf32>
// CHECK: repro.mul %[[F]], %[[ALL]] : tensor<1x5x4xf32>
func.func @convolution(%x: tensor<1x2x6xi8>, %s: tensor<f32>, %w: tensor<5x2x3xi8>, %t: tensor<5xf32>)
    -> tensor<1x5x4xf32> {
  %a = repro.convert %x : tensor<1x2x6xi8> to tensor<1x2x6xi32>
  %b = repro.convert %a : tensor<1x2x6xi32> to tensor<1x2x6xf32>
  %c = repro.broadcast %s dims [] : tensor<f32> to tensor<1x2x6xf32>
  %image = repro.mul %b, %c : tensor<1x2x6xf32>
  %d = repro.convert %w : tensor<5x2x3xi8> to tensor<5x2x3xf32>
  %e = repro.broadcast %t dims [0] : tensor<5xf32> to tensor<5x2x3xf32>
  %weights = repro.mul %e, %d : tensor<5x2x3xf32>
  %y = repro.contract %image, %weights domain <[1, 5, 4, 2, 3], reduce [3, 4]>
    maps [affine_map<(n, c, p, i, k) -> (n, i, p + k - 1)>, affine_map<(n, c, p, i, k) -> (c, i, k)>,
          affine_map<(n, c, p, i, k) -> (n, c, p)>]
    bounds [zero, in] : tensor<1x2x6xf32>, tensor<5x2x3xf32> -> tensor<1x5x4xf32>
  return %y : tensor<1x5x4xf32>
}

// A zero point makes the integers wider; scales of both operands' rows.
// CHECK-LABEL: func.func @zero_point
// CHECK: repro.contract %{{.+}} : tensor<4x8xi32>, tensor<6x8xi32> -> tensor<4x6xi32>
func.func @zero_point(%x: tensor<4x8xui8>, %z: tensor<ui8>, %s: tensor<4xf32>, %w: tensor<6x8xi8>, %t: tensor<6xf32>)
    -> tensor<4x6xf32> {
  %a = repro.convert %x : tensor<4x8xui8> to tensor<4x8xi32>
  %zero = repro.convert %z : tensor<ui8> to tensor<i32>
  %zeros = repro.broadcast %zero dims [] : tensor<i32> to tensor<4x8xi32>
  %centered = repro.sub %a, %zeros : tensor<4x8xi32>
  %b = repro.convert %centered : tensor<4x8xi32> to tensor<4x8xf32>
  %c = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x8xf32>
  %left = repro.mul %b, %c : tensor<4x8xf32>
  %d = repro.convert %w : tensor<6x8xi8> to tensor<6x8xf32>
  %e = repro.broadcast %t dims [0] : tensor<6xf32> to tensor<6x8xf32>
  %right = repro.mul %d, %e : tensor<6x8xf32>
  %y = repro.contract %left, %right domain <[4, 6, 8], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x8xf32>, tensor<6x8xf32> -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// Weights that are a constant already.
// CHECK-LABEL: func.func @constant
// CHECK: %[[W:.+]] = repro.constant dense<{{\[\[}}-128, 127]]> : tensor<1x2xi32>
// CHECK: repro.contract %{{.+}}, %[[W]] {{.+}} tensor<4x2xi32>, tensor<1x2xi32> -> tensor<4x1xi32>
func.func @constant(%x: tensor<4x2xi8>, %s: tensor<f32>) -> tensor<4x1xf32> {
  %b = repro.convert %x : tensor<4x2xi8> to tensor<4x2xf32>
  %c = repro.broadcast %s dims [] : tensor<f32> to tensor<4x2xf32>
  %left = repro.mul %b, %c : tensor<4x2xf32>
  %d = repro.constant dense<[[-128.0, 127.0]]> : tensor<1x2xf32>
  %e = repro.broadcast %s dims [] : tensor<f32> to tensor<1x2xf32>
  %right = repro.mul %d, %e : tensor<1x2xf32>
  %y = repro.contract %left, %right domain <[4, 1, 2], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x2xf32>, tensor<1x2xf32> -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// Not with a scale that differs within a sum, ...
// CHECK-LABEL: func.func @scale_of_a_sum
// CHECK: repro.contract %{{.+}} : tensor<4x8xf32>, tensor<6x8xf32> -> tensor<4x6xf32>
func.func @scale_of_a_sum(%x: tensor<4x8xi8>, %s: tensor<8xf32>, %w: tensor<6x8xi8>, %t: tensor<f32>) -> tensor<4x6xf32> {
  %b = repro.convert %x : tensor<4x8xi8> to tensor<4x8xf32>
  %c = repro.broadcast %s dims [1] : tensor<8xf32> to tensor<4x8xf32>
  %left = repro.mul %b, %c : tensor<4x8xf32>
  %d = repro.convert %w : tensor<6x8xi8> to tensor<6x8xf32>
  %e = repro.broadcast %t dims [] : tensor<f32> to tensor<6x8xf32>
  %right = repro.mul %d, %e : tensor<6x8xf32>
  %y = repro.contract %left, %right domain <[4, 6, 8], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x8xf32>, tensor<6x8xf32> -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// ... nor where a sum might wrap: 2 of 16 bits and more than 2 products.
// CHECK-LABEL: func.func @wraps
// CHECK: repro.contract %{{.+}} : tensor<4x8xf32>, tensor<6x8xf32> -> tensor<4x6xf32>
func.func @wraps(%x: tensor<4x8xi16>, %s: tensor<f32>, %w: tensor<6x8xi16>) -> tensor<4x6xf32> {
  %b = repro.convert %x : tensor<4x8xi16> to tensor<4x8xf32>
  %c = repro.broadcast %s dims [] : tensor<f32> to tensor<4x8xf32>
  %left = repro.mul %b, %c : tensor<4x8xf32>
  %d = repro.convert %w : tensor<6x8xi16> to tensor<6x8xf32>
  %e = repro.broadcast %s dims [] : tensor<f32> to tensor<6x8xf32>
  %right = repro.mul %d, %e : tensor<6x8xf32>
  %y = repro.contract %left, %right domain <[4, 6, 8], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x8xf32>, tensor<6x8xf32> -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
