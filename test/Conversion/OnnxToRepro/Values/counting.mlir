// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-51: as expected
// CHECK-NOT: {{.}}

// ONNX's node tests of operators whose result has a size that depends on data,
// or that are rare. Integers are ONNX's own; floats are exact.

func.func @basic_deform_conv_with_padding() -> (
    tensor<1x1x4x4xf32> {gensyn.expected = dense<[[[[0.0, 1.0, 3.0, 2.0], [3.0, 8.0, 11.899999618530273, 7.0], [9.0, 20.0, 24.0, 13.0], [6.0, 13.0, 15.0, 8.0]]]]> : tensor<1x1x4x4xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]]]> : tensor<1x1x3x3xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0], [1.0, 1.0]]]]> : tensor<1x1x2x2xf32>
  %a2 = onnx.constant dense<[[[[0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, -0.10000000149011612, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x8x4x4xf32>
  %r = onnx.DeformConv.v22(%a0, %a1, %a2) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %r : tensor<1x1x4x4xf32>
}

func.func @compress_0() -> (
    tensor<2x2xf32> {gensyn.expected = dense<[[3.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %a1 = onnx.constant dense<[false, true, true]> : tensor<3xi1>
  %r = onnx.Compress.v28(%a0, %a1) {axis = 0 : i64} : (tensor<3x2xf32>, tensor<3xi1>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @compress_1() -> (
    tensor<3x1xf32> {gensyn.expected = dense<[[2.0], [4.0], [6.0]]> : tensor<3x1xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %a1 = onnx.constant dense<[false, true]> : tensor<2xi1>
  %r = onnx.Compress.v28(%a0, %a1) {axis = 1 : i64} : (tensor<3x2xf32>, tensor<2xi1>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

func.func @compress_default_axis() -> (
    tensor<2xf32> {gensyn.expected = dense<[2.0, 5.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %a1 = onnx.constant dense<[false, true, false, false, true]> : tensor<5xi1>
  %r = onnx.Compress.v28(%a0, %a1) : (tensor<3x2xf32>, tensor<5xi1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @compress_negative_axis() -> (
    tensor<3x1xf32> {gensyn.expected = dense<[[2.0], [4.0], [6.0]]> : tensor<3x1xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %a1 = onnx.constant dense<[false, true]> : tensor<2xi1>
  %r = onnx.Compress.v28(%a0, %a1) {axis = -1 : i64} : (tensor<3x2xf32>, tensor<2xi1>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

func.func @deform_conv_with_mask_bias() -> (
    tensor<1x1x2x2xf32> {gensyn.expected = dense<[[[[10.5, 12.899999618530273], [21.0, 19.399999618530273]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]]]> : tensor<1x1x3x3xf32>
  %a1 = onnx.constant dense<[[[[1.0, 1.0], [1.0, 1.0]]]]> : tensor<1x1x2x2xf32>
  %a2 = onnx.constant dense<[[[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [[0.0, -0.10000000149011612], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<1x8x2x2xf32>
  %a3 = onnx.constant dense<[1.0]> : tensor<1xf32>
  %a4 = onnx.constant dense<[[[[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 0.20000000298023224]], [[1.0, 1.0], [1.0, 1.0]]]]> : tensor<1x4x2x2xf32>
  %r = onnx.DeformConv.v22(%a0, %a1, %a2, %a3, %a4) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>, tensor<1xf32>, tensor<1x4x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

func.func @det_2d() -> (
    tensor<f32> {gensyn.expected = dense<-2.0> : tensor<f32>}) {
  %a0 = onnx.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %r = onnx.Det.v22(%a0) : (tensor<2x2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// ONNX's own result for the first is -2.0, computed in f64; elimination in f32 divides by the pivot
// 3.
func.func @det_nd() -> (
    tensor<3xf32> {gensyn.expected = dense<[0xBFFFFFFF, -3.0, -8.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 3.0], [3.0, 1.0]]]> : tensor<3x2x2xf32>
  %r = onnx.Det.v22(%a0) : (tensor<3x2x2xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @nonmaxsuppression_center_point_box_format() -> (
    tensor<3x3xi64> {gensyn.expected = dense<[[0, 0, 3], [0, 0, 0], [0, 0, 5]]> : tensor<3x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.5, 0.5, 1.0, 1.0], [0.5, 0.6000000238418579, 1.0, 1.0], [0.5, 0.4000000059604645, 1.0, 1.0], [0.5, 10.5, 1.0, 1.0], [0.5, 10.600000381469727, 1.0, 1.0], [0.5, 100.5, 1.0, 1.0]]]> : tensor<1x6x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]]]> : tensor<1x1x6xf32>
  %a2 = onnx.constant dense<[3]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) {center_point_box = 1 : i64} : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

func.func @nonmaxsuppression_flipped_coordinates() -> (
    tensor<3x3xi64> {gensyn.expected = dense<[[0, 0, 3], [0, 0, 0], [0, 0, 5]]> : tensor<3x3xi64>}) {
  %a0 = onnx.constant dense<[[[1.0, 1.0, 0.0, 0.0], [0.0, 0.10000000149011612, 1.0, 1.100000023841858], [0.0, 0.8999999761581421, 1.0, -0.10000000149011612], [0.0, 10.0, 1.0, 11.0], [1.0, 10.100000381469727, 0.0, 11.100000381469727], [1.0, 101.0, 0.0, 100.0]]]> : tensor<1x6x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]]]> : tensor<1x1x6xf32>
  %a2 = onnx.constant dense<[3]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

func.func @nonmaxsuppression_identical_boxes() -> (
    tensor<1x3xi64> {gensyn.expected = dense<[[0, 0, 0]]> : tensor<1x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]]]> : tensor<1x10x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.8999999761581421, 0.8999999761581421, 0.8999999761581421, 0.8999999761581421, 0.8999999761581421, 0.8999999761581421, 0.8999999761581421, 0.8999999761581421, 0.8999999761581421]]]> : tensor<1x1x10xf32>
  %a2 = onnx.constant dense<[3]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x10x4xf32>, tensor<1x1x10xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3xi64>
  return %r : tensor<1x3xi64>
}

func.func @nonmaxsuppression_iou_threshold_boundary() -> (
    tensor<2x3xi64> {gensyn.expected = dense<[[0, 0, 0], [0, 0, 1]]> : tensor<2x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0], [0.5, 0.5, 1.5, 1.5]]]> : tensor<1x2x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.800000011920929]]]> : tensor<1x1x2xf32>
  %a2 = onnx.constant dense<[3]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.1428571492433548]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x2x4xf32>, tensor<1x1x2xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

func.func @nonmaxsuppression_limit_output_size() -> (
    tensor<2x3xi64> {gensyn.expected = dense<[[0, 0, 3], [0, 0, 0]]> : tensor<2x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0], [0.0, 0.10000000149011612, 1.0, 1.100000023841858], [0.0, -0.10000000149011612, 1.0, 0.8999999761581421], [0.0, 10.0, 1.0, 11.0], [0.0, 10.100000381469727, 1.0, 11.100000381469727], [0.0, 100.0, 1.0, 101.0]]]> : tensor<1x6x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]]]> : tensor<1x1x6xf32>
  %a2 = onnx.constant dense<[2]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

func.func @nonmaxsuppression_single_box() -> (
    tensor<1x3xi64> {gensyn.expected = dense<[[0, 0, 0]]> : tensor<1x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0]]]> : tensor<1x1x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421]]]> : tensor<1x1x1xf32>
  %a2 = onnx.constant dense<[3]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3xi64>
  return %r : tensor<1x3xi64>
}

func.func @nonmaxsuppression_suppress_by_IOU() -> (
    tensor<3x3xi64> {gensyn.expected = dense<[[0, 0, 3], [0, 0, 0], [0, 0, 5]]> : tensor<3x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0], [0.0, 0.10000000149011612, 1.0, 1.100000023841858], [0.0, -0.10000000149011612, 1.0, 0.8999999761581421], [0.0, 10.0, 1.0, 11.0], [0.0, 10.100000381469727, 1.0, 11.100000381469727], [0.0, 100.0, 1.0, 101.0]]]> : tensor<1x6x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]]]> : tensor<1x1x6xf32>
  %a2 = onnx.constant dense<[3]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

