// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(convert-train-to-repro))' | FileCheck %s

// CHECK-LABEL: func.func @softmax_cross_entropy(
// CHECK-SAME: %[[X:.+]]: tensor<2x3xf32>, %[[T:.+]]: tensor<2xi64>
func.func @softmax_cross_entropy(%x: tensor<2x3xf32>, %t: tensor<2xi64>) -> tensor<f32> {
  // CHECK: %[[MAX:.+]] = repro.reduce max %[[X]] domain <[2, 3], reduce [1]>
  // CHECK: %[[M:.+]] = train.stop_gradient %[[MAX]]
  // CHECK: %[[MM:.+]] = repro.broadcast %[[M]] dims [0]
  // CHECK: %[[S:.+]] = repro.sub %[[X]], %[[MM]]
  // CHECK: %[[E:.+]] = repro.exp %[[S]]
  // CHECK: %[[SUM:.+]] = repro.reduce sum %[[E]] domain <[2, 3], reduce [1]>
  // CHECK: %[[LOG:.+]] = repro.log %[[SUM]]
  // CHECK: %[[IOTA:.+]] = repro.iota dim 1 : tensor<2x3xi64>
  // CHECK: %[[TT:.+]] = repro.broadcast %[[T]] dims [0]
  // CHECK: %[[IS:.+]] = repro.compare eq %[[IOTA]], %[[TT]]
  // CHECK: %[[ONE:.+]] = repro.select %[[IS]], %[[S]], %{{.+}}
  // CHECK: %[[PICKED:.+]] = repro.reduce sum %[[ONE]] domain <[2, 3], reduce [1]>
  // CHECK: %[[ROW:.+]] = repro.sub %[[LOG]], %[[PICKED]]
  // CHECK: %[[GE:.+]] = repro.compare ge %[[T]]
  // CHECK: %[[LT:.+]] = repro.compare lt %[[T]]
  // CHECK: %[[VALID:.+]] = repro.and %[[GE]], %[[LT]]
  // CHECK: %[[CHECKED:.+]] = repro.select %[[VALID]], %[[ROW]], %{{.+}}
  // CHECK: %[[ALL:.+]] = repro.reduce sum %[[CHECKED]] domain <[2], reduce [0]>
  // CHECK: %[[N:.+]] = repro.constant dense<2.000000e+00>
  // CHECK: %[[L:.+]] = repro.div %[[ALL]], %[[N]]
  // CHECK: return %[[L]]
  %l = train.softmax_cross_entropy %x, %t reduction mean : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @ignore_index(
// CHECK-SAME: %[[X:.+]]: tensor<2x3xf32>, %[[T:.+]]: tensor<2xi64>
func.func @ignore_index(%x: tensor<2x3xf32>, %t: tensor<2xi64>) -> tensor<f32> {
  // CHECK: %[[I:.+]] = repro.constant dense<-100> : tensor<i64>
  // CHECK: %[[II:.+]] = repro.broadcast %[[I]]
  // CHECK: %[[KEPT:.+]] = repro.compare ne %[[T]], %[[II]]
  // CHECK: %[[ROWS:.+]] = repro.select %[[KEPT]]
  // CHECK: %[[SUM:.+]] = repro.reduce sum %[[ROWS]]
  // CHECK: %[[ONES:.+]] = repro.convert %[[KEPT]] : tensor<2xi1> to tensor<2xi64>
  // CHECK: %[[N:.+]] = repro.reduce sum %[[ONES]]
  // CHECK: %[[COUNT:.+]] = repro.convert %[[N]] : tensor<i64> to tensor<f32>
  // CHECK: repro.div %[[SUM]], %[[COUNT]]
  %l = train.softmax_cross_entropy %x, %t reduction mean {ignore_index = -100 : i64} : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @mse(
func.func @mse(%x: tensor<2x3xf32>, %t: tensor<2x3xf32>) -> tensor<f32> {
  // CHECK: %[[D:.+]] = repro.sub %arg0, %arg1
  // CHECK-NEXT: %[[S:.+]] = repro.mul %[[D]], %[[D]]
  // CHECK-NEXT: %[[L:.+]] = repro.reduce sum %[[S]] domain <[2, 3], reduce [0, 1]>
  // CHECK-NEXT: return %[[L]]
  %l = train.mse %x, %t reduction sum : tensor<2x3xf32> -> tensor<f32>
  return %l : tensor<f32>
}
