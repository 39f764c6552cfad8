// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// A sort for each column, from the last; both zeros are one value.
// CHECK-LABEL: @rows
func.func @rows(%x: tensor<4x2xf32>) -> (tensor<3x2xf32>, tensor<3xi64>) {
  // CHECK: repro.add
  // CHECK: repro.sort ascending
  // CHECK: repro.sort ascending
  // CHECK: repro.reduce or
  // CHECK: repro.check {{.*}}"the size that was declared for a result of Unique, 3,
  // CHECK: repro.scatter add
  // CHECK: repro.gather %arg0
  %none = onnx.none
  %0:4 = onnx.Unique.v11(%x) {axis = 0 : i64} : (tensor<4x2xf32>) -> (tensor<3x2xf32>, tensor<3xi64>, tensor<4xi64>, tensor<3xi64>)
  return %0#0, %0#3 : tensor<3x2xf32>, tensor<3xi64>
}

// The input's order takes one more sort.
// CHECK-LABEL: @unsorted
func.func @unsorted(%x: tensor<4xi64>) -> tensor<3xi64> {
  // CHECK-COUNT-2: repro.sort
  // CHECK-NOT: repro.sort
  %0 = onnx.Unique.v11(%x) {sorted = 0 : i64} : (tensor<4xi64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}