func.func @nonmaxsuppression_suppress_by_IOU_and_scores() -> (
    tensor<2x3xi64> {gensyn.expected = dense<[[0, 0, 3], [0, 0, 0]]> : tensor<2x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0], [0.0, 0.10000000149011612, 1.0, 1.100000023841858], [0.0, -0.10000000149011612, 1.0, 0.8999999761581421], [0.0, 10.0, 1.0, 11.0], [0.0, 10.100000381469727, 1.0, 11.100000381469727], [0.0, 100.0, 1.0, 101.0]]]> : tensor<1x6x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]]]> : tensor<1x1x6xf32>
  %a2 = onnx.constant dense<[3]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.4000000059604645]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

func.func @nonmaxsuppression_two_batches() -> (
    tensor<4x3xi64> {gensyn.expected = dense<[[0, 0, 3], [0, 0, 0], [1, 0, 3], [1, 0, 0]]> : tensor<4x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0], [0.0, 0.10000000149011612, 1.0, 1.100000023841858], [0.0, -0.10000000149011612, 1.0, 0.8999999761581421], [0.0, 10.0, 1.0, 11.0], [0.0, 10.100000381469727, 1.0, 11.100000381469727], [0.0, 100.0, 1.0, 101.0]], [[0.0, 0.0, 1.0, 1.0], [0.0, 0.10000000149011612, 1.0, 1.100000023841858], [0.0, -0.10000000149011612, 1.0, 0.8999999761581421], [0.0, 10.0, 1.0, 11.0], [0.0, 10.100000381469727, 1.0, 11.100000381469727], [0.0, 100.0, 1.0, 101.0]]]> : tensor<2x6x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]], [[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]]]> : tensor<2x1x6xf32>
  %a2 = onnx.constant dense<[2]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<2x6x4xf32>, tensor<2x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x3xi64>
  return %r : tensor<4x3xi64>
}

