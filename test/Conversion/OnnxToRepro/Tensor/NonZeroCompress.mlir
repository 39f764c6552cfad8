// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @compress
func.func @compress(%x: tensor<5x2xf32>, %c: tensor<5xi1>) -> tensor<3x2xf32> {
  // CHECK: %[[ONES:.+]] = repro.convert %arg1
  // CHECK: %[[COUNTS:.+]] = repro.scan sum %[[ONES]] dim 0
  // CHECK: %[[OK:.+]] = repro.compare eq
  // CHECK: repro.check %[[OK]] "the size that was declared for a result of Compress, 3, is not the number of elements found"
  // CHECK: %[[PLACES:.+]] = repro.scatter set {{.*}} bounds zero
  // CHECK: repro.gather %arg0[%[[PLACES]]]{{.*}} bounds fault
  %0 = onnx.Compress.v11(%x, %c) {axis = 0 : i64} : (tensor<5x2xf32>, tensor<5xi1>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: @nonzero
func.func @nonzero(%x: tensor<2x3xf32>) -> tensor<2x4xi64> {
  // CHECK: repro.compare ne %arg0
  // CHECK: repro.check
  // CHECK: %[[ROW:.+]] = repro.rem
  // CHECK: %[[COLUMN:.+]] = repro.rem
  // CHECK: repro.concat
  %0 = onnx.NonZero.v13(%x) : (tensor<2x3xf32>) -> tensor<2x4xi64>
  return %0 : tensor<2x4xi64>
}
