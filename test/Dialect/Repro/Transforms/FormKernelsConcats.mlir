// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels))' --check-bits=all | FileCheck %s

// CHECK-LABEL: func.func @concat_of_concat
// CHECK: repro.kernel "k0_concat"
// CHECK-NEXT: repro.concat {{.*}} -> tensor<9xf32>
// CHECK-NEXT: repro.yield
// CHECK: repro.kernel "k1_concat"
// CHECK-NEXT: repro.concat {{.*}} -> tensor<11xf32>
// CHECK-NEXT: repro.yield
// CHECK: repro.kernel "k2_concat"
// CHECK-NEXT: repro.concat {{.*}} -> tensor<3xf32>
// CHECK-NEXT: repro.concat {{.*}} -> tensor<5xf32>
// CHECK-NEXT: repro.yield
// CHECK-NOT: repro.kernel

// A concat reads each of its operands for each element: one of many operands is stored before another one reads it.
func.func @concat_of_concat(%a: tensor<1xf32>, %b: tensor<2xf32>) -> (tensor<11xf32>, tensor<5xf32>) {
  %many = repro.concat %a, %a, %a, %a, %a, %a, %a, %a, %a dim 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<9xf32>
  %y = repro.concat %many, %b dim 0 : (tensor<9xf32>, tensor<2xf32>) -> tensor<11xf32>
  %few = repro.concat %a, %b dim 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
  %z = repro.concat %few, %b dim 0 : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %y, %z : tensor<11xf32>, tensor<5xf32>
}

// A value joined with itself eleven times over would be computed at 2^11 places
// for a point: one of the joins is stored, with an op between them as well.
// CHECK-LABEL: func.func @concat_with_itself
// CHECK: = repro.kernel
// CHECK: = repro.kernel
// CHECK-NOT: repro.kernel
// CHECK: return
func.func @concat_with_itself(%v0: tensor<1xf32>) -> tensor<2048xf32> {
  %v1 = repro.concat %v0, %v0 dim 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %v2 = repro.concat %v1, %v1 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %v3 = repro.concat %v2, %v2 dim 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %v4 = repro.concat %v3, %v3 dim 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %v5 = repro.concat %v4, %v4 dim 0 : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %n = repro.neg %v5 : tensor<32xf32>
  %v6 = repro.concat %n, %n dim 0 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
  %v7 = repro.concat %v6, %v6 dim 0 : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  %v8 = repro.concat %v7, %v7 dim 0 : (tensor<128xf32>, tensor<128xf32>) -> tensor<256xf32>
  %v9 = repro.concat %v8, %v8 dim 0 : (tensor<256xf32>, tensor<256xf32>) -> tensor<512xf32>
  %v10 = repro.concat %v9, %v9 dim 0 : (tensor<512xf32>, tensor<512xf32>) -> tensor<1024xf32>
  %v11 = repro.concat %v10, %v10 dim 0 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<2048xf32>
  return %v11 : tensor<2048xf32>
}
