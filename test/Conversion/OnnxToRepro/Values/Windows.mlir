// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-47: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @averagepool_2d_precomputed_pads() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[7.0, 7.5, 8.0, 8.5, 9.0], [9.5, 10.0, 10.5, 11.0, 11.5], [12.0, 12.5, 13.0, 13.5, 14.0], [14.5, 15.0, 15.5, 16.0, 16.5], [17.0, 17.5, 18.0, 18.5, 19.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0 = onnx.AveragePool.v22(%a0) {kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @averagepool_2d_precomputed_pads_count_include_pad() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[2.52, 3.6, 4.8, 4.08, 3.24], [4.56, 6.4, 8.4, 7.04, 5.52], [7.2, 10.0, 13.0, 10.8, 8.4], [6.96, 9.6, 12.4, 10.24, 7.92], [6.12, 8.4, 10.8, 8.88, 6.84]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0 = onnx.AveragePool.v22(%a0) {count_include_pad = 1 : i64, kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

// Asymmetric pads, counted and not (onnxruntime 1.32; 1.23 counts with the wrong ones).
func.func @averagepool_2d_asymmetric_count_include_pad() -> (
    tensor<1x1x3x3xf32> {gensyn.expected = dense<[[[[0.75, 1.25, 0.75], [3.0, 4.0, 2.25], [6.0, 7.0, 3.75]]]]> : tensor<1x1x3x3xf32>},
    tensor<1x1x3x3xf32> {gensyn.expected = dense<[[[[1.5, 2.5, 3.0], [3.0, 4.0, 4.5], [6.0, 7.0, 7.5]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.AveragePool.v22(%a0) {count_include_pad = 1 : i64, kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 0, 0, 1>} : (tensor<1x1x3x3xf32>) -> (tensor<1x1x3x3xf32>)
  %r1 = onnx.AveragePool.v22(%a0) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 0, 0, 1>} : (tensor<1x1x3x3xf32>) -> (tensor<1x1x3x3xf32>)
  return %r0, %r1 : tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>
}

func.func @averagepool_2d_asymmetric_strides_count_include_pad() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[3.6666667461395264, 7.0], [5.111111164093018, 8.666666984558105]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %r0 = onnx.AveragePool.v22(%a0) {count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 1, 1, 0>, strides = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @averagepool_2d_precomputed_strides() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[4.0, 6.0], [14.0, 16.0]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0 = onnx.AveragePool.v22(%a0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @averagepool_2d_precomputed_same_upper() -> (
    tensor<1x1x3x3xf32> {gensyn.expected = dense<[[[[4.0, 5.5, 7.0], [11.5, 13.0, 14.5], [19.0, 20.5, 22.0]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0 = onnx.AveragePool.v22(%a0) {auto_pad = "SAME_UPPER", kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @averagepool_2d_ceil() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[6.0, 7.5], [12.0, 13.5]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %r0 = onnx.AveragePool.v22(%a0) {ceil_mode = 1 : i64, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @averagepool_2d_ceil_last_window_starts_on_pad() -> (
    tensor<1x3x1x1xf32> {gensyn.expected = dense<[[[[0x3E1AAE4E]], [[0.2840444]], [[0x3EB6E5D5]]]]> : tensor<1x3x1x1xf32>}) {
  %a0 = onnx.constant dense<[[[[0.858, 0.0786], [0.2692, 0.1537]], [[0.8816, 0.4353], [0.5772, 0.6623]], [[0.9067, 0.9483], [0.597, 0.763]]]]> : tensor<1x3x2x2xf32>
  %r0 = onnx.AveragePool.v22(%a0) {ceil_mode = 1 : i64, count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 3, 3>} : (tensor<1x3x2x2xf32>) -> (tensor<1x3x1x1xf32>)
  return %r0 : tensor<1x3x1x1xf32>
}

func.func @averagepool_2d_dilations() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[6.0, 7.0], [10.0, 11.0]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %r0 = onnx.AveragePool.v22(%a0) {ceil_mode = 1 : i64, dilations = array<i64: 2, 2>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @averagepool_3d_dilations_small() -> (
    tensor<1x1x2x2x2xf32> {gensyn.expected = dense<[[[[[6.0, 7.0], [10.0, 11.0]], [[6.0, 7.0], [10.0, 11.0]]]]]> : tensor<1x1x2x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]], [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]], [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]], [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]]> : tensor<1x1x4x4x4xf32>
  %r0 = onnx.AveragePool.v22(%a0) {ceil_mode = 1 : i64, dilations = array<i64: 2, 2, 2>, kernel_shape = array<i64: 2, 2, 2>, strides = array<i64: 1, 1, 1>} : (tensor<1x1x4x4x4xf32>) -> (tensor<1x1x2x2x2xf32>)
  return %r0 : tensor<1x1x2x2x2xf32>
}

func.func @col2im() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 0.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 6.0, 11.0, 16.0, 21.0], [2.0, 7.0, 12.0, 17.0, 22.0], [3.0, 8.0, 13.0, 18.0, 23.0], [4.0, 9.0, 14.0, 19.0, 24.0], [5.0, 0.0, 15.0, 20.0, 25.0]]]> : tensor<1x5x5xf32>
  %c1 = onnx.constant dense<[5,5]> : tensor<2xi64>
  %c2 = onnx.constant dense<[1,5]> : tensor<2xi64>
  %r0 = onnx.Col2Im.v18(%a0, %c1, %c2) : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @col2im_strides() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[0.0, 1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0, 0.0], [0.0, 2.0, 1.0, 2.0, 1.0], [1.0, 0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0, 0.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]]> : tensor<1x9x4xf32>
  %c1 = onnx.constant dense<[5,5]> : tensor<2xi64>
  %c2 = onnx.constant dense<[3,3]> : tensor<2xi64>
  %r0 = onnx.Col2Im.v18(%a0, %c1, %c2) {strides = array<i64: 2, 2>} : (tensor<1x9x4xf32>, tensor<2xi64>, tensor<2xi64>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @col2im_pads() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[8.0, 21.0, 24.0, 27.0, 24.0], [38.0, 66.0, 69.0, 72.0, 54.0], [68.0, 111.0, 114.0, 117.0, 84.0], [98.0, 156.0, 159.0, 162.0, 114.0], [128.0, 201.0, 204.0, 207.0, 144.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 6.0, 11.0, 16.0, 21.0, 26.0, 31.0, 36.0, 41.0, 46.0, 51.0, 56.0, 61.0, 66.0, 71.0], [2.0, 7.0, 12.0, 17.0, 22.0, 27.0, 32.0, 37.0, 42.0, 47.0, 52.0, 57.0, 62.0, 67.0, 72.0], [3.0, 8.0, 13.0, 18.0, 23.0, 28.0, 33.0, 38.0, 43.0, 48.0, 53.0, 58.0, 63.0, 68.0, 73.0], [4.0, 9.0, 14.0, 19.0, 24.0, 29.0, 34.0, 39.0, 44.0, 49.0, 54.0, 59.0, 64.0, 69.0, 74.0], [5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0]]]> : tensor<1x5x15xf32>
  %c1 = onnx.constant dense<[5,5]> : tensor<2xi64>
  %c2 = onnx.constant dense<[1,5]> : tensor<2xi64>
  %r0 = onnx.Col2Im.v18(%a0, %c1, %c2) {pads = array<i64: 0, 1, 0, 1>} : (tensor<1x5x15xf32>, tensor<2xi64>, tensor<2xi64>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @basic_conv_with_padding() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[12.0, 21.0, 27.0, 33.0, 24.0], [33.0, 54.0, 63.0, 72.0, 51.0], [63.0, 99.0, 108.0, 117.0, 81.0], [93.0, 144.0, 153.0, 162.0, 111.0], [72.0, 111.0, 117.0, 123.0, 84.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0, 24.0]]]]> : tensor<1x1x5x5xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.Conv.v22(%a0, %a1) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x5x5xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @basic_conv_without_padding() -> (
    tensor<1x1x3x3xf32> {gensyn.expected = dense<[[[[54.0, 63.0, 72.0], [99.0, 108.0, 117.0], [144.0, 153.0, 162.0]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0, 24.0]]]]> : tensor<1x1x5x5xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.Conv.v22(%a0, %a1) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 0, 0, 0>} : (tensor<1x1x5x5xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @conv_with_strides_padding() -> (
    tensor<1x1x4x3xf32> {gensyn.expected = dense<[[[[12.0, 27.0, 24.0], [63.0, 108.0, 81.0], [123.0, 198.0, 141.0], [112.0, 177.0, 124.0]]]]> : tensor<1x1x4x3xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0], [30.0, 31.0, 32.0, 33.0, 34.0]]]]> : tensor<1x1x7x5xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.Conv.v22(%a0, %a1) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x1x7x5xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x1x4x3xf32>)
  return %r0 : tensor<1x1x4x3xf32>
}

