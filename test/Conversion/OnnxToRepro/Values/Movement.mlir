// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-38: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @concat_1d_axis_0() -> (
    tensor<4xf32> {gensyn.expected = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a1 = onnx.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r0 = onnx.Concat.v13(%a0, %a1) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>)
  return %r0 : tensor<4xf32>
}

func.func @concat_1d_axis_negative_1() -> (
    tensor<4xf32> {gensyn.expected = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a1 = onnx.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r0 = onnx.Concat.v13(%a0, %a1) {axis = -1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>)
  return %r0 : tensor<4xf32>
}

func.func @constantofshape_float_ones() -> (
    tensor<4x3x2xf32> {gensyn.expected = dense<[[[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]]> : tensor<4x3x2xf32>}) {
  %c0 = onnx.constant dense<[4,3,2]> : tensor<3xi64>
  %r0 = onnx.ConstantOfShape.v25(%c0) {value = dense<"0x0000803F"> : tensor<1xf32>} : (tensor<3xi64>) -> (tensor<4x3x2xf32>)
  return %r0 : tensor<4x3x2xf32>
}

func.func @constantofshape_int_zeros() -> (
    tensor<10x6xi32> {gensyn.expected = dense<[[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]> : tensor<10x6xi32>}) {
  %c0 = onnx.constant dense<[10,6]> : tensor<2xi64>
  %r0 = onnx.ConstantOfShape.v25(%c0) {value = dense<[0]> : tensor<1xi32>} : (tensor<2xi64>) -> (tensor<10x6xi32>)
  return %r0 : tensor<10x6xi32>
}

func.func @depthtospace_example() -> (
    tensor<1x2x4x6xf32> {gensyn.expected = dense<[[[[0.0, 18.0, 1.0, 19.0, 2.0, 20.0], [36.0, 54.0, 37.0, 55.0, 38.0, 56.0], [3.0, 21.0, 4.0, 22.0, 5.0, 23.0], [39.0, 57.0, 40.0, 58.0, 41.0, 59.0]], [[9.0, 27.0, 10.0, 28.0, 11.0, 29.0], [45.0, 63.0, 46.0, 64.0, 47.0, 65.0], [12.0, 30.0, 13.0, 31.0, 14.0, 32.0], [48.0, 66.0, 49.0, 67.0, 50.0, 68.0]]]]> : tensor<1x2x4x6xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[9.0, 10.0, 11.0], [12.0, 13.0, 14.0]], [[18.0, 19.0, 20.0], [21.0, 22.0, 23.0]], [[27.0, 28.0, 29.0], [30.0, 31.0, 32.0]], [[36.0, 37.0, 38.0], [39.0, 40.0, 41.0]], [[45.0, 46.0, 47.0], [48.0, 49.0, 50.0]], [[54.0, 55.0, 56.0], [57.0, 58.0, 59.0]], [[63.0, 64.0, 65.0], [66.0, 67.0, 68.0]]]]> : tensor<1x8x2x3xf32>
  %r0 = onnx.DepthToSpace.v28(%a0) {blocksize = 2 : i64, mode = "DCR"} : (tensor<1x8x2x3xf32>) -> (tensor<1x2x4x6xf32>)
  return %r0 : tensor<1x2x4x6xf32>
}

func.func @depthtospace_crd_mode_example() -> (
    tensor<1x2x4x6xf32> {gensyn.expected = dense<[[[[0.0, 9.0, 1.0, 10.0, 2.0, 11.0], [18.0, 27.0, 19.0, 28.0, 20.0, 29.0], [3.0, 12.0, 4.0, 13.0, 5.0, 14.0], [21.0, 30.0, 22.0, 31.0, 23.0, 32.0]], [[36.0, 45.0, 37.0, 46.0, 38.0, 47.0], [54.0, 63.0, 55.0, 64.0, 56.0, 65.0], [39.0, 48.0, 40.0, 49.0, 41.0, 50.0], [57.0, 66.0, 58.0, 67.0, 59.0, 68.0]]]]> : tensor<1x2x4x6xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[9.0, 10.0, 11.0], [12.0, 13.0, 14.0]], [[18.0, 19.0, 20.0], [21.0, 22.0, 23.0]], [[27.0, 28.0, 29.0], [30.0, 31.0, 32.0]], [[36.0, 37.0, 38.0], [39.0, 40.0, 41.0]], [[45.0, 46.0, 47.0], [48.0, 49.0, 50.0]], [[54.0, 55.0, 56.0], [57.0, 58.0, 59.0]], [[63.0, 64.0, 65.0], [66.0, 67.0, 68.0]]]]> : tensor<1x8x2x3xf32>
  %r0 = onnx.DepthToSpace.v28(%a0) {blocksize = 2 : i64, mode = "CRD"} : (tensor<1x8x2x3xf32>) -> (tensor<1x2x4x6xf32>)
  return %r0 : tensor<1x2x4x6xf32>
}

