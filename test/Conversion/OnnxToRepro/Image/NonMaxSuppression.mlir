// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @suppress
func.func @suppress(%boxes: tensor<2x6x4xf32>, %scores: tensor<2x1x6xf32>) -> tensor<3x3xi64> {
  %most = onnx.constant dense<2> : tensor<1xi64>
  %threshold = onnx.constant dense<0.5> : tensor<1xf32>
  // CHECK: repro.sort descending %arg1 dim 2 count 6
  // CHECK: %[[LOOP:.+]]:3 = repro.loop trips 6
  // CHECK: repro.div
  // CHECK: repro.not
  // CHECK: repro.reshape %[[LOOP]]#1 : tensor<2x1x6xi1> to tensor<12xi1>
  // CHECK: repro.check
  %0 = onnx.NonMaxSuppression.v11(%boxes, %scores, %most, %threshold) : (tensor<2x6x4xf32>, tensor<2x1x6xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<3x3xi64>
  return %0 : tensor<3x3xi64>
}