func.func @conv_with_strides_no_padding() -> (
    tensor<1x1x3x2xf32> {gensyn.expected = dense<[[[[54.0, 72.0], [144.0, 162.0], [234.0, 252.0]]]]> : tensor<1x1x3x2xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0], [30.0, 31.0, 32.0, 33.0, 34.0]]]]> : tensor<1x1x7x5xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.Conv.v22(%a0, %a1) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x1x7x5xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x1x3x2xf32>)
  return %r0 : tensor<1x1x3x2xf32>
}

func.func @conv_with_strides_and_asymmetric_padding() -> (
    tensor<1x1x4x2xf32> {gensyn.expected = dense<[[[[21.0, 33.0], [99.0, 117.0], [189.0, 207.0], [171.0, 183.0]]]]> : tensor<1x1x4x2xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0], [30.0, 31.0, 32.0, 33.0, 34.0]]]]> : tensor<1x1x7x5xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.Conv.v22(%a0, %a1) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : (tensor<1x1x7x5xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x1x4x2xf32>)
  return %r0 : tensor<1x1x4x2xf32>
}

func.func @convtranspose() -> (
    tensor<1x2x5x5xf32> {gensyn.expected = dense<[[[[0.0, 1.0, 3.0, 3.0, 2.0], [3.0, 8.0, 15.0, 12.0, 7.0], [9.0, 21.0, 36.0, 27.0, 15.0], [9.0, 20.0, 33.0, 24.0, 13.0], [6.0, 13.0, 21.0, 15.0, 8.0]], [[0.0, 1.0, 3.0, 3.0, 2.0], [3.0, 8.0, 15.0, 12.0, 7.0], [9.0, 21.0, 36.0, 27.0, 15.0], [9.0, 20.0, 33.0, 24.0, 13.0], [6.0, 13.0, 21.0, 15.0, 8.0]]]]> : tensor<1x2x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]]]> : tensor<1x1x3x3xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x2x3x3xf32>
  %r0 = onnx.ConvTranspose.v22(%a0, %a1) : (tensor<1x1x3x3xf32>, tensor<1x2x3x3xf32>) -> (tensor<1x2x5x5xf32>)
  return %r0 : tensor<1x2x5x5xf32>
}