func.func @expand_dim_changed() -> (
    tensor<2x3x6xf32> {gensyn.expected = dense<[[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0, 3.0, 3.0]], [[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0, 3.0, 3.0]]]> : tensor<2x3x6xf32>}) {
  %a0 = onnx.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %c1 = onnx.constant dense<[2,1,6]> : tensor<3xi64>
  %r0 = onnx.Expand.v13(%a0, %c1) : (tensor<3x1xf32>, tensor<3xi64>) -> (tensor<2x3x6xf32>)
  return %r0 : tensor<2x3x6xf32>
}

func.func @expand_dim_unchanged() -> (
    tensor<3x4xf32> {gensyn.expected = dense<[[1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0]]> : tensor<3x4xf32>}) {
  %a0 = onnx.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %c1 = onnx.constant dense<[3,4]> : tensor<2xi64>
  %r0 = onnx.Expand.v13(%a0, %c1) : (tensor<3x1xf32>, tensor<2xi64>) -> (tensor<3x4xf32>)
  return %r0 : tensor<3x4xf32>
}

func.func @eyelike_without_dtype() -> (
    tensor<4x4xi32> {gensyn.expected = dense<[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]> : tensor<4x4xi32>}) {
  %a0 = onnx.constant dense<[[44, 47, 64, 67], [67, 9, 83, 21], [36, 87, 70, 88], [88, 12, 58, 65]]> : tensor<4x4xi32>
  %r0 = onnx.EyeLike.v22(%a0) : (tensor<4x4xi32>) -> (tensor<4x4xi32>)
  return %r0 : tensor<4x4xi32>
}

func.func @eyelike_with_dtype() -> (
    tensor<3x4xf64> {gensyn.expected = dense<[[0x3FF0000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000], [0x0000000000000000, 0x3FF0000000000000, 0x0000000000000000, 0x0000000000000000], [0x0000000000000000, 0x0000000000000000, 0x3FF0000000000000, 0x0000000000000000]]> : tensor<3x4xf64>}) {
  %a0 = onnx.constant dense<[[44, 47, 64, 67], [67, 9, 83, 21], [36, 87, 70, 88]]> : tensor<3x4xi32>
  %r0 = onnx.EyeLike.v22(%a0) {dtype = 11 : i64} : (tensor<3x4xi32>) -> (tensor<3x4xf64>)
  return %r0 : tensor<3x4xf64>
}

func.func @gather_2d_indices() -> (
    tensor<3x1x2xf32> {gensyn.expected = dense<[[[1.7640524, 0.978738]], [[2.2408931, 0xBF7A2EE2]], [[0x3F7338FF, 0xBDD36468]]]> : tensor<3x1x2xf32>}) {
  %a0 = onnx.constant dense<[[1.7640524, 0.4001572, 0.978738], [2.2408931, 1.867558, 0xBF7A2EE2], [0x3F7338FF, 0xBE1AFD62, 0xBDD36468]]> : tensor<3x3xf32>
  %c1 = onnx.constant dense<[[0,2]]> : tensor<1x2xi64>
  %r0 = onnx.Gather.v13(%a0, %c1) {axis = 1 : i64} : (tensor<3x3xf32>, tensor<1x2xi64>) -> (tensor<3x1x2xf32>)
  return %r0 : tensor<3x1x2xf32>
}

