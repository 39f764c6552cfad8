// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,horizontal})' --split-input-file | FileCheck %s

// The updates of two parameters: one launch, results of both shapes.
// CHECK-LABEL: func.func @update
// CHECK: %[[K:.+]]:2 = repro.kernel "k1_sub" ({{.+}}) -> (tensor<4x9xf32>, tensor<7xf32>) {
// CHECK: %[[A:.+]] = repro.sub {{.+}} : tensor<4x9xf32>
// CHECK: %[[B:.+]] = repro.sub {{.+}} : tensor<7xf32>
// CHECK: repro.yield %[[A]], %[[B]]
// CHECK-NOT: repro.kernel
func.func @update(%w: tensor<4x9xf32>, %dw: tensor<4x9xf32>, %b: tensor<7xf32>, %db: tensor<7xf32>, %lr: tensor<f32>)
    -> (tensor<4x9xf32>, tensor<7xf32>) {
  %0 = repro.broadcast %lr dims [] : tensor<f32> to tensor<4x9xf32>
  %1 = repro.mul %0, %dw : tensor<4x9xf32>
  %2 = repro.sub %w, %1 : tensor<4x9xf32>
  %3 = repro.broadcast %lr dims [] : tensor<f32> to tensor<7xf32>
  %4 = repro.mul %3, %db : tensor<7xf32>
  %5 = repro.sub %b, %4 : tensor<7xf32>
  return %2, %5 : tensor<4x9xf32>, tensor<7xf32>
}

// -----

// Unlike parts of one tensor, however large it is, and small kernels.
// CHECK-LABEL: func.func @parts
// CHECK: repro.kernel {{.+}} -> (tensor<300x1000xf32>, tensor<1000x300xf32>) {
// CHECK-NOT: repro.kernel
func.func @parts(%x: tensor<300x2000xf32>) -> (tensor<300x1000xf32>, tensor<1000x300xf32>) {
  %a = repro.slice %x start [0, 0] limit [300, 1000] stride [1, 1] : tensor<300x2000xf32> to tensor<300x1000xf32>
  %b = repro.slice %x start [0, 1000] limit [300, 2000] stride [1, 1] : tensor<300x2000xf32> to tensor<300x1000xf32>
  %c = repro.transpose %b [1, 0] : tensor<300x1000xf32> to tensor<1000x300xf32>
  return %a, %c : tensor<300x1000xf32>, tensor<1000x300xf32>
}

// -----

// One needs the other.
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.+]] = repro.kernel "k0_exp"
// CHECK: repro.kernel "k1_mul" ({{.+}} = %[[A]]
func.func @chain(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %a = repro.exp %x : tensor<4xf32>
  %h = repro.slice %a start [1] limit [3] stride [1] : tensor<4xf32> to tensor<2xf32>
  %n = repro.mul %h, %h : tensor<2xf32>
  return %a, %n : tensor<4xf32>, tensor<2xf32>
}

// -----

// Large kernels that compute different things.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-2: = repro.kernel
// CHECK: return
func.func @different(%x: tensor<300x1000xf32>, %y: tensor<300x1001xf32>) -> (tensor<300x1000xf32>, tensor<300x1001xf32>) {
  %a = repro.neg %x : tensor<300x1000xf32>
  %b = repro.abs %y : tensor<300x1001xf32>
  return %a, %b : tensor<300x1000xf32>, tensor<300x1001xf32>
}