func.func @convtranspose_1d() -> (
    tensor<1x2x5xf32> {gensyn.expected = dense<[[[0.0, 1.0, 3.0, 3.0, 2.0], [0.0, 1.0, 3.0, 3.0, 2.0]]]> : tensor<1x2x5xf32>}) {
  %a0 = onnx.constant dense<[[[0.0, 1.0, 2.0]]]> : tensor<1x1x3xf32>
  %a1 = onnx.constant dense<[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]> : tensor<1x2x3xf32>
  %r0 = onnx.ConvTranspose.v22(%a0, %a1) : (tensor<1x1x3xf32>, tensor<1x2x3xf32>) -> (tensor<1x2x5xf32>)
  return %r0 : tensor<1x2x5xf32>
}

func.func @convtranspose_pads() -> (
    tensor<1x2x7x3xf32> {gensyn.expected = dense<[[[[1.0, 1.0, 3.0], [1.0, 1.0, 3.0], [7.0, 4.0, 9.0], [7.0, 4.0, 9.0], [7.0, 4.0, 9.0], [13.0, 7.0, 15.0], [13.0, 7.0, 15.0]], [[1.0, 1.0, 3.0], [1.0, 1.0, 3.0], [7.0, 4.0, 9.0], [7.0, 4.0, 9.0], [7.0, 4.0, 9.0], [13.0, 7.0, 15.0], [13.0, 7.0, 15.0]]]]> : tensor<1x2x7x3xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]]]> : tensor<1x1x3x3xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x2x3x3xf32>
  %r0 = onnx.ConvTranspose.v22(%a0, %a1) {pads = array<i64: 1, 2, 1, 2>, strides = array<i64: 3, 2>} : (tensor<1x1x3x3xf32>, tensor<1x2x3x3xf32>) -> (tensor<1x2x7x3xf32>)
  return %r0 : tensor<1x2x7x3xf32>
}

