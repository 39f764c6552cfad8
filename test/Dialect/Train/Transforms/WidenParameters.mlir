// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-widen-parameters)' --split-input-file | FileCheck %s

// Types in attributes and constants go along, the input keeps its own.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:.+]]: tensor<4xf32> {gensyn.initial = {file = "w", length = 8 : i64, offset = 0 : i64, type = "f16"}
// CHECK-SAME: %[[X:.+]]: tensor<4xf16> {gensyn.name = "x", gensyn.role = "input"}
// CHECK-SAME: -> (tensor<4xf32>
// CHECK-NEXT: %[[XW:.+]] = repro.convert %[[X]] : tensor<4xf16> to tensor<4xf32>
// CHECK-NEXT: %[[C:.+]] = repro.constant dense<[1.000000e+00, 2.500000e-01, -0.000000e+00, 6.550400e+04]> : tensor<4xf32>
// CHECK-NEXT: %[[M:.+]] = repro.mul %[[W]], %[[XW]] : tensor<4xf32>
// CHECK-NEXT: %[[A:.+]] = repro.add %[[M]], %[[C]] : tensor<4xf32>
// CHECK-NEXT: return %[[A]] : tensor<4xf32>
func.func @main(%w: tensor<4xf16> {gensyn.initial = {file = "w", length = 8 : i64, offset = 0 : i64}, gensyn.name = "w", gensyn.role = "parameter"}, %x: tensor<4xf16> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<4xf16> {gensyn.name = "y"}) {
  %c = repro.constant dense<[1.0, 0.25, -0.0, 65504.0]> : tensor<4xf16>
  %w1 = repro.convert %w : tensor<4xf16> to tensor<4xf32>
  %x1 = repro.convert %x : tensor<4xf16> to tensor<4xf32>
  %m = repro.mul %w1, %x1 : tensor<4xf32>
  %m1 = repro.convert %m : tensor<4xf32> to tensor<4xf16>
  %m2 = repro.convert %m1 : tensor<4xf16> to tensor<4xf32>
  %c1 = repro.convert %c : tensor<4xf16> to tensor<4xf32>
  %a = repro.add %m2, %c1 : tensor<4xf32>
  %y = repro.convert %a : tensor<4xf32> to tensor<4xf16>
  return %y : tensor<4xf16>
}

// -----

// Narrow floats between parameters of f32 are roundings that the model says.
// CHECK-LABEL: func.func @main
// CHECK: repro.convert {{.*}} to tensor<4xbf16>
// CHECK: return {{.*}} : tensor<4xbf16>
func.func @main(%w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"}) -> tensor<4xbf16> {
  %0 = repro.convert %w : tensor<4xf32> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// Parameters of bf16 become f32 as those of f16 do.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:.+]]: tensor<2xf32> {gensyn.initial = {file = "w", length = 4 : i64, offset = 0 : i64, type = "bf16"}
// CHECK-NEXT: %[[N:.+]] = repro.neg %[[W]] : tensor<2xf32>
// CHECK-NEXT: return %[[N]] : tensor<2xf32>
func.func @main(%w: tensor<2xbf16> {gensyn.initial = {file = "w", length = 4 : i64, offset = 0 : i64}, gensyn.name = "w", gensyn.role = "parameter"}) -> (tensor<2xbf16> {gensyn.name = "y"}) {
  %w1 = repro.convert %w : tensor<2xbf16> to tensor<2xf32>
  %n = repro.neg %w1 : tensor<2xf32>
  %y = repro.convert %n : tensor<2xf32> to tensor<2xbf16>
  return %y : tensor<2xbf16>
}
