// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(train-assign-precision{recipe={{"precision":{"compute":"bf16"}}}})' | FileCheck %s
// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(train-assign-precision{recipe={{"precision":{"compute":"f16","keep_f32":["cont*"],"ops":{"Relu":"compute"}}}}})' | FileCheck %s --check-prefix=POLICY
// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(train-assign-precision{recipe={{"precision":{"compute":"f32"}}}})' | FileCheck %s --check-prefix=WIDE

// The contraction rounds its operands (precision_r1) and its result
// (precision_r2); what is around it stays f32 (precision_r3).
// CHECK-LABEL: func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x6xf32>
// CHECK-NEXT: %[[A:.*]] = repro.convert %arg0 : tensor<4x8xf32> to tensor<4x8xbf16>
// CHECK-NEXT: %[[B:.*]] = repro.convert %arg1 : tensor<8x6xf32> to tensor<8x6xbf16>
// CHECK-NEXT: %[[C:.*]] = repro.contract %[[A]], %[[B]] {{.*}} : tensor<4x8xbf16>, tensor<8x6xbf16> -> tensor<4x6xf32>
// CHECK-NEXT: %[[D:.*]] = repro.convert %[[C]] : tensor<4x6xf32> to tensor<4x6xbf16>
// CHECK-NEXT: %[[E:.*]] = repro.convert %[[D]] : tensor<4x6xbf16> to tensor<4x6xf32>
// CHECK-NEXT: %[[F:.*]] = repro.max %[[E]], %[[E]]
// CHECK-NEXT: %[[G:.*]] = repro.exp %[[F]]
// CHECK-NEXT: return %[[G]]

// Here the other way round.
// POLICY-LABEL: func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x6xf32>
// POLICY-NEXT: %[[C:.*]] = repro.contract %arg0, %arg1
// POLICY-NEXT: %[[M:.*]] = repro.max %[[C]], %[[C]]
// POLICY-NEXT: %[[N:.*]] = repro.convert %[[M]] : tensor<4x6xf32> to tensor<4x6xf16>
// POLICY-NEXT: %[[W:.*]] = repro.convert %[[N]] : tensor<4x6xf16> to tensor<4x6xf32>
// POLICY-NEXT: repro.exp %[[W]]

// WIDE-NOT: repro.convert
#max = loc("relu"(fused<{op = "Relu"}>["model"]))
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %y = repro.contract %x, %w domain <[4, 6, 8], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
  %r = repro.max %y, %y : tensor<4x6xf32> loc(#max)
  %e = repro.exp %r : tensor<4x6xf32>
  return %e : tensor<4x6xf32>
}