func.func @nonmaxsuppression_two_classes() -> (
    tensor<4x3xi64> {gensyn.expected = dense<[[0, 0, 3], [0, 0, 0], [0, 1, 3], [0, 1, 0]]> : tensor<4x3xi64>}) {
  %a0 = onnx.constant dense<[[[0.0, 0.0, 1.0, 1.0], [0.0, 0.10000000149011612, 1.0, 1.100000023841858], [0.0, -0.10000000149011612, 1.0, 0.8999999761581421], [0.0, 10.0, 1.0, 11.0], [0.0, 10.100000381469727, 1.0, 11.100000381469727], [0.0, 100.0, 1.0, 101.0]]]> : tensor<1x6x4xf32>
  %a1 = onnx.constant dense<[[[0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896], [0.8999999761581421, 0.75, 0.6000000238418579, 0.949999988079071, 0.5, 0.30000001192092896]]]> : tensor<1x2x6xf32>
  %a2 = onnx.constant dense<[2]> : tensor<1xi64>
  %a3 = onnx.constant dense<[0.5]> : tensor<1xf32>
  %a4 = onnx.constant dense<[0.0]> : tensor<1xf32>
  %r = onnx.NonMaxSuppression.v11(%a0, %a1, %a2, %a3, %a4) : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x3xi64>
  return %r : tensor<4x3xi64>
}

func.func @nonzero_example() -> (
    tensor<2x3xi64> {gensyn.expected = dense<[[0, 1, 1], [0, 0, 1]]> : tensor<2x3xi64>}) {
  %a0 = onnx.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %r = onnx.NonZero.v13(%a0) : (tensor<2x2xi1>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

func.func @tfidfvectorizer_tf_batch_onlybigrams_skip0() -> (
    tensor<2x7xf32> {gensyn.expected = dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0]]> : tensor<2x7xf32>}) {
  %a0 = onnx.constant dense<[[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8]]> : tensor<2x6xi32>
  %r = onnx.TfIdfVectorizer.v9(%a0) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 2 : i64, mode = "TF", ngram_counts = array<i64: 0, 4>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5, 6>, pool_int64s = array<i64: 2, 3, 5, 4, 5, 6, 7, 8, 6, 7>} : (tensor<2x6xi32>) -> tensor<2x7xf32>
  return %r : tensor<2x7xf32>
}

func.func @tfidfvectorizer_tf_batch_onlybigrams_skip5() -> (
    tensor<2x7xf32> {gensyn.expected = dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]]> : tensor<2x7xf32>}) {
  %a0 = onnx.constant dense<[[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8]]> : tensor<2x6xi32>
  %r = onnx.TfIdfVectorizer.v9(%a0) {max_gram_length = 2 : i64, max_skip_count = 5 : i64, min_gram_length = 2 : i64, mode = "TF", ngram_counts = array<i64: 0, 4>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5, 6>, pool_int64s = array<i64: 2, 3, 5, 4, 5, 6, 7, 8, 6, 7>} : (tensor<2x6xi32>) -> tensor<2x7xf32>
  return %r : tensor<2x7xf32>
}

