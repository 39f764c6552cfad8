// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @gridsample_zeros_padding() -> (
    tensor<1x1x2x4xf32> {test.expected = dense<[[[[0.0, 0.0, 1.7000000476837158, 0.0], [0.0, 1.7000000476837158, 0.0, 0.0]]]]> : tensor<1x1x2x4xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]]> : tensor<1x1x3x2xf32>
  %a1 = onnx.constant dense<[[[[-10.0, -10.0], [-5.0, -5.0], [-0.20000000298023224, -0.20000000298023224], [10.0, 10.0]], [[10.0, 10.0], [-0.20000000298023224, -0.20000000298023224], [5.0, 5.0], [10.0, 10.0]]]]> : tensor<1x2x4x2xf32>
  %r0 = onnx.GridSample.v22(%a0, %a1) {padding_mode = "zeros"} : (tensor<1x1x3x2xf32>, tensor<1x2x4x2xf32>) -> (tensor<1x1x2x4xf32>)
  return %r0 : tensor<1x1x2x4xf32>
}

func.func @gridsample_border_padding() -> (
    tensor<1x1x2x4xf32> {test.expected = dense<[[[[0.0, 0.0, 1.7000000476837158, 5.0], [5.0, 1.7000000476837158, 5.0, 5.0]]]]> : tensor<1x1x2x4xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]]> : tensor<1x1x3x2xf32>
  %a1 = onnx.constant dense<[[[[-10.0, -10.0], [-5.0, -5.0], [-0.20000000298023224, -0.20000000298023224], [10.0, 10.0]], [[10.0, 10.0], [-0.20000000298023224, -0.20000000298023224], [5.0, 5.0], [10.0, 10.0]]]]> : tensor<1x2x4x2xf32>
  %r0 = onnx.GridSample.v22(%a0, %a1) {padding_mode = "border"} : (tensor<1x1x3x2xf32>, tensor<1x2x4x2xf32>) -> (tensor<1x1x2x4xf32>)
  return %r0 : tensor<1x1x2x4xf32>
}

func.func @gridsample_reflection_padding() -> (
    tensor<1x1x2x4xf32> {test.expected = dense<[[[[2.5, 0.0, 1.7000000476837158, 2.5], [2.5, 1.7000000476837158, 5.0, 2.5]]]]> : tensor<1x1x2x4xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]]> : tensor<1x1x3x2xf32>
  %a1 = onnx.constant dense<[[[[-10.0, -10.0], [-5.0, -5.0], [-0.20000000298023224, -0.20000000298023224], [10.0, 10.0]], [[10.0, 10.0], [-0.20000000298023224, -0.20000000298023224], [5.0, 5.0], [10.0, 10.0]]]]> : tensor<1x2x4x2xf32>
  %r0 = onnx.GridSample.v22(%a0, %a1) {padding_mode = "reflection"} : (tensor<1x1x3x2xf32>, tensor<1x2x4x2xf32>) -> (tensor<1x1x2x4xf32>)
  return %r0 : tensor<1x1x2x4xf32>
}

func.func @gridsample_aligncorners_true() -> (
    tensor<1x1x2x4xf32> {test.expected = dense<[[[[0.0, 1.25, 2.0, 2.5], [2.5, 2.0, 3.75, 5.0]]]]> : tensor<1x1x2x4xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]]> : tensor<1x1x3x2xf32>
  %a1 = onnx.constant dense<[[[[-1.0, -1.0], [-0.5, -0.5], [-0.20000000298023224, -0.20000000298023224], [0.0, 0.0]], [[0.0, 0.0], [-0.20000000298023224, -0.20000000298023224], [0.5, 0.5], [1.0, 1.0]]]]> : tensor<1x2x4x2xf32>
  %r0 = onnx.GridSample.v22(%a0, %a1) {align_corners = 1 : i64, mode = "linear"} : (tensor<1x1x3x2xf32>, tensor<1x2x4x2xf32>) -> (tensor<1x1x2x4xf32>)
  return %r0 : tensor<1x1x2x4xf32>
}