func.func @convtranspose_dilations() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[21.0, 56.0, 13.0, 16.0, 2.0], [63.0, 35.0, 67.0, 10.0, 14.0], [24.0, 22.0, 76.0, 76.0, 21.0], [9.0, 5.0, 88.0, 45.0, 63.0], [3.0, 2.0, 33.0, 18.0, 54.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[[3.0, 8.0, 1.0], [9.0, 5.0, 7.0], [3.0, 2.0, 6.0]]]]> : tensor<1x1x3x3xf32>
  %a1 = onnx.constant dense<[[[[7.0, 2.0], [1.0, 9.0]]]]> : tensor<1x1x2x2xf32>
  %r0 = onnx.ConvTranspose.v22(%a0, %a1) {dilations = array<i64: 2, 2>} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @convtranspose_autopad_same() -> (
    tensor<1x2x6x6xf32> {gensyn.expected = dense<[[[[0.0, 0.0, 1.0, 1.0, 3.0, 2.0], [0.0, 0.0, 1.0, 1.0, 3.0, 2.0], [3.0, 3.0, 8.0, 5.0, 12.0, 7.0], [3.0, 3.0, 7.0, 4.0, 9.0, 5.0], [9.0, 9.0, 20.0, 11.0, 24.0, 13.0], [6.0, 6.0, 13.0, 7.0, 15.0, 8.0]], [[0.0, 0.0, 1.0, 1.0, 3.0, 2.0], [0.0, 0.0, 1.0, 1.0, 3.0, 2.0], [3.0, 3.0, 8.0, 5.0, 12.0, 7.0], [3.0, 3.0, 7.0, 4.0, 9.0, 5.0], [9.0, 9.0, 20.0, 11.0, 24.0, 13.0], [6.0, 6.0, 13.0, 7.0, 15.0, 8.0]]]]> : tensor<1x2x6x6xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]]]> : tensor<1x1x3x3xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x2x3x3xf32>
  %r0 = onnx.ConvTranspose.v22(%a0, %a1) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} : (tensor<1x1x3x3xf32>, tensor<1x2x3x3xf32>) -> (tensor<1x2x6x6xf32>)
  return %r0 : tensor<1x2x6x6xf32>
}

