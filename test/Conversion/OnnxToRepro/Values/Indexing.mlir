// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-31: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @cumprod_2d_int32() -> (
    tensor<2x3xi32> {gensyn.expected = dense<[[1, 2, 3], [4, 10, 18]]> : tensor<2x3xi32>}) {
  %a0 = onnx.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %a1 = onnx.constant dense<0> : tensor<i32>
  %r0 = onnx.CumProd.v26(%a0, %a1) : (tensor<2x3xi32>, tensor<i32>) -> (tensor<2x3xi32>)
  return %r0 : tensor<2x3xi32>
}

func.func @cumprod_1d_reverse_exclusive() -> (
    tensor<5xf64> {gensyn.expected = dense<[120.0, 60.0, 20.0, 5.0, 1.0]> : tensor<5xf64>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64>
  %a1 = onnx.constant dense<0> : tensor<i32>
  %r0 = onnx.CumProd.v26(%a0, %a1) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<5xf64>, tensor<i32>) -> (tensor<5xf64>)
  return %r0 : tensor<5xf64>
}

func.func @cumsum_1d_reverse_exclusive() -> (
    tensor<5xf64> {gensyn.expected = dense<[14.0, 12.0, 9.0, 5.0, 0.0]> : tensor<5xf64>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64>
  %a1 = onnx.constant dense<0> : tensor<i32>
  %r0 = onnx.CumSum.v14(%a0, %a1) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<5xf64>, tensor<i32>) -> (tensor<5xf64>)
  return %r0 : tensor<5xf64>
}

