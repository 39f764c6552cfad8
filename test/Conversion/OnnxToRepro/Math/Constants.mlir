// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @constants
func.func @constants() -> (tensor<2xf32>, tensor<2xf32>, tensor<i64>, tensor<2x2xf32>) {
  // CHECK: repro.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = onnx.Constant.v9() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  // CHECK: repro.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %1 = onnx.Constant.v13() {value_floats = array<f32: 3.0, 4.0>} : () -> tensor<2xf32>
  // CHECK: repro.constant dense<5> : tensor<i64>
  %2 = onnx.Constant.v13() {value_int = 5 : i64} : () -> tensor<i64>
  %shape = onnx.constant dense<2> : tensor<2xi64>
  // CHECK: repro.constant dense<7.000000e+00>
  // CHECK: repro.broadcast {{.+}} to tensor<2x2xf32>
  %3 = onnx.ConstantOfShape.v9(%shape) {value = dense<7.0> : tensor<1xf32>} : (tensor<2xi64>) -> tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<i64>, tensor<2x2xf32>
}

// CHECK-LABEL: @shapes
func.func @shapes(%x: tensor<2x3x4xf32>) -> (tensor<3xi64>, tensor<1xi64>, tensor<i64>) {
  // CHECK: repro.constant dense<[2, 3, 4]> : tensor<3xi64>
  %0 = onnx.Shape.v13(%x) : (tensor<2x3x4xf32>) -> tensor<3xi64>
  // CHECK: repro.constant dense<3> : tensor<1xi64>
  %1 = onnx.Shape.v15(%x) {start = -2 : i64, end = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<1xi64>
  // CHECK: repro.constant dense<24> : tensor<i64>
  %2 = onnx.Size.v13(%x) : (tensor<2x3x4xf32>) -> tensor<i64>
  return %0, %1, %2 : tensor<3xi64>, tensor<1xi64>, tensor<i64>
}

// CHECK-LABEL: @range
func.func @range(%start: tensor<f32>, %limit: tensor<f32>, %delta: tensor<f32>) -> tensor<5xf32> {
  // CHECK: %[[I:.+]] = repro.iota dim 0 : tensor<5xi64>
  // CHECK: %[[F:.+]] = repro.convert %[[I]]
  // CHECK: %[[M:.+]] = repro.mul %[[F]]
  // CHECK: repro.add %{{.+}}, %[[M]]
  %0 = onnx.Range.v11(%start, %limit, %delta) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: @diagonals
// CHECK-SAME: (%[[X:.+]]: tensor<2x3x4xf32>, %{{.+}}: tensor<3x4xf32>)
func.func @diagonals(%x: tensor<2x3x4xf32>, %y: tensor<3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3x4xf32>) {
  // CHECK: %[[D:.+]] = repro.sub
  // CHECK: repro.compare{{ +}}le %[[D]]
  // CHECK: repro.select %{{.+}}, %[[X]], %{{.+}} : tensor<2x3x4xf32>
  %0 = onnx.Trilu.v14(%x) {upper = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: %[[E:.+]] = repro.compare{{ +}}eq
  // CHECK: repro.convert %[[E]] : tensor<3x4xi1> to tensor<3x4xf32>
  %1 = onnx.EyeLike.v9(%y) {k = 1 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<3x4xf32>
}