func.func @gather_negative_indices() -> (
    tensor<3xf32> {gensyn.expected = dense<[0.0, 1.0, 0.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<10xf32>
  %c1 = onnx.constant dense<[0,-9,-10]> : tensor<3xi64>
  %r0 = onnx.Gather.v13(%a0, %c1) {axis = 0 : i64} : (tensor<10xf32>, tensor<3xi64>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @onehot_without_axis() -> (
    tensor<3x12xi32> {gensyn.expected = dense<[[5, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2, 2, 5, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2, 2, 2, 5, 2, 2, 2]]> : tensor<3x12xi32>}) {
  %a0 = onnx.constant dense<[0, 7, 8]> : tensor<3xi64>
  %a2 = onnx.constant dense<[2, 5]> : tensor<2xi32>
  %c1 = onnx.constant dense<0x41400000> : tensor<f32>
  %r0 = onnx.OneHot.v28(%a0, %c1, %a2) : (tensor<3xi64>, tensor<f32>, tensor<2xi32>) -> (tensor<3x12xi32>)
  return %r0 : tensor<3x12xi32>
}

func.func @onehot_with_axis() -> (
    tensor<2x10x2xf32> {gensyn.expected = dense<[[[1.0, 1.0], [3.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 3.0]], [[1.0, 1.0], [1.0, 1.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]]> : tensor<2x10x2xf32>}) {
  %a0 = onnx.constant dense<[[1.0, 9.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %a2 = onnx.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %c1 = onnx.constant dense<0x41200000> : tensor<f32>
  %r0 = onnx.OneHot.v28(%a0, %c1, %a2) {axis = 1 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<2xf32>) -> (tensor<2x10x2xf32>)
  return %r0 : tensor<2x10x2xf32>
}

// Indices are converted to integers before anything else: 1, -1 and 0.
func.func @onehot_of_fractions() -> (
    tensor<3x4xf32> {gensyn.expected = dense<[[2.0, 3.0, 2.0, 2.0], [2.0, 2.0, 2.0, 3.0], [3.0, 2.0, 2.0, 2.0]]> : tensor<3x4xf32>}) {
  %a0 = onnx.constant dense<[1.7, -1.2, -0.2]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %c1 = onnx.constant dense<4.0> : tensor<f32>
  %r0 = onnx.OneHot.v11(%a0, %c1, %a2) : (tensor<3xf32>, tensor<f32>, tensor<2xf32>) -> (tensor<3x4xf32>)
  return %r0 : tensor<3x4xf32>
}

// A depth that the type of the indices does not hold: -56 is 144.
func.func @onehot_of_bytes() -> (
    tensor<1x200xi8> {gensyn.expected = dense<"0x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"> : tensor<1x200xi8>}) {
  %a0 = onnx.constant dense<-56> : tensor<1xi8>
  %a2 = onnx.constant dense<[0, 1]> : tensor<2xi8>
  %c1 = onnx.constant dense<200> : tensor<i64>
  %r0 = onnx.OneHot.v11(%a0, %c1, %a2) : (tensor<1xi8>, tensor<i64>, tensor<2xi8>) -> (tensor<1x200xi8>)
  return %r0 : tensor<1x200xi8>
}

func.func @range_float_type_positive_delta() -> (
    tensor<2xf32> {gensyn.expected = dense<[1.0, 3.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<1.0> : tensor<f32>
  %a2 = onnx.constant dense<2.0> : tensor<f32>
  %c1 = onnx.constant dense<0x40A00000> : tensor<f32>
  %r0 = onnx.Range.v27(%a0, %c1, %a2) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @range_float16_type_positive_delta() -> (
    tensor<2xf16> {gensyn.expected = dense<[0x3C00, 0x4200]> : tensor<2xf16>}) {
  %a0 = onnx.constant dense<0x3C00> : tensor<f16>
  %a2 = onnx.constant dense<0x4000> : tensor<f16>
  %c1 = onnx.constant dense<0x4500> : tensor<f16>
  %r0 = onnx.Range.v27(%a0, %c1, %a2) : (tensor<f16>, tensor<f16>, tensor<f16>) -> (tensor<2xf16>)
  return %r0 : tensor<2xf16>
}

func.func @reshape_reordered_all_dims() -> (
    tensor<4x2x3xf32> {gensyn.expected = dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3], [0.5448832, 0.4236548, 0.6458941]], [[0.4375872, 0.891773, 0x3F76B29A], [0.3834415, 0x3F4AAE7E, 0.5288949]], [[0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A], [0.0871293, 0x3CA5A10D, 0x3F552693]], [[0x3F473548, 0x3F5EB91E, 0.9786183], [0.7991586, 0x3EEC4706, 0.7805292]]]> : tensor<4x2x3xf32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941, 0.4375872, 0.891773], [0x3F76B29A, 0.3834415, 0x3F4AAE7E, 0.5288949]], [[0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693, 0x3F473548, 0x3F5EB91E], [0.9786183, 0.7991586, 0x3EEC4706, 0.7805292]]]> : tensor<2x3x4xf32>
  %c1 = onnx.constant dense<[4,2,3]> : tensor<3xi64>
  %r0 = onnx.Reshape.v25(%a0, %c1) : (tensor<2x3x4xf32>, tensor<3xi64>) -> (tensor<4x2x3xf32>)
  return %r0 : tensor<4x2x3xf32>
}

func.func @reshape_reordered_last_dims() -> (
    tensor<2x4x3xf32> {gensyn.expected = dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3], [0.5448832, 0.4236548, 0.6458941], [0.4375872, 0.891773, 0x3F76B29A], [0.3834415, 0x3F4AAE7E, 0.5288949]], [[0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A], [0.0871293, 0x3CA5A10D, 0x3F552693], [0x3F473548, 0x3F5EB91E, 0.9786183], [0.7991586, 0x3EEC4706, 0.7805292]]]> : tensor<2x4x3xf32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941, 0.4375872, 0.891773], [0x3F76B29A, 0.3834415, 0x3F4AAE7E, 0.5288949]], [[0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693, 0x3F473548, 0x3F5EB91E], [0.9786183, 0.7991586, 0x3EEC4706, 0.7805292]]]> : tensor<2x3x4xf32>
  %c1 = onnx.constant dense<[2,4,3]> : tensor<3xi64>
  %r0 = onnx.Reshape.v25(%a0, %c1) : (tensor<2x3x4xf32>, tensor<3xi64>) -> (tensor<2x4x3xf32>)
  return %r0 : tensor<2x4x3xf32>
}