func.func @einsum_transpose() -> (
    tensor<4x3xf64> {gensyn.expected = dense<[[0x3FFC398EF3E5CFA5, 0x3FFDE1847CB13DDA, 0xBFBA6C8CF8C8B459], [0x3FD99C2CFACC8953, 0xBFEF45DC42A58C82, 0x3FDA473EF0672966], [0x3FEF51D25222C9AB, 0x3FEE671FD33295E9, 0x3FC270050DAAE1ED], [0x4001ED5969E3314E, 0xBFC35FAC49D38436, 0x3FF744B44BFD85F7]]> : tensor<4x3xf64>}) {
  %a0 = onnx.constant dense<[[0x3FFC398EF3E5CFA5, 0x3FD99C2CFACC8953, 0x3FEF51D25222C9AB, 0x4001ED5969E3314E], [0x3FFDE1847CB13DDA, 0xBFEF45DC42A58C82, 0x3FEE671FD33295E9, 0xBFC35FAC49D38436], [0xBFBA6C8CF8C8B459, 0x3FDA473EF0672966, 0x3FC270050DAAE1ED, 0x3FF744B44BFD85F7]]> : tensor<3x4xf64>
  %r0 = onnx.Einsum.v28(%a0) {equation = "ij->ji"} : (tensor<3x4xf64>) -> (tensor<4x3xf64>)
  return %r0 : tensor<4x3xf64>
}

func.func @einsum_sum() -> (
    tensor<3xf64> {gensyn.expected = dense<[0x4015890D8BDC2E5B, 0x3FFB0630BBBD5207, 0x3FFE7DBBDA402148]> : tensor<3xf64>}) {
  %a0 = onnx.constant dense<[[0x3FFC398EF3E5CFA5, 0x3FD99C2CFACC8953, 0x3FEF51D25222C9AB, 0x4001ED5969E3314E], [0x3FFDE1847CB13DDA, 0xBFEF45DC42A58C82, 0x3FEE671FD33295E9, 0xBFC35FAC49D38436], [0xBFBA6C8CF8C8B459, 0x3FDA473EF0672966, 0x3FC270050DAAE1ED, 0x3FF744B44BFD85F7]]> : tensor<3x4xf64>
  %r0 = onnx.Einsum.v28(%a0) {equation = "ij->i"} : (tensor<3x4xf64>) -> (tensor<3xf64>)
  return %r0 : tensor<3xf64>
}

func.func @einsum_inner_prod() -> (
    tensor<f64> {gensyn.expected = dense<0xBFEE9AE83C525084> : tensor<f64>}) {
  %a0 = onnx.constant dense<[0x3FFC398EF3E5CFA5, 0x3FD99C2CFACC8953, 0x3FEF51D25222C9AB, 0x4001ED5969E3314E, 0x3FFDE1847CB13DDA]> : tensor<5xf64>
  %a1 = onnx.constant dense<[0xBFEF45DC42A58C82, 0x3FEE671FD33295E9, 0xBFC35FAC49D38436, 0xBFBA6C8CF8C8B459, 0x3FDA473EF0672966]> : tensor<5xf64>
  %r0 = onnx.Einsum.v28(%a0, %a1) {equation = "i,i"} : (tensor<5xf64>, tensor<5xf64>) -> (tensor<f64>)
  return %r0 : tensor<f64>
}

func.func @einsum_scalar() -> (
    tensor<f64> {gensyn.expected = dense<0x4014000000000000> : tensor<f64>}) {
  %a0 = onnx.constant dense<0x4014000000000000> : tensor<f64>
  %r0 = onnx.Einsum.v28(%a0) {equation = "->"} : (tensor<f64>) -> (tensor<f64>)
  return %r0 : tensor<f64>
}