func.func @gridsample_nearest() -> (
    tensor<1x1x2x4xf32> {test.expected = dense<[[[[0.0, 0.0, 2.0, 2.0], [2.0, 2.0, 5.0, 0.0]]]]> : tensor<1x1x2x4xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]]> : tensor<1x1x3x2xf32>
  %a1 = onnx.constant dense<[[[[-1.0, -1.0], [-0.5, -0.5], [-0.20000000298023224, -0.20000000298023224], [0.0, 0.0]], [[0.0, 0.0], [-0.20000000298023224, -0.20000000298023224], [0.5, 0.5], [1.0, 1.0]]]]> : tensor<1x2x4x2xf32>
  %r0 = onnx.GridSample.v22(%a0, %a1) {mode = "nearest"} : (tensor<1x1x3x2xf32>, tensor<1x2x4x2xf32>) -> (tensor<1x1x2x4xf32>)
  return %r0 : tensor<1x1x2x4xf32>
}

func.func @gridsample_bicubic() -> (
    tensor<1x1x2x4xf32> {test.expected = dense<[[[[-0.140625, 0.3828125, 1.7555530071258545, 2.96875], [2.96875, 1.7555530071258545, 5.14453125, 1.390625]]]]> : tensor<1x1x2x4xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]]> : tensor<1x1x3x2xf32>
  %a1 = onnx.constant dense<[[[[-1.0, -1.0], [-0.5, -0.5], [-0.20000000298023224, -0.20000000298023224], [0.0, 0.0]], [[0.0, 0.0], [-0.20000000298023224, -0.20000000298023224], [0.5, 0.5], [1.0, 1.0]]]]> : tensor<1x2x4x2xf32>
  %r0 = onnx.GridSample.v22(%a0, %a1) {mode = "cubic"} : (tensor<1x1x3x2xf32>, tensor<1x2x4x2xf32>) -> (tensor<1x1x2x4xf32>)
  return %r0 : tensor<1x1x2x4xf32>
}

func.func @gridsample_volumetric_bilinear_align_corners_0() -> (
    tensor<1x1x2x4x2xf32> {test.expected = dense<[[[[[0.125, 3.3999998569488525], [2.0, 0.44999998807907104], [4.700000286102295, 10.899999618530273], [6.5, 3.0]], [[6.5, 1.75], [4.700000286102295, 3.3000001907348633], [11.0, 2.520000457763672], [1.5, 5.489999771118164]]]]]> : tensor<1x1x2x4x2xf32>}) {
  %a0 = onnx.constant dense<[[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]]]> : tensor<1x1x3x2x2xf32>
  %a1 = onnx.constant dense<[[[[[-1.0, -1.0, -1.0], [-1.0, -0.5, 0.30000001192092896]], [[-0.5, -0.5, -0.5], [1.0, -0.6000000238418579, -1.0]], [[-0.20000000298023224, -0.20000000298023224, -0.20000000298023224], [0.4000000059604645, 0.20000000298023224, 0.6000000238418579]], [[0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]], [[[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]], [[-0.20000000298023224, -0.20000000298023224, -0.20000000298023224], [1.0, 0.4000000059604645, -0.20000000298023224]], [[0.5, 0.5, 0.5], [-1.0, -0.800000011920929, 0.800000011920929]], [[1.0, 1.0, 1.0], [0.4000000059604645, 0.6000000238418579, -0.30000001192092896]]]]]> : tensor<1x2x4x2x3xf32>
  %r0 = onnx.GridSample.v22(%a0, %a1) {align_corners = 0 : i64, mode = "linear"} : (tensor<1x1x3x2x2xf32>, tensor<1x2x4x2x3xf32>) -> (tensor<1x1x2x4x2xf32>)
  return %r0 : tensor<1x1x2x4x2xf32>
}

