// Contractions that a unit computes alone stay kernels of their own.
// RUN: gensyn-opt --repro-form-kernels "--repro-fuse-kernels=forms=epilogues" %s | FileCheck %s --check-prefix=JOINED
// RUN: gensyn-opt --repro-form-kernels "--repro-fuse-kernels=forms=epilogues apart=i8,ui8" %s | FileCheck %s

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// JOINED-LABEL: @integers
// JOINED: repro.kernel
// JOINED-NOT: repro.kernel
// CHECK-LABEL: @integers
// CHECK: repro.kernel "k0_contract"
// CHECK-NEXT: repro.contract
// CHECK-NEXT: repro.yield
// CHECK: repro.kernel "k1_add"
func.func @integers(%x: tensor<4x8xi8>, %w: tensor<8x6xi8>, %y: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %0 = repro.contract %x, %w domain <[4, 6, 8], reduce [2]> maps [#a, #b, #c] bounds [in, in] : tensor<4x8xi8>, tensor<8x6xi8> -> tensor<4x6xi32>
  %1 = repro.add %0, %y : tensor<4x6xi32>
  return %1 : tensor<4x6xi32>
}

// Others are joined.
// JOINED-LABEL: @floats
// CHECK-LABEL: @floats
// CHECK: repro.kernel
// CHECK-NOT: repro.kernel
func.func @floats(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = repro.contract %x, %w domain <[4, 6, 8], reduce [2]> maps [#a, #b, #c] bounds [in, in] order sequential : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
  %1 = repro.add %0, %y : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