func.func @gemm_default_zero_bias() -> (
    tensor<3x4xf32> {gensyn.expected = dense<[[1.9832575, 1.2598817, 1.8809859, 0.9956285], [2.3402529, 1.2245564, 2.0757055, 1.0945301], [1.9018837, 1.116203, 1.8695695, 1.1877979]]> : tensor<3x4xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548], [0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A]]> : tensor<3x5xf32>
  %a1 = onnx.constant dense<[[0.0871293, 0x3CA5A10D, 0x3F552693, 0x3F473548], [0x3F5EB91E, 0.9786183, 0.7991586, 0x3EEC4706], [0.7805292, 0x3DF239DD, 0.639921, 0x3E12CB34], [0.9446689, 0.5218483, 0x3ED44E92, 0.2645556], [0.7742337, 0x3EE98C89, 0x3F1184E3, 0.0187898]]> : tensor<5x4xf32>
  %a2 = onnx.constant dense<[[0.0, 0.0, 0.0, 0.0]]> : tensor<1x4xf32>
  %r0 = onnx.Gemm.v13(%a0, %a1, %a2) : (tensor<3x5xf32>, tensor<5x4xf32>, tensor<1x4xf32>) -> (tensor<3x4xf32>)
  return %r0 : tensor<3x4xf32>
}

func.func @gemm_default_no_bias() -> (
    tensor<2x3xf32> {gensyn.expected = dense<[[3.4945123, 3.5606117, 2.4070063], [2.7530518, 2.9613998, 2.3095217]]> : tensor<2x3xf32>}) {
  %a0 = onnx.constant dense<[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832, 0.4236548, 0.6458941, 0.4375872, 0.891773, 0x3F76B29A, 0.3834415], [0x3F4AAE7E, 0.5288949, 0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A, 0.0871293, 0x3CA5A10D, 0x3F552693, 0x3F473548, 0x3F5EB91E]]> : tensor<2x10xf32>
  %a1 = onnx.constant dense<[[0.9786183, 0.7991586, 0x3EEC4706], [0.7805292, 0x3DF239DD, 0.639921], [0x3E12CB34, 0.9446689, 0.5218483], [0x3ED44E92, 0.2645556, 0.7742337], [0x3EE98C89, 0x3F1184E3, 0.0187898], [0.6176355, 0.6120957, 0.616934], [0x3F719979, 0.6818203, 0.3595079], [0x3EDFC2A7, 0.6976312, 0x3D76AEFC], [0.6667667, 0x3F2BAEEC, 0x3E576E87], [0x3E040541, 0x3EA17FD3, 0x3EBA384C]]> : tensor<10x3xf32>
  %r0 = onnx.Gemm.v13(%a0, %a1) : (tensor<2x10xf32>, tensor<10x3xf32>) -> (tensor<2x3xf32>)
  return %r0 : tensor<2x3xf32>
}

func.func @globalaveragepool() -> (
    tensor<1x3x1x1xf32> {gensyn.expected = dense<[[[[0x3EF349FD]], [[0xBE46B66F]], [[0xBE910777]]]]> : tensor<1x3x1x1xf32>}) {
  %a0 = onnx.constant dense<[[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605], [0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546]], [[0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D], [-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897]], [[0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936], [0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9]]]]> : tensor<1x3x5x5xf32>
  %r0 = onnx.GlobalAveragePool.v22(%a0) : (tensor<1x3x5x5xf32>) -> (tensor<1x3x1x1xf32>)
  return %r0 : tensor<1x3x1x1xf32>
}

func.func @globalaveragepool_precomputed() -> (
    tensor<1x1x1x1xf32> {gensyn.expected = dense<[[[[5.0]]]]> : tensor<1x1x1x1xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.GlobalAveragePool.v22(%a0) : (tensor<1x1x3x3xf32>) -> (tensor<1x1x1x1xf32>)
  return %r0 : tensor<1x1x1x1xf32>
}

func.func @globalmaxpool() -> (
    tensor<1x3x1x1xf32> {gensyn.expected = dense<[[[[2.2697546]], [[1.9507754]], [[1.1394007]]]]> : tensor<1x3x1x1xf32>}) {
  %a0 = onnx.constant dense<[[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605], [0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546]], [[0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D], [-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897]], [[0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936], [0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9]]]]> : tensor<1x3x5x5xf32>
  %r0 = onnx.GlobalMaxPool.v22(%a0) : (tensor<1x3x5x5xf32>) -> (tensor<1x3x1x1xf32>)
  return %r0 : tensor<1x3x1x1xf32>
}

