// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-streams))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-streams,cse))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-streams),repro-freeze)' | gensyn-opt --pass-pipeline='builtin.module(func.func(repro-assign-streams))' | FileCheck %s

// In program order from 2^30 on, past what is taken; what is there stays, also
// the stream of an ONNX seed (random_c2).
// CHECK-LABEL: @main
func.func @main(%key: tensor<2xui32>, %step: tensor<ui32>)
    -> (tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>) {
  %zero = repro.constant dense<0> : tensor<ui32>
  // CHECK: repro.random_bits %{{.*}} stream 1073741824 : tensor<4xui32>
  %0 = repro.random_bits %key, %step, %zero : tensor<4xui32>
  // CHECK: repro.random_bits %{{.*}} stream 1073741826 : tensor<4xui32>
  %1 = repro.random_bits %key, %step, %zero : tensor<4xui32>
  // CHECK: repro.random_bits %{{.*}} stream 1073741825 : tensor<4xui32>
  %2 = repro.random_bits %key, %step, %zero stream 1073741825 : tensor<4xui32>
  // CHECK: repro.random_bits %{{.*}} stream 4000000000 : tensor<4xui32>
  %3 = repro.random_bits %key, %step, %zero stream 4000000000 : tensor<4xui32>
  // CHECK: repro.random_bits %{{.*}} stream 1073741827 : tensor<4xui32>
  %4 = repro.random_bits %key, %step, %zero : tensor<4xui32>
  return %0, %1, %2, %3, %4
      : tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>
}
