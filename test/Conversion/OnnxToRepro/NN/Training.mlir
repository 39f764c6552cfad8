// RUN: gensyn-opt %s --convert-onnx-to-repro --split-input-file | FileCheck %s

// The velocity's factor is chosen by the count of updates (optimizernode_r1);
// a coefficient of 0 leaves its term out.
// CHECK-LABEL: @momentum
// CHECK-SAME: (%[[R:.+]]: tensor<f64>, %[[T:.+]]: tensor<i64>, %[[X:.+]]: tensor<2xf32>, %[[G:.+]]: tensor<2xf32>, %[[V:.+]]: tensor<2xf32>)
func.func @momentum(%r: tensor<f64>, %t: tensor<i64>, %x: tensor<2xf32>, %g: tensor<2xf32>, %v: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK: %[[HAS:.+]] = repro.compare{{ +}}gt %[[T]]
  // CHECK: %[[B:.+]] = repro.select %[[HAS]], {{.+}} : tensor<f64>
  // CHECK: %[[KEPT:.+]] = repro.mul %{{.+}}, %[[V]] : tensor<2xf32>
  // CHECK: %[[BF:.+]] = repro.convert %[[B]] : tensor<f64> to tensor<f32>
  // CHECK: %[[NEW:.+]] = repro.mul %{{.+}}, %[[G]] : tensor<2xf32>
  // CHECK: %[[V1:.+]] = repro.add %[[KEPT]], %[[NEW]] : tensor<2xf32>
  // CHECK: %[[RF:.+]] = repro.convert %[[R]] : tensor<f64> to tensor<f32>
  // CHECK: %[[STEP:.+]] = repro.mul %{{.+}}, %[[V1]] : tensor<2xf32>
  // CHECK: %[[X1:.+]] = repro.sub %[[X]], %[[STEP]] : tensor<2xf32>
  // CHECK: return %[[X1]], %[[V1]]
  %0:2 = onnx.preview.training.Momentum.v1(%r, %t, %x, %g, %v)
      {alpha = 0.5 : f32, beta = 0.25 : f32, norm_coefficient = 0.0 : f32, mode = "standard"}
      : (tensor<f64>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// 0.5^(2^k) is 0 from bit 11 of the count on (optimizernode_r2).
// CHECK-LABEL: @adam
// CHECK-COUNT-11: repro.shr
// CHECK: repro.compare{{ +}}ge
// CHECK: repro.select
// CHECK-NOT: repro.shr
// CHECK: return
func.func @adam(%r: tensor<f32>, %t: tensor<i64>, %x: tensor<2xf32>, %g: tensor<2xf32>, %v: tensor<2xf32>, %h: tensor<2xf32>) -> tensor<2xf32> {
  %0:3 = onnx.preview.training.Adam.v1(%r, %t, %x, %g, %v, %h)
      {alpha = 0.0 : f32, beta = 0.5 : f32, norm_coefficient = 0.0 : f32, norm_coefficient_post = 0.0 : f32, epsilon = 0.1 : f32}
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

// -----

// A value of a derivative stays a value of its own (gradientnode_r1).
// CHECK-LABEL: @gradient
// CHECK-SAME: (%[[X:.+]]: tensor<2xf32>)
func.func @gradient(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %[[H:.+]] = repro.reshape %[[X]] : tensor<2xf32> to tensor<2xf32>
  // CHECK: %[[M:.+]] = repro.mul %[[H]], %[[X]]
  // CHECK: %[[G:.+]] = train.gradient %{{.+}} wrt(%[[H]])
  // CHECK: return %[[G]]
  %h = onnx.Identity.v16(%x) {onnx.variable} : (tensor<2xf32>) -> tensor<2xf32>
  %m = onnx.Mul.v14(%h, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = onnx.ReduceSum.v11(%m) {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  %g = onnx.preview.training.Gradient.v1(%h, %x, %y) {xs = ["h"], zs = ["x"], y = "y"}
      : (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %g : tensor<2xf32>
}