func.func @globalmaxpool_precomputed() -> (
    tensor<1x1x1x1xf32> {gensyn.expected = dense<[[[[9.0]]]]> : tensor<1x1x1x1xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %r0 = onnx.GlobalMaxPool.v22(%a0) : (tensor<1x1x3x3xf32>) -> (tensor<1x1x1x1xf32>)
  return %r0 : tensor<1x1x1x1xf32>
}

func.func @lppool_2d_dilations() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[14.56022, 16.248077], [21.633308, 23.49468]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %r0 = onnx.LpPool.v22(%a0) {dilations = array<i64: 2, 2>, kernel_shape = array<i64: 2, 2>, p = 2 : i64, strides = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @matmul_2d() -> (
    tensor<3x3xf32> {gensyn.expected = dense<[[3.247133, 1.9136808, 0xC05D7FAF], [1.2937015, 0xC00B367C, 0xBFA45377], [1.0540882, 1.7350072, 0xBFC9DE97]]> : tensor<3x3xf32>}) {
  %a0 = onnx.constant dense<[[1.7640524, 0.4001572, 0.978738, 2.2408931], [1.867558, 0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62], [0xBDD36468, 0x3ED239F8, 0x3E138028, 1.4542735]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[[0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502], [0.3130677, 0xBF5AA605, 0xC023642F], [0.6536186, 0.8644362, -0.742165]]> : tensor<4x3xf32>
  %r0 = onnx.MatMul.v13(%a0, %a1) : (tensor<3x4xf32>, tensor<4x3xf32>) -> (tensor<3x3xf32>)
  return %r0 : tensor<3x3xf32>
}

func.func @matmul_3d() -> (
    tensor<2x3x3xf32> {gensyn.expected = dense<[[[0xC0891489, 0x3ECBF65B, 0xBE7A57B6], [0xBFE5CA36, 0xBFA004D8, 0xC04EFD06], [0.7235164, 0.9524713, 3.053718]], [[-2.287253, 0xBF20F0DE, 0xBF95E5A3], [6.0393553, 0x3F41FA1B, 3.222876], [3.181653, 0x3DBDAAAB, 1.8273739]]]> : tensor<2x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[2.2697546, 0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20], [1.5327792, 1.4693588, 0x3E1EAA8A, 0x3EC19E85], [0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B, 0x3E2019F2]], [[1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D], [-1.048553, -1.420018, 0xBFDA6710, 1.9507754], [0xBF027891, 0xBEE04B46, 0xBFA05B99, 0.7774904]]]> : tensor<2x3x4xf32>
  %a1 = onnx.constant dense<[[[0xBFCE9434, 0xBE59D897, 0xBF653D4C], [0.3869025, 0xBF02C420, 0xBF971EF5], [0xBCE6DE6B, 0x3EDB4E51, 0x3D883A2E], [0.3024719, 0xBF2262EF, 0xBEB9B936]], [[0xBF2C265E, 0xBEB8175A, 0xBF502A5B], [0xBFDCF6D4, 0x3E35AF33, 0xBECDB63B], [0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5], [0x3D54C4B2, 0.7290906, 0x3E041419]]]> : tensor<2x4x3xf32>
  %r0 = onnx.MatMul.v13(%a0, %a1) : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> (tensor<2x3x3xf32>)
  return %r0 : tensor<2x3x3xf32>
}

func.func @maxpool_2d_uint8() -> (
    tensor<1x1x5x5xui8> {gensyn.expected = dense<[[[[13, 14, 15, 15, 15], [18, 19, 20, 20, 20], [23, 24, 25, 25, 25], [23, 24, 25, 25, 25], [23, 24, 25, 25, 25]]]]> : tensor<1x1x5x5xui8>}) {
  %a0 = onnx.constant dense<[[[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20], [21, 22, 23, 24, 25]]]]> : tensor<1x1x5x5xui8>
  %r0 = onnx.MaxPool.v22(%a0) {kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>} : (tensor<1x1x5x5xui8>) -> (tensor<1x1x5x5xui8>)
  return %r0 : tensor<1x1x5x5xui8>
}

func.func @maxpool_2d_precomputed_pads() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[13.0, 14.0, 15.0, 15.0, 15.0], [18.0, 19.0, 20.0, 20.0, 20.0], [23.0, 24.0, 25.0, 25.0, 25.0], [23.0, 24.0, 25.0, 25.0, 25.0], [23.0, 24.0, 25.0, 25.0, 25.0]]]]> : tensor<1x1x5x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0 = onnx.MaxPool.v22(%a0) {kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x5x5xf32>)
  return %r0 : tensor<1x1x5x5xf32>
}