func.func @shape_example() -> (
    tensor<2xi64> {gensyn.expected = dense<[2, 3]> : tensor<2xi64>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r0 = onnx.Shape.v25(%a0) : (tensor<2x3xf32>) -> (tensor<2xi64>)
  return %r0 : tensor<2xi64>
}

func.func @shape() -> (
    tensor<3xi64> {gensyn.expected = dense<[3, 4, 5]> : tensor<3xi64>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %r0 = onnx.Shape.v25(%a0) : (tensor<3x4x5xf32>) -> (tensor<3xi64>)
  return %r0 : tensor<3xi64>
}

func.func @size_example() -> (
    tensor<i64> {gensyn.expected = dense<6> : tensor<i64>}) {
  %a0 = onnx.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r0 = onnx.Size.v25(%a0) : (tensor<2x3xf32>) -> (tensor<i64>)
  return %r0 : tensor<i64>
}

func.func @size() -> (
    tensor<i64> {gensyn.expected = dense<60> : tensor<i64>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %r0 = onnx.Size.v25(%a0) : (tensor<3x4x5xf32>) -> (tensor<i64>)
  return %r0 : tensor<i64>
}

func.func @spacetodepth_example() -> (
    tensor<1x4x2x3xf32> {gensyn.expected = dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0], [15.0, 16.0, 17.0]], [[18.0, 19.0, 20.0], [21.0, 22.0, 23.0]]]]> : tensor<1x4x2x3xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 6.0, 1.0, 7.0, 2.0, 8.0], [12.0, 18.0, 13.0, 19.0, 14.0, 20.0], [3.0, 9.0, 4.0, 10.0, 5.0, 11.0], [15.0, 21.0, 16.0, 22.0, 17.0, 23.0]]]]> : tensor<1x1x4x6xf32>
  %r0 = onnx.SpaceToDepth.v28(%a0) {blocksize = 2 : i64} : (tensor<1x1x4x6xf32>) -> (tensor<1x4x2x3xf32>)
  return %r0 : tensor<1x4x2x3xf32>
}

