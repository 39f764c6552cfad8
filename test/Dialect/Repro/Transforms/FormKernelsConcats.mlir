// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels))' --check-bits=all | FileCheck %s

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