func.func @maxpool_with_argmax_2d_precomputed_pads() -> (
    tensor<1x1x5x5xf32> {gensyn.expected = dense<[[[[13.0, 14.0, 15.0, 15.0, 15.0], [18.0, 19.0, 20.0, 20.0, 20.0], [23.0, 24.0, 25.0, 25.0, 25.0], [23.0, 24.0, 25.0, 25.0, 25.0], [23.0, 24.0, 25.0, 25.0, 25.0]]]]> : tensor<1x1x5x5xf32>},
    tensor<1x1x5x5xi64> {gensyn.expected = dense<[[[[12, 13, 14, 14, 14], [17, 18, 19, 19, 19], [22, 23, 24, 24, 24], [22, 23, 24, 24, 24], [22, 23, 24, 24, 24]]]]> : tensor<1x1x5x5xi64>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0:2 = onnx.MaxPool.v22(%a0) {kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x5x5xf32>, tensor<1x1x5x5xi64>)
  return %r0#0, %r0#1 : tensor<1x1x5x5xf32>, tensor<1x1x5x5xi64>
}

func.func @maxpool_2d_precomputed_strides() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[7.0, 9.0], [17.0, 19.0]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0 = onnx.MaxPool.v22(%a0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @maxpool_with_argmax_2d_precomputed_strides() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[7.0, 9.0], [17.0, 19.0]]]]> : tensor<1x1x2x2xf32>},
    tensor<1x1x2x2xi64> {gensyn.expected = dense<[[[[6, 16], [8, 18]]]]> : tensor<1x1x2x2xi64>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0:2 = onnx.MaxPool.v22(%a0) {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64, strides = array<i64: 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
  return %r0#0, %r0#1 : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>
}

func.func @maxpool_2d_precomputed_same_upper() -> (
    tensor<1x1x3x3xf32> {gensyn.expected = dense<[[[[7.0, 9.0, 10.0], [17.0, 19.0, 20.0], [22.0, 24.0, 25.0]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0, 25.0]]]]> : tensor<1x1x5x5xf32>
  %r0 = onnx.MaxPool.v22(%a0) {auto_pad = "SAME_UPPER", kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x1x5x5xf32>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @maxpool_2d_ceil() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[11.0, 12.0], [15.0, 16.0]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %r0 = onnx.MaxPool.v22(%a0) {ceil_mode = 1 : i64, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @maxpool_2d_ceil_output_size_reduce_by_one() -> (
    tensor<1x1x1x1xf32> {gensyn.expected = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %r0 = onnx.MaxPool.v22(%a0) {ceil_mode = 1 : i64, kernel_shape = array<i64: 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>) -> (tensor<1x1x1x1xf32>)
  return %r0 : tensor<1x1x1x1xf32>
}