func.func @spacetodepth_dcr_mode_example() -> (
    tensor<1x8x2x3xf32> {gensyn.expected = dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[9.0, 10.0, 11.0], [12.0, 13.0, 14.0]], [[18.0, 19.0, 20.0], [21.0, 22.0, 23.0]], [[27.0, 28.0, 29.0], [30.0, 31.0, 32.0]], [[36.0, 37.0, 38.0], [39.0, 40.0, 41.0]], [[45.0, 46.0, 47.0], [48.0, 49.0, 50.0]], [[54.0, 55.0, 56.0], [57.0, 58.0, 59.0]], [[63.0, 64.0, 65.0], [66.0, 67.0, 68.0]]]]> : tensor<1x8x2x3xf32>}) {
  %a0 = onnx.constant dense<[[[[0.0, 18.0, 1.0, 19.0, 2.0, 20.0], [36.0, 54.0, 37.0, 55.0, 38.0, 56.0], [3.0, 21.0, 4.0, 22.0, 5.0, 23.0], [39.0, 57.0, 40.0, 58.0, 41.0, 59.0]], [[9.0, 27.0, 10.0, 28.0, 11.0, 29.0], [45.0, 63.0, 46.0, 64.0, 47.0, 65.0], [12.0, 30.0, 13.0, 31.0, 14.0, 32.0], [48.0, 66.0, 49.0, 67.0, 50.0, 68.0]]]]> : tensor<1x2x4x6xf32>
  %r0 = onnx.SpaceToDepth.v28(%a0) {blocksize = 2 : i64, mode = "DCR"} : (tensor<1x2x4x6xf32>) -> (tensor<1x8x2x3xf32>)
  return %r0 : tensor<1x8x2x3xf32>
}

func.func @split_equal_parts_1d_opset13() -> (
    tensor<2xf32> {gensyn.expected = dense<[1.0, 2.0]> : tensor<2xf32>},
    tensor<2xf32> {gensyn.expected = dense<[3.0, 4.0]> : tensor<2xf32>},
    tensor<2xf32> {gensyn.expected = dense<[5.0, 6.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %r0:3 = onnx.Split.v13(%a0) {axis = 0 : i64} : (tensor<6xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r0#0, %r0#1, %r0#2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @split_variable_parts_1d_opset13() -> (
    tensor<2xf32> {gensyn.expected = dense<[1.0, 2.0]> : tensor<2xf32>},
    tensor<4xf32> {gensyn.expected = dense<[3.0, 4.0, 5.0, 6.0]> : tensor<4xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %c1 = onnx.constant dense<[2,4]> : tensor<2xi64>
  %r0:2 = onnx.Split.v13(%a0, %c1) {axis = 0 : i64} : (tensor<6xf32>, tensor<2xi64>) -> (tensor<2xf32>, tensor<4xf32>)
  return %r0#0, %r0#1 : tensor<2xf32>, tensor<4xf32>
}

func.func @squeeze_negative_axes() -> (
    tensor<1x3x5xf32> {gensyn.expected = dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B]]]> : tensor<1x3x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558]], [[0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8]], [[0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B]]]]> : tensor<1x3x1x5xf32>
  %c1 = onnx.constant dense<[-2]> : tensor<1xi64>
  %r0 = onnx.Squeeze.v25(%a0, %c1) : (tensor<1x3x1x5xf32>, tensor<1xi64>) -> (tensor<1x3x5xf32>)
  return %r0 : tensor<1x3x5xf32>
}

func.func @tile_precomputed() -> (
    tensor<4x4xf32> {gensyn.expected = dense<[[0.0, 1.0, 0.0, 1.0], [2.0, 3.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0], [2.0, 3.0, 2.0, 3.0]]> : tensor<4x4xf32>}) {
  %a0 = onnx.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %c1 = onnx.constant dense<[2,2]> : tensor<2xi64>
  %r0 = onnx.Tile.v13(%a0, %c1) : (tensor<2x2xf32>, tensor<2xi64>) -> (tensor<4x4xf32>)
  return %r0 : tensor<4x4xf32>
}

