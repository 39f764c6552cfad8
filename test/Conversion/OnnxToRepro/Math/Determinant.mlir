// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// One loop over columns: the pivot, the exchange of rows, and the elimination.
// CHECK-LABEL: @det
func.func @det(%x: tensor<4x3x3xf32>) -> tensor<4xf32> {
  // CHECK: repro.loop trips 3
  // CHECK: %[[SIZE:.+]] = repro.abs
  // CHECK: %[[MASKED:.+]] = repro.select %{{.+}}, %[[SIZE]]
  // CHECK: repro.arg_reduce max %[[MASKED]]
  // CHECK: %[[PIVOT:.+]] = repro.gather {{.*}}-> tensor<4xf32>
  // CHECK: %[[OTHER:.+]] = repro.neg %[[PIVOT]]
  // CHECK: repro.select %{{.+}}, %[[OTHER]], %[[PIVOT]]
  // CHECK: repro.fma {{.*}}tensor<4x3x3xf32>
  %0 = onnx.Det.v22(%x) : (tensor<4x3x3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