func.func @tfidfvectorizer_tf_batch_uniandbigrams_skip5() -> (
    tensor<2x7xf32> {gensyn.expected = dense<[[0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0]]> : tensor<2x7xf32>}) {
  %a0 = onnx.constant dense<[[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8]]> : tensor<2x6xi32>
  %r = onnx.TfIdfVectorizer.v9(%a0) {max_gram_length = 2 : i64, max_skip_count = 5 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 4>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5, 6>, pool_int64s = array<i64: 2, 3, 5, 4, 5, 6, 7, 8, 6, 7>} : (tensor<2x6xi32>) -> tensor<2x7xf32>
  return %r : tensor<2x7xf32>
}

func.func @tfidfvectorizer_tf_only_bigrams_skip0() -> (
    tensor<7xf32> {gensyn.expected = dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]> : tensor<7xf32>}) {
  %a0 = onnx.constant dense<[1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8]> : tensor<12xi32>
  %r = onnx.TfIdfVectorizer.v9(%a0) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 2 : i64, mode = "TF", ngram_counts = array<i64: 0, 4>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5, 6>, pool_int64s = array<i64: 2, 3, 5, 4, 5, 6, 7, 8, 6, 7>} : (tensor<12xi32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @tfidfvectorizer_tf_onlybigrams_levelempty() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.0, 1.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8]> : tensor<12xi32>
  %r = onnx.TfIdfVectorizer.v9(%a0) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 2 : i64, mode = "TF", ngram_counts = array<i64: 0, 0>, ngram_indexes = array<i64: 0, 1, 2>, pool_int64s = array<i64: 5, 6, 7, 8, 6, 7>} : (tensor<12xi32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @tfidfvectorizer_tf_onlybigrams_skip5() -> (
    tensor<7xf32> {gensyn.expected = dense<[0.0, 0.0, 0.0, 0.0, 1.0, 3.0, 1.0]> : tensor<7xf32>}) {
  %a0 = onnx.constant dense<[1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8]> : tensor<12xi32>
  %r = onnx.TfIdfVectorizer.v9(%a0) {max_gram_length = 2 : i64, max_skip_count = 5 : i64, min_gram_length = 2 : i64, mode = "TF", ngram_counts = array<i64: 0, 4>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5, 6>, pool_int64s = array<i64: 2, 3, 5, 4, 5, 6, 7, 8, 6, 7>} : (tensor<12xi32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @tfidfvectorizer_tf_uniandbigrams_skip5() -> (
    tensor<7xf32> {gensyn.expected = dense<[0.0, 3.0, 1.0, 0.0, 1.0, 3.0, 1.0]> : tensor<7xf32>}) {
  %a0 = onnx.constant dense<[1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8]> : tensor<12xi32>
  %r = onnx.TfIdfVectorizer.v9(%a0) {max_gram_length = 2 : i64, max_skip_count = 5 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 4>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5, 6>, pool_int64s = array<i64: 2, 3, 5, 4, 5, 6, 7, 8, 6, 7>} : (tensor<12xi32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @unique_length_1() -> (
    tensor<1xi64> {gensyn.expected = dense<[0]> : tensor<1xi64>},
    tensor<1xi64> {gensyn.expected = dense<[0]> : tensor<1xi64>},
    tensor<1xi64> {gensyn.expected = dense<[0]> : tensor<1xi64>},
    tensor<1xi64> {gensyn.expected = dense<[1]> : tensor<1xi64>}) {
  %a0 = onnx.constant dense<[0]> : tensor<1xi64>
  %r:4 = onnx.Unique.v28(%a0) {sorted = 1 : i64} : (tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>
}

func.func @unique_not_sorted_without_axis() -> (
    tensor<4xf32> {gensyn.expected = dense<[2.0, 1.0, 3.0, 4.0]> : tensor<4xf32>},
    tensor<4xi64> {gensyn.expected = dense<[0, 1, 3, 4]> : tensor<4xi64>},
    tensor<6xi64> {gensyn.expected = dense<[0, 1, 1, 2, 3, 2]> : tensor<6xi64>},
    tensor<4xi64> {gensyn.expected = dense<[1, 2, 2, 1]> : tensor<4xi64>}) {
  %a0 = onnx.constant dense<[2.0, 1.0, 1.0, 3.0, 4.0, 3.0]> : tensor<6xf32>
  %r:4 = onnx.Unique.v28(%a0) {sorted = 0 : i64} : (tensor<6xf32>) -> (tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>
}

func.func @unique_sorted_with_axis() -> (
    tensor<2x3xf32> {gensyn.expected = dense<[[1.0, 0.0, 0.0], [2.0, 3.0, 4.0]]> : tensor<2x3xf32>},
    tensor<2xi64> {gensyn.expected = dense<[0, 2]> : tensor<2xi64>},
    tensor<3xi64> {gensyn.expected = dense<[0, 0, 1]> : tensor<3xi64>},
    tensor<2xi64> {gensyn.expected = dense<[2, 1]> : tensor<2xi64>}) {
  %a0 = onnx.constant dense<[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 3.0, 4.0]]> : tensor<3x3xf32>
  %r:4 = onnx.Unique.v28(%a0) {axis = 0 : i64, sorted = 1 : i64} : (tensor<3x3xf32>) -> (tensor<2x3xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<2x3xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>
}

func.func @unique_sorted_with_axis_3d() -> (
    tensor<2x3x2xf32> {gensyn.expected = dense<[[[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]]> : tensor<2x3x2xf32>},
    tensor<3xi64> {gensyn.expected = dense<[1, 0, 2]> : tensor<3xi64>},
    tensor<4xi64> {gensyn.expected = dense<[1, 0, 2, 0]> : tensor<4xi64>},
    tensor<3xi64> {gensyn.expected = dense<[2, 1, 1]> : tensor<3xi64>}) {
  %a0 = onnx.constant dense<[[[1.0, 1.0], [0.0, 1.0], [2.0, 1.0], [0.0, 1.0]], [[1.0, 1.0], [0.0, 1.0], [2.0, 1.0], [0.0, 1.0]]]> : tensor<2x4x2xf32>
  %r:4 = onnx.Unique.v28(%a0) {axis = 1 : i64, sorted = 1 : i64} : (tensor<2x4x2xf32>) -> (tensor<2x3x2xf32>, tensor<3xi64>, tensor<4xi64>, tensor<3xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<2x3x2xf32>, tensor<3xi64>, tensor<4xi64>, tensor<3xi64>
}

func.func @unique_sorted_with_negative_axis() -> (
    tensor<3x2xf32> {gensyn.expected = dense<[[0.0, 1.0], [0.0, 1.0], [3.0, 2.0]]> : tensor<3x2xf32>},
    tensor<2xi64> {gensyn.expected = dense<[1, 0]> : tensor<2xi64>},
    tensor<3xi64> {gensyn.expected = dense<[1, 0, 0]> : tensor<3xi64>},
    tensor<2xi64> {gensyn.expected = dense<[2, 1]> : tensor<2xi64>}) {
  %a0 = onnx.constant dense<[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 3.0, 3.0]]> : tensor<3x3xf32>
  %r:4 = onnx.Unique.v28(%a0) {axis = -1 : i64, sorted = 1 : i64} : (tensor<3x3xf32>) -> (tensor<3x2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<3x2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>
}

func.func @unique_sorted_without_axis() -> (
    tensor<4xf32> {gensyn.expected = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>},
    tensor<4xi64> {gensyn.expected = dense<[1, 0, 3, 4]> : tensor<4xi64>},
    tensor<6xi64> {gensyn.expected = dense<[1, 0, 0, 2, 3, 2]> : tensor<6xi64>},
    tensor<4xi64> {gensyn.expected = dense<[2, 1, 2, 1]> : tensor<4xi64>}) {
  %a0 = onnx.constant dense<[2.0, 1.0, 1.0, 3.0, 4.0, 3.0]> : tensor<6xf32>
  %r:4 = onnx.Unique.v28(%a0) : (tensor<6xf32>) -> (tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>
}

// By hand: all of the image, one element of it, outside of it.
func.func @max_roi_pool() -> (
    tensor<3x1x2x2xf32> {gensyn.expected = dense<[[[[5.0, 7.0], [13.0, 15.0]]], [[[5.0, 5.0], [5.0, 5.0]]], [[[0.0, 0.0], [0.0, 0.0]]]]> : tensor<3x1x2x2xf32>}) {
  %x = onnx.constant dense<[[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]]]> : tensor<1x1x4x4xf32>
  %rois = onnx.constant dense<[[0.0, 0.0, 0.0, 3.0, 3.0], [0.0, 1.0, 1.0, 1.0, 1.0], [0.0, 6.0, 6.0, 7.0, 7.0]]> : tensor<3x5xf32>
  %r = onnx.MaxRoiPool.v22(%x, %rois) {pooled_shape = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>, tensor<3x5xf32>) -> tensor<3x1x2x2xf32>
  return %r : tensor<3x1x2x2xf32>
}