func.func @transpose_default() -> (
    tensor<4x3x2xf32> {gensyn.expected = dense<[[[0.5488135, 0x3F116B5E], [0.4236548, 0x3CA5A10D], [0x3F76B29A, 0.9786183]], [[0x3F3716A6, 0x3F6CF3E7], [0.6458941, 0x3F552693], [0.3834415, 0.7991586]], [[0x3F1A4EB3, 0x3D917B5A], [0.4375872, 0x3F473548], [0x3F4AAE7E, 0x3EEC4706]], [[0.5448832, 0.0871293], [0.891773, 0x3F5EB91E], [0.5288949, 0.7805292]]]> : tensor<4x3x2xf32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941, 0.4375872, 0.891773], [0x3F76B29A, 0.3834415, 0x3F4AAE7E, 0.5288949]], [[0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693, 0x3F473548, 0x3F5EB91E], [0.9786183, 0.7991586, 0x3EEC4706, 0.7805292]]]> : tensor<2x3x4xf32>
  %r0 = onnx.Transpose.v25(%a0) : (tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>)
  return %r0 : tensor<4x3x2xf32>
}

func.func @transpose_all_permutations_0() -> (
    tensor<2x3x4xf32> {gensyn.expected = dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941, 0.4375872, 0.891773], [0x3F76B29A, 0.3834415, 0x3F4AAE7E, 0.5288949]], [[0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693, 0x3F473548, 0x3F5EB91E], [0.9786183, 0.7991586, 0x3EEC4706, 0.7805292]]]> : tensor<2x3x4xf32>}) {
  %a0 = onnx.constant dense<[[[0.5488135, 0x3F3716A6, 0x3F1A4EB3, 0.5448832], [0.4236548, 0.6458941, 0.4375872, 0.891773], [0x3F76B29A, 0.3834415, 0x3F4AAE7E, 0.5288949]], [[0x3F116B5E, 0x3F6CF3E7, 0x3D917B5A, 0.0871293], [0x3CA5A10D, 0x3F552693, 0x3F473548, 0x3F5EB91E], [0.9786183, 0.7991586, 0x3EEC4706, 0.7805292]]]> : tensor<2x3x4xf32>
  %r0 = onnx.Transpose.v25(%a0) {perm = array<i64: 0, 1, 2>} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>)
  return %r0 : tensor<2x3x4xf32>
}

func.func @triu() -> (
    tensor<4x5xi64> {gensyn.expected = dense<[[5, 0, 3, 3, 7], [0, 3, 5, 2, 4], [0, 0, 8, 8, 1], [0, 0, 0, 8, 1]]> : tensor<4x5xi64>}) {
  %a0 = onnx.constant dense<[[5, 0, 3, 3, 7], [9, 3, 5, 2, 4], [7, 6, 8, 8, 1], [6, 7, 7, 8, 1]]> : tensor<4x5xi64>
  %r0 = onnx.Trilu.v14(%a0) : (tensor<4x5xi64>) -> (tensor<4x5xi64>)
  return %r0 : tensor<4x5xi64>
}

func.func @triu_neg() -> (
    tensor<4x5xi64> {gensyn.expected = dense<[[5, 0, 3, 3, 7], [9, 3, 5, 2, 4], [0, 6, 8, 8, 1], [0, 0, 7, 8, 1]]> : tensor<4x5xi64>}) {
  %a0 = onnx.constant dense<[[5, 0, 3, 3, 7], [9, 3, 5, 2, 4], [7, 6, 8, 8, 1], [6, 7, 7, 8, 1]]> : tensor<4x5xi64>
  %a1 = onnx.constant dense<-1> : tensor<i64>
  %r0 = onnx.Trilu.v14(%a0, %a1) : (tensor<4x5xi64>, tensor<i64>) -> (tensor<4x5xi64>)
  return %r0 : tensor<4x5xi64>
}

func.func @unsqueeze_negative_axes() -> (
    tensor<1x3x1x1x5xf32> {gensyn.expected = dense<[[[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558]]], [[[0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8]]], [[[0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B]]]]]> : tensor<1x3x1x1x5xf32>}) {
  %a0 = onnx.constant dense<[[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558]], [[0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8]], [[0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B]]]]> : tensor<1x3x1x5xf32>
  %c1 = onnx.constant dense<[-2]> : tensor<1xi64>
  %r0 = onnx.Unsqueeze.v25(%a0, %c1) : (tensor<1x3x1x5xf32>, tensor<1xi64>) -> (tensor<1x3x1x1x5xf32>)
  return %r0 : tensor<1x3x1x1x5xf32>
}