func.func @cumsum_2d_negative_axis() -> (
    tensor<2x3xf64> {gensyn.expected = dense<[[1.0, 3.0, 6.0], [4.0, 9.0, 15.0]]> : tensor<2x3xf64>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %a1 = onnx.constant dense<-1> : tensor<i32>
  %r0 = onnx.CumSum.v14(%a0, %a1) : (tensor<2x3xf64>, tensor<i32>) -> (tensor<2x3xf64>)
  return %r0 : tensor<2x3xf64>
}

func.func @cumsum_1d_int32_exclusive() -> (
    tensor<5xi32> {gensyn.expected = dense<[0, 1, 3, 6, 10]> : tensor<5xi32>}) {
  %a0 = onnx.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %a1 = onnx.constant dense<0> : tensor<i32>
  %r0 = onnx.CumSum.v14(%a0, %a1) {exclusive = 1 : i64} : (tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>)
  return %r0 : tensor<5xi32>
}

func.func @gather_2d_indices() -> (
    tensor<3x1x2xf32> {gensyn.expected = dense<[[[1.764052391052246, 0.978738009929657]], [[2.2408931255340576, -0.9772778749465942]], [[0.9500884413719177, -0.10321885347366333]]]> : tensor<3x1x2xf32>}) {
  %a0 = onnx.constant dense<[[1.764052391052246, 0.40015721321105957, 0.978738009929657], [2.2408931255340576, 1.8675580024719238, -0.9772778749465942], [0.9500884413719177, -0.15135720372200012, -0.10321885347366333]]> : tensor<3x3xf32>
  %a1 = onnx.constant dense<[[0, 2]]> : tensor<1x2xi64>
  %r0 = onnx.Gather.v13(%a0, %a1) {axis = 1 : i64} : (tensor<3x3xf32>, tensor<1x2xi64>) -> (tensor<3x1x2xf32>)
  return %r0 : tensor<3x1x2xf32>
}

func.func @gather_negative_indices() -> (
    tensor<3xf32> {gensyn.expected = dense<[0.0, 1.0, 0.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<10xf32>
  %a1 = onnx.constant dense<[0, -9, -10]> : tensor<3xi64>
  %r0 = onnx.Gather.v13(%a0, %a1) {axis = 0 : i64} : (tensor<10xf32>, tensor<3xi64>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @gather_elements_0() -> (
    tensor<2x2xf32> {gensyn.expected = dense<[[1.0, 1.0], [4.0, 3.0]]> : tensor<2x2xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a1 = onnx.constant dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>
  %r0 = onnx.GatherElements.v13(%a0, %a1) {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xi64>) -> (tensor<2x2xf32>)
  return %r0 : tensor<2x2xf32>
}

func.func @gather_elements_negative_indices() -> (
    tensor<2x3xf32> {gensyn.expected = dense<[[7.0, 5.0, 3.0], [4.0, 2.0, 3.0]]> : tensor<2x3xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %a1 = onnx.constant dense<[[-1, -2, 0], [-2, 0, 0]]> : tensor<2x3xi64>
  %r0 = onnx.GatherElements.v13(%a0, %a1) {axis = 0 : i64} : (tensor<3x3xf32>, tensor<2x3xi64>) -> (tensor<2x3xf32>)
  return %r0 : tensor<2x3xf32>
}

func.func @gathernd_example_float32() -> (
    tensor<2x1x2xf32> {gensyn.expected = dense<[[[2.0, 3.0]], [[4.0, 5.0]]]> : tensor<2x1x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]> : tensor<2x2x2xf32>
  %a1 = onnx.constant dense<[[[0, 1]], [[1, 0]]]> : tensor<2x1x2xi64>
  %r0 = onnx.GatherND.v13(%a0, %a1) : (tensor<2x2x2xf32>, tensor<2x1x2xi64>) -> (tensor<2x1x2xf32>)
  return %r0 : tensor<2x1x2xf32>
}

func.func @gathernd_example_int32_batch_dim1() -> (
    tensor<2x2xi32> {gensyn.expected = dense<[[2, 3], [4, 5]]> : tensor<2x2xi32>}) {
  %a0 = onnx.constant dense<[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]> : tensor<2x2x2xi32>
  %a1 = onnx.constant dense<[[1], [0]]> : tensor<2x1xi64>
  %r0 = onnx.GatherND.v13(%a0, %a1) {batch_dims = 1 : i64} : (tensor<2x2x2xi32>, tensor<2x1xi64>) -> (tensor<2x2xi32>)
  return %r0 : tensor<2x2xi32>
}

// As onnxruntime: the indices are those of the operand of MaxPool, 5 x 5.
func.func @maxunpool_export_with_output_shape() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[0.0, 0.0, 0.0, 0.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0], [0.0, 0.0, 0.0, 7.0, 0.0], [8.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[[5.0, 6.0], [7.0, 8.0]]]]> : tensor<1x1x2x2xf32>
  %a1 = onnx.constant dense<[[[[5, 7], [13, 15]]]]> : tensor<1x1x2x2xi64>
  %a2 = onnx.constant dense<[1, 1, 5, 5]> : tensor<4xi64>
  %r0 = onnx.MaxUnpool.v22(%a0, %a1, %a2) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @reversesequence_time() -> (
    tensor<4x4xf32> {gensyn.expected = dense<[[3.0, 6.0, 9.0, 12.0], [2.0, 5.0, 8.0, 13.0], [1.0, 4.0, 10.0, 14.0], [0.0, 7.0, 11.0, 15.0]]> : tensor<4x4xf32>}) {
  %a0 = onnx.constant dense<[[0.0, 4.0, 8.0, 12.0], [1.0, 5.0, 9.0, 13.0], [2.0, 6.0, 10.0, 14.0], [3.0, 7.0, 11.0, 15.0]]> : tensor<4x4xf32>
  %a1 = onnx.constant dense<[4, 3, 2, 1]> : tensor<4xi64>
  %r0 = onnx.ReverseSequence.v28(%a0, %a1) {batch_axis = 1 : i64, time_axis = 0 : i64} : (tensor<4x4xf32>, tensor<4xi64>) -> (tensor<4x4xf32>)
  return %r0 : tensor<4x4xf32>
}

func.func @reversesequence_batch() -> (
    tensor<4x4xf32> {gensyn.expected = dense<[[0.0, 1.0, 2.0, 3.0], [5.0, 4.0, 6.0, 7.0], [10.0, 9.0, 8.0, 11.0], [15.0, 14.0, 13.0, 12.0]]> : tensor<4x4xf32>}) {
  %a0 = onnx.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<4x4xf32>
  %a1 = onnx.constant dense<[0, 2, 3, 4]> : tensor<4xi64>
  %r0 = onnx.ReverseSequence.v28(%a0, %a1) {batch_axis = 0 : i64, time_axis = 1 : i64} : (tensor<4x4xf32>, tensor<4xi64>) -> (tensor<4x4xf32>)
  return %r0 : tensor<4x4xf32>
}

func.func @scatter_without_axis() -> (
    tensor<3x3xf32> {gensyn.expected = dense<[[2.0, 1.100000023841858, 0.0], [1.0, 0.0, 2.200000047683716], [0.0, 2.0999999046325684, 1.2000000476837158]]> : tensor<3x3xf32>}) {
  %a0 = onnx.constant dense<0.0> : tensor<3x3xf32>
  %a1 = onnx.constant dense<[[1, 0, 2], [0, 2, 1]]> : tensor<2x3xi64>
  %a2 = onnx.constant dense<[[1.0, 1.100000023841858, 1.2000000476837158], [2.0, 2.0999999046325684, 2.200000047683716]]> : tensor<2x3xf32>
  %r0 = onnx.Scatter.v9(%a0, %a1, %a2) : (tensor<3x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> (tensor<3x3xf32>)
  return %r0 : tensor<3x3xf32>
}

func.func @scatter_elements_with_axis() -> (
    tensor<1x5xf32> {gensyn.expected = dense<[[1.0, 1.100000023841858, 3.0, 2.0999999046325684, 5.0]]> : tensor<1x5xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %a1 = onnx.constant dense<[[1, 3]]> : tensor<1x2xi64>
  %a2 = onnx.constant dense<[[1.100000023841858, 2.0999999046325684]]> : tensor<1x2xf32>
  %r0 = onnx.ScatterElements.v18(%a0, %a1, %a2) {axis = 1 : i64} : (tensor<1x5xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> (tensor<1x5xf32>)
  return %r0 : tensor<1x5xf32>
}

func.func @scatter_elements_with_negative_indices() -> (
    tensor<1x5xf32> {gensyn.expected = dense<[[1.0, 1.100000023841858, 2.0999999046325684, 4.0, 5.0]]> : tensor<1x5xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %a1 = onnx.constant dense<[[1, -3]]> : tensor<1x2xi64>
  %a2 = onnx.constant dense<[[1.100000023841858, 2.0999999046325684]]> : tensor<1x2xf32>
  %r0 = onnx.ScatterElements.v18(%a0, %a1, %a2) {axis = 1 : i64} : (tensor<1x5xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> (tensor<1x5xf32>)
  return %r0 : tensor<1x5xf32>
}

func.func @scatter_elements_with_duplicate_indices() -> (
    tensor<1x5xf32> {gensyn.expected = dense<[[1.0, 5.199999809265137, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %a1 = onnx.constant dense<1> : tensor<1x2xi64>
  %a2 = onnx.constant dense<[[1.100000023841858, 2.0999999046325684]]> : tensor<1x2xf32>
  %r0 = onnx.ScatterElements.v18(%a0, %a1, %a2) {axis = 1 : i64, reduction = "add"} : (tensor<1x5xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> (tensor<1x5xf32>)
  return %r0 : tensor<1x5xf32>
}

func.func @scatter_elements_with_reduction_mul() -> (
    tensor<1x5xf32> {gensyn.expected = dense<[[1.0, 4.619999885559082, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %a1 = onnx.constant dense<1> : tensor<1x2xi64>
  %a2 = onnx.constant dense<[[1.100000023841858, 2.0999999046325684]]> : tensor<1x2xf32>
  %r0 = onnx.ScatterElements.v18(%a0, %a1, %a2) {axis = 1 : i64, reduction = "mul"} : (tensor<1x5xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> (tensor<1x5xf32>)
  return %r0 : tensor<1x5xf32>
}

func.func @scatter_elements_with_reduction_max() -> (
    tensor<1x5xf32> {gensyn.expected = dense<[[1.0, 2.0999999046325684, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %a1 = onnx.constant dense<1> : tensor<1x2xi64>
  %a2 = onnx.constant dense<[[1.100000023841858, 2.0999999046325684]]> : tensor<1x2xf32>
  %r0 = onnx.ScatterElements.v18(%a0, %a1, %a2) {axis = 1 : i64, reduction = "max"} : (tensor<1x5xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> (tensor<1x5xf32>)
  return %r0 : tensor<1x5xf32>
}

func.func @scatter_elements_with_reduction_min() -> (
    tensor<1x5xf32> {gensyn.expected = dense<[[1.0, 1.100000023841858, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %a1 = onnx.constant dense<1> : tensor<1x2xi64>
  %a2 = onnx.constant dense<[[1.100000023841858, 2.0999999046325684]]> : tensor<1x2xf32>
  %r0 = onnx.ScatterElements.v18(%a0, %a1, %a2) {axis = 1 : i64, reduction = "min"} : (tensor<1x5xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> (tensor<1x5xf32>)
  return %r0 : tensor<1x5xf32>
}

func.func @scatternd_max_with_element_indices() -> (
    tensor<2x2xf32> {gensyn.expected = dense<[[5.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a1 = onnx.constant dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>
  %a2 = onnx.constant dense<[5.0, 1.0]> : tensor<2xf32>
  %r0 = onnx.ScatterND.v18(%a0, %a1, %a2) {reduction = "max"} : (tensor<2x2xf32>, tensor<2x2xi64>, tensor<2xf32>) -> (tensor<2x2xf32>)
  return %r0 : tensor<2x2xf32>
}

func.func @scatternd_min_with_element_indices() -> (
    tensor<2x2xf32> {gensyn.expected = dense<[[1.0, 2.0], [3.0, 1.0]]> : tensor<2x2xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a1 = onnx.constant dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>
  %a2 = onnx.constant dense<[5.0, 1.0]> : tensor<2xf32>
  %r0 = onnx.ScatterND.v18(%a0, %a1, %a2) {reduction = "min"} : (tensor<2x2xf32>, tensor<2x2xi64>, tensor<2xf32>) -> (tensor<2x2xf32>)
  return %r0 : tensor<2x2xf32>
}

func.func @tensorscatter() -> (
    tensor<2x1x4x5xf32> {gensyn.expected = dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 5.0, 5.0, 5.0, 5.0], [8.0, 7.0, 6.0, 5.0, 4.0], [4.0, 3.0, 2.0, 1.0, 0.0]]], [[[1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 6.0, 7.0, 8.0, 9.0], [1.0, 1.0, 1.0, 1.0, 1.0], [4.0, 3.0, 2.0, 1.0, 0.0]]]]> : tensor<2x1x4x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 6.0, 7.0, 8.0, 9.0], [8.0, 7.0, 6.0, 5.0, 4.0], [4.0, 3.0, 2.0, 1.0, 0.0]]], [[[1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 6.0, 7.0, 8.0, 9.0], [8.0, 7.0, 6.0, 5.0, 4.0], [4.0, 3.0, 2.0, 1.0, 0.0]]]]> : tensor<2x1x4x5xf32>
  %a1 = onnx.constant dense<[[[[5.0, 5.0, 5.0, 5.0, 5.0]]], [[[1.0, 1.0, 1.0, 1.0, 1.0]]]]> : tensor<2x1x1x5xf32>
  %a2 = onnx.constant dense<[1, 2]> : tensor<2xi64>
  %r0 = onnx.TensorScatter.v24(%a0, %a1, %a2) {mode = "linear"} : (tensor<2x1x4x5xf32>, tensor<2x1x1x5xf32>, tensor<2xi64>) -> (tensor<2x1x4x5xf32>)
  return %r0 : tensor<2x1x4x5xf32>
}

func.func @tensorscatter_circular() -> (
    tensor<2x1x4x5xf32> {gensyn.expected = dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 5.0, 5.0, 5.0, 5.0], [6.0, 6.0, 6.0, 6.0, 6.0], [4.0, 3.0, 2.0, 1.0, 0.0]]], [[[2.0, 2.0, 2.0, 2.0, 2.0], [5.0, 6.0, 7.0, 8.0, 9.0], [8.0, 7.0, 6.0, 5.0, 4.0], [1.0, 1.0, 1.0, 1.0, 1.0]]]]> : tensor<2x1x4x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 6.0, 7.0, 8.0, 9.0], [8.0, 7.0, 6.0, 5.0, 4.0], [4.0, 3.0, 2.0, 1.0, 0.0]]], [[[1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 6.0, 7.0, 8.0, 9.0], [8.0, 7.0, 6.0, 5.0, 4.0], [4.0, 3.0, 2.0, 1.0, 0.0]]]]> : tensor<2x1x4x5xf32>
  %a1 = onnx.constant dense<[[[[5.0, 5.0, 5.0, 5.0, 5.0], [6.0, 6.0, 6.0, 6.0, 6.0]]], [[[1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0]]]]> : tensor<2x1x2x5xf32>
  %a2 = onnx.constant dense<[1, 3]> : tensor<2xi64>
  %r0 = onnx.TensorScatter.v24(%a0, %a1, %a2) {mode = "circular"} : (tensor<2x1x4x5xf32>, tensor<2x1x2x5xf32>, tensor<2xi64>) -> (tensor<2x1x4x5xf32>)
  return %r0 : tensor<2x1x4x5xf32>
}

func.func @top_k() -> (
    tensor<3x3xf32> {gensyn.expected = dense<[[3.0, 2.0, 1.0], [7.0, 6.0, 5.0], [11.0, 10.0, 9.0]]> : tensor<3x3xf32>},
    tensor<3x3xi64> {gensyn.expected = dense<[[3, 2, 1], [3, 2, 1], [3, 2, 1]]> : tensor<3x3xi64>}) {
  %a0 = onnx.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[3]> : tensor<1xi64>
  %r0, %r1 = onnx.TopK.v24(%a0, %a1) {axis = 1 : i64} : (tensor<3x4xf32>, tensor<1xi64>) -> (tensor<3x3xf32>, tensor<3x3xi64>)
  return %r0, %r1 : tensor<3x3xf32>, tensor<3x3xi64>
}

func.func @top_k_same_values_largest() -> (
    tensor<3xi64> {gensyn.expected = dense<0> : tensor<3xi64>},
    tensor<3xi64> {gensyn.expected = dense<[0, 1, 2]> : tensor<3xi64>}) {
  %a0 = onnx.constant dense<0> : tensor<4xi64>
  %a1 = onnx.constant dense<[3]> : tensor<1xi64>
  %r0, %r1 = onnx.TopK.v24(%a0, %a1) {axis = 0 : i64} : (tensor<4xi64>, tensor<1xi64>) -> (tensor<3xi64>, tensor<3xi64>)
  return %r0, %r1 : tensor<3xi64>, tensor<3xi64>
}

func.func @top_k_smallest() -> (
    tensor<3x3xf32> {gensyn.expected = dense<[[0.0, 1.0, 2.0], [4.0, 5.0, 6.0], [8.0, 9.0, 10.0]]> : tensor<3x3xf32>},
    tensor<3x3xi64> {gensyn.expected = dense<[[0, 1, 2], [0, 1, 2], [3, 2, 1]]> : tensor<3x3xi64>}) {
  %a0 = onnx.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [11.0, 10.0, 9.0, 8.0]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[3]> : tensor<1xi64>
  %r0, %r1 = onnx.TopK.v24(%a0, %a1) {axis = 1 : i64, largest = 0 : i64, sorted = 1 : i64} : (tensor<3x4xf32>, tensor<1xi64>) -> (tensor<3x3xf32>, tensor<3x3xi64>)
  return %r0, %r1 : tensor<3x3xf32>, tensor<3x3xi64>
}
