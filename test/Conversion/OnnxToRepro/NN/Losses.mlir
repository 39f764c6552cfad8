// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// Rows with the ignored class are neither added nor counted.
// CHECK-LABEL: @likelihood
// CHECK-SAME: (%[[X:.+]]: tensor<4x5xf32>, %[[T:.+]]: tensor<4xi64>)
func.func @likelihood(%x: tensor<4x5xf32>, %t: tensor<4xi64>) -> tensor<f32> {
  // CHECK: %[[L:.+]] = repro.compare{{ +}}eq {{.+}} : tensor<4x5xi64>
  // CHECK: %[[P:.+]] = repro.select %[[L]], %[[X]], %{{.+}} : tensor<4x5xf32>
  // CHECK: %[[S:.+]] = repro.reduce{{ +}}sum %[[P]] domain <[4, 5], reduce [1]>
  // CHECK: repro.neg %[[S]]
  // CHECK: repro.compare{{ +}}ne %[[T]]
  // CHECK: %[[TOTAL:.+]] = repro.reduce{{ +}}sum
  // CHECK: %[[COUNT:.+]] = repro.reduce{{ +}}sum
  // CHECK: repro.div %[[TOTAL]], %[[COUNT]] : tensor<f32>
  %0 = onnx.NegativeLogLikelihoodLoss.v13(%x, %t) {ignore_index = -1 : i64} : (tensor<4x5xf32>, tensor<4xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @cross_entropy
func.func @cross_entropy(%x: tensor<4x5xf32>, %t: tensor<4xi64>) -> (tensor<4xf32>, tensor<4x5xf32>) {
  // CHECK: repro.reduce{{ +}}max
  // CHECK: train.stop_gradient
  // CHECK: repro.log
  // CHECK: %[[LOGS:.+]] = repro.sub
  // CHECK: %[[LOSS:.+]] = repro.neg
  // CHECK: return %[[LOSS]], %[[LOGS]]
  %0:2 = onnx.SoftmaxCrossEntropyLoss.v13(%x, %t) {reduction = "none"}
      : (tensor<4x5xf32>, tensor<4xi64>) -> (tensor<4xf32>, tensor<4x5xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4x5xf32>
}