func.func @resize_upsample_scales_nearest() -> (
    tensor<1x1x4x6xf32> {test.expected = dense<[[[[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 4.0, 4.0, 4.0], [3.0, 3.0, 3.0, 4.0, 4.0, 4.0]]]]> : tensor<1x1x4x6xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %none = onnx.none
  %a2 = onnx.constant dense<[1.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %r0 = onnx.Resize.v19(%a0, %none, %a2) {mode = "nearest"} : (tensor<1x1x2x2xf32>, none, tensor<4xf32>) -> (tensor<1x1x4x6xf32>)
  return %r0 : tensor<1x1x4x6xf32>
}

func.func @resize_downsample_sizes_nearest() -> (
    tensor<1x1x1x3xf32> {test.expected = dense<[[[[1.0, 2.0, 4.0]]]]> : tensor<1x1x1x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]]> : tensor<1x1x2x4xf32>
  %none = onnx.none
  %a3 = onnx.constant dense<[1, 1, 1, 3]> : tensor<4xi64>
  %r0 = onnx.Resize.v19(%a0, %none, %none, %a3) {mode = "nearest"} : (tensor<1x1x2x4xf32>, none, none, tensor<4xi64>) -> (tensor<1x1x1x3xf32>)
  return %r0 : tensor<1x1x1x3xf32>
}

func.func @resize_upsample_scales_linear() -> (
    tensor<1x1x4x4xf32> {test.expected = dense<[[[[1.0, 1.25, 1.75, 2.0], [1.5, 1.75, 2.25, 2.5], [2.5, 2.75, 3.25, 3.5], [3.0, 3.25, 3.75, 4.0]]]]> : tensor<1x1x4x4xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %none = onnx.none
  %a2 = onnx.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %r0 = onnx.Resize.v19(%a0, %none, %a2) {mode = "linear"} : (tensor<1x1x2x2xf32>, none, tensor<4xf32>) -> (tensor<1x1x4x4xf32>)
  return %r0 : tensor<1x1x4x4xf32>
}

func.func @resize_downsample_scales_linear_align_corners() -> (
    tensor<1x1x1x2xf32> {test.expected = dense<[[[[1.0, 3.142857074737549]]]]> : tensor<1x1x1x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]]> : tensor<1x1x2x4xf32>
  %none = onnx.none
  %a2 = onnx.constant dense<[1.0, 1.0, 0.6000000238418579, 0.6000000238418579]> : tensor<4xf32>
  %r0 = onnx.Resize.v19(%a0, %none, %a2) {coordinate_transformation_mode = "align_corners", mode = "linear"} : (tensor<1x1x2x4xf32>, none, tensor<4xf32>) -> (tensor<1x1x1x2xf32>)
  return %r0 : tensor<1x1x1x2xf32>
}

func.func @resize_downsample_scales_cubic() -> (
    tensor<1x1x3x3xf32> {test.expected = dense<[[[[1.47119140625, 2.78125, 4.08251953125], [6.71142578125, 8.021484375, 9.32275390625], [11.91650390625, 13.226563453674316, 14.527831077575684]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %none = onnx.none
  %a2 = onnx.constant dense<[1.0, 1.0, 0.800000011920929, 0.800000011920929]> : tensor<4xf32>
  %r0 = onnx.Resize.v19(%a0, %none, %a2) {mode = "cubic"} : (tensor<1x1x4x4xf32>, none, tensor<4xf32>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @resize_downsample_scales_cubic_A_n0p5_exclude_outside() -> (
    tensor<1x1x3x3xf32> {test.expected = dense<[[[[1.368126630783081, 2.669501543045044, 4.013336658477783], [6.573625087738037, 7.875, 9.21883487701416], [11.948965072631836, 13.250340461730957, 14.594176292419434]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %none = onnx.none
  %a2 = onnx.constant dense<[1.0, 1.0, 0.800000011920929, 0.800000011920929]> : tensor<4xf32>
  %r0 = onnx.Resize.v19(%a0, %none, %a2) {cubic_coeff_a = -0.5 : f32, exclude_outside = 1 : i64, mode = "cubic"} : (tensor<1x1x4x4xf32>, none, tensor<4xf32>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @resize_tf_crop_and_resize_extrapolation_value() -> (
    tensor<1x1x3x3xf32> {test.expected = dense<[[[[7.599999904632568, 10.0, 10.0], [12.40000057220459, 10.0, 10.0], [10.0, 10.0, 10.0]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %a1 = onnx.constant dense<[0.0, 0.0, 0.4000000059604645, 0.6000000238418579, 1.0, 1.0, 1.2000000476837158, 1.7000000476837158]> : tensor<8xf32>
  %none = onnx.none
  %a3 = onnx.constant dense<[1, 1, 3, 3]> : tensor<4xi64>
  %r0 = onnx.Resize.v19(%a0, %a1, %none, %a3) {coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 10.0 : f32, mode = "linear"} : (tensor<1x1x4x4xf32>, tensor<8xf32>, none, tensor<4xi64>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @resize_tf_crop_and_resize_axes_3_2() -> (
    tensor<1x1x3x3xf32> {test.expected = dense<[[[[7.599999904632568, 7.900000095367432, 8.199999809265137], [8.800000190734863, 9.100000381469727, 9.399999618530273], [10.000000953674316, 10.30000114440918, 10.600000381469727]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %a1 = onnx.constant dense<[0.6000000238418579, 0.4000000059604645, 0.800000011920929, 0.6000000238418579]> : tensor<4xf32>
  %none = onnx.none
  %a3 = onnx.constant dense<3> : tensor<2xi64>
  %r0 = onnx.Resize.v19(%a0, %a1, %none, %a3) {axes = array<i64: 3, 2>, coordinate_transformation_mode = "tf_crop_and_resize", mode = "linear"} : (tensor<1x1x4x4xf32>, tensor<4xf32>, none, tensor<2xi64>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @resize_downsample_sizes_linear_pytorch_half_pixel() -> (
    tensor<1x1x3x1xf32> {test.expected = dense<[[[[1.6666666269302368], [7.0], [12.333333015441895]]]]> : tensor<1x1x3x1xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %none = onnx.none
  %a3 = onnx.constant dense<[1, 1, 3, 1]> : tensor<4xi64>
  %r0 = onnx.Resize.v19(%a0, %none, %none, %a3) {coordinate_transformation_mode = "pytorch_half_pixel", mode = "linear"} : (tensor<1x1x4x4xf32>, none, none, tensor<4xi64>) -> (tensor<1x1x3x1xf32>)
  return %r0 : tensor<1x1x3x1xf32>
}

func.func @resize_upsample_sizes_nearest_ceil_half_pixel() -> (
    tensor<1x1x8x8xf32> {test.expected = dense<[[[[1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0], [5.0, 6.0, 6.0, 7.0, 7.0, 8.0, 8.0, 8.0], [5.0, 6.0, 6.0, 7.0, 7.0, 8.0, 8.0, 8.0], [9.0, 10.0, 10.0, 11.0, 11.0, 12.0, 12.0, 12.0], [9.0, 10.0, 10.0, 11.0, 11.0, 12.0, 12.0, 12.0], [13.0, 14.0, 14.0, 15.0, 15.0, 16.0, 16.0, 16.0], [13.0, 14.0, 14.0, 15.0, 15.0, 16.0, 16.0, 16.0], [13.0, 14.0, 14.0, 15.0, 15.0, 16.0, 16.0, 16.0]]]]> : tensor<1x1x8x8xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %none = onnx.none
  %a3 = onnx.constant dense<[1, 1, 8, 8]> : tensor<4xi64>
  %r0 = onnx.Resize.v19(%a0, %none, %none, %a3) {coordinate_transformation_mode = "half_pixel", mode = "nearest", nearest_mode = "ceil"} : (tensor<1x1x4x4xf32>, none, none, tensor<4xi64>) -> (tensor<1x1x8x8xf32>)
  return %r0 : tensor<1x1x8x8xf32>
}

func.func @resize_downsample_scales_linear_antialias() -> (
    tensor<1x1x2x2xf32> {test.expected = dense<[[[[2.875, 4.5], [9.375, 11.0]]]]> : tensor<1x1x2x2xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %none = onnx.none
  %a2 = onnx.constant dense<[1.0, 1.0, 0.6000000238418579, 0.6000000238418579]> : tensor<4xf32>
  %r0 = onnx.Resize.v19(%a0, %none, %a2) {antialias = 1 : i64, mode = "linear"} : (tensor<1x1x4x4xf32>, none, tensor<4xf32>) -> (tensor<1x1x2x2xf32>)
  return %r0 : tensor<1x1x2x2xf32>
}

func.func @resize_downsample_sizes_cubic_antialias() -> (
    tensor<1x1x3x3xf32> {test.expected = dense<[[[[1.7750087976455688, 3.120007276535034, 4.465005397796631], [7.155001640319824, 8.5, 9.84499740600586], [12.534993171691895, 13.879993438720703, 15.224989891052246]]]]> : tensor<1x1x3x3xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x1x4x4xf32>
  %none = onnx.none
  %a3 = onnx.constant dense<[1, 1, 3, 3]> : tensor<4xi64>
  %r0 = onnx.Resize.v19(%a0, %none, %none, %a3) {antialias = 1 : i64, mode = "cubic"} : (tensor<1x1x4x4xf32>, none, none, tensor<4xi64>) -> (tensor<1x1x3x3xf32>)
  return %r0 : tensor<1x1x3x3xf32>
}

func.func @resize_upsample_sizes_nearest_not_larger() -> (
    tensor<1x1x7x7xf32> {test.expected = dense<[[[[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0], [3.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0], [3.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0]]]]> : tensor<1x1x7x7xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %none = onnx.none
  %a3 = onnx.constant dense<[7, 8]> : tensor<2xi64>
  %r0 = onnx.Resize.v19(%a0, %none, %none, %a3) {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger", mode = "nearest"} : (tensor<1x1x2x2xf32>, none, none, tensor<2xi64>) -> (tensor<1x1x7x7xf32>)
  return %r0 : tensor<1x1x7x7xf32>
}

func.func @resize_upsample_scales_linear_half_pixel_symmetric() -> (
    tensor<1x1x4x5xf32> {test.expected = dense<[[[[1.0, 1.1598639488220215, 1.5, 1.8401360511779785, 2.0], [1.56521737575531, 1.7250813245773315, 2.0652174949645996, 2.405353546142578, 2.5652174949645996], [2.4347825050354004, 2.594646453857422, 2.9347825050354004, 3.274918556213379, 3.4347825050354004], [3.0, 3.1598639488220215, 3.5, 3.8401360511779785, 4.0]]]]> : tensor<1x1x4x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %none = onnx.none
  %a2 = onnx.constant dense<[1.0, 1.0, 2.299999952316284, 2.940000057220459]> : tensor<4xf32>
  %r0 = onnx.Resize.v19(%a0, %none, %a2) {coordinate_transformation_mode = "half_pixel_symmetric", mode = "linear"} : (tensor<1x1x2x2xf32>, none, tensor<4xf32>) -> (tensor<1x1x4x5xf32>)
  return %r0 : tensor<1x1x4x5xf32>
}

func.func @upsample_nearest() -> (
    tensor<1x1x4x6xf32> {test.expected = dense<[[[[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 4.0, 4.0, 4.0], [3.0, 3.0, 3.0, 4.0, 4.0, 4.0]]]]> : tensor<1x1x4x6xf32>}) {
  %a0 = onnx.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %a1 = onnx.constant dense<[1.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %r0 = onnx.Upsample.v9(%a0, %a1) {mode = "nearest"} : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> (tensor<1x1x4x6xf32>)
  return %r0 : tensor<1x1x4x6xf32>
}
