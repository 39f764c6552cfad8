// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-14: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @convinteger_without_padding() -> (
    tensor<1x1x2x2xi32> {gensyn.expected = dense<[[[[12, 16], [24, 28]]]]> : tensor<1x1x2x2xi32>}) {
  %a0 = onnx.constant dense<[[[[2, 3, 4], [5, 6, 7], [8, 9, 10]]]]> : tensor<1x1x3x3xui8>
  %a1 = onnx.constant dense<[[[[1, 1], [1, 1]]]]> : tensor<1x1x2x2xui8>
  %a2 = onnx.constant dense<1> : tensor<ui8>
  %r0 = onnx.ConvInteger.v10(%a0, %a1, %a2) : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xui8>, tensor<ui8>) -> (tensor<1x1x2x2xi32>)
  return %r0 : tensor<1x1x2x2xi32>
}

func.func @convinteger_with_padding() -> (
    tensor<1x2x4x4xi32> {gensyn.expected = dense<[[[[1, 3, 5, 3], [5, 12, 16, 9], [11, 24, 28, 15], [7, 15, 17, 9]], [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]]> : tensor<1x2x4x4xi32>}) {
  %a0 = onnx.constant dense<[[[[2, 3, 4], [5, 6, 7], [8, 9, 10]]]]> : tensor<1x1x3x3xui8>
  %a1 = onnx.constant dense<[[[[1, 1], [1, 1]]], [[[1, 1], [1, 1]]]]> : tensor<2x1x2x2xui8>
  %a2 = onnx.constant dense<1> : tensor<ui8>
  %a3 = onnx.constant dense<[0, 1]> : tensor<2xui8>
  %r0 = onnx.ConvInteger.v10(%a0, %a1, %a2, %a3) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x3x3xui8>, tensor<2x1x2x2xui8>, tensor<ui8>, tensor<2xui8>) -> (tensor<1x2x4x4xi32>)
  return %r0 : tensor<1x2x4x4xi32>
}

func.func @dequantizelinear() -> (
    tensor<4xf32> {gensyn.expected = dense<[-256.0, -250.0, 0.0, 254.0]> : tensor<4xf32>}) {
  %a0 = onnx.constant dense<[0, 3, 128, 255]> : tensor<4xui8>
  %a1 = onnx.constant dense<2.0> : tensor<f32>
  %a2 = onnx.constant dense<128> : tensor<ui8>
  %r0 = onnx.DequantizeLinear.v28(%a0, %a1, %a2) : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> (tensor<4xf32>)
  return %r0 : tensor<4xf32>
}

func.func @dequantizelinear_axis() -> (
    tensor<1x3x3x2xf32> {gensyn.expected = dense<[[[[-162.0, 10.0], [-100.0, 232.0], [-20.0, -50.0]], [[-76.0, 0.0], [0.0, 252.0], [32.0, -44.0]], [[245.0, -485.0], [-960.0, -270.0], [-375.0, -470.0]]]]> : tensor<1x3x3x2xf32>}) {
  %a0 = onnx.constant dense<[[[[3, 89], [34, 200], [74, 59]], [[5, 24], [24, 87], [32, 13]], [[245, 99], [4, 142], [121, 102]]]]> : tensor<1x3x3x2xui8>
  %a1 = onnx.constant dense<[2.0, 4.0, 5.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[84, 24, 196]> : tensor<3xui8>
  %r0 = onnx.DequantizeLinear.v28(%a0, %a1, %a2) : (tensor<1x3x3x2xui8>, tensor<3xf32>, tensor<3xui8>) -> (tensor<1x3x3x2xf32>)
  return %r0 : tensor<1x3x3x2xf32>
}

func.func @dequantizelinear_int16() -> (
    tensor<4xf32> {gensyn.expected = dense<[1448.0, 1988.0, -2.0, 4588.0]> : tensor<4xf32>}) {
  %a0 = onnx.constant dense<[-300, -30, -1025, 1270]> : tensor<4xi16>
  %a1 = onnx.constant dense<2.0> : tensor<f32>
  %a2 = onnx.constant dense<-1024> : tensor<i16>
  %r0 = onnx.DequantizeLinear.v28(%a0, %a1, %a2) : (tensor<4xi16>, tensor<f32>, tensor<i16>) -> (tensor<4xf32>)
  return %r0 : tensor<4xf32>
}

func.func @dequantizelinear_blocked() -> (
    tensor<1x4x3x2xf32> {gensyn.expected = dense<[[[[6.0, 178.0], [136.0, 199.0], [144.0, 78.0]], [[12.0, 48.0], [96.0, 86.0], [60.0, -14.0]], [[10.0, 20.0], [32.0, 90.0], [250.0, 80.0]], [[1210.0, 194.0], [0.0, 417.0], [530.0, 200.0]]]]> : tensor<1x4x3x2xf32>}) {
  %a0 = onnx.constant dense<[[[[3, 89], [34, 200], [74, 59]], [[5, 24], [24, 87], [32, 13]], [[5, 12], [12, 33], [65, 42]], [[245, 99], [4, 142], [121, 102]]]]> : tensor<1x4x3x2xui8>
  %a1 = onnx.constant dense<[[[[3.0, 2.0], [4.0, 1.0], [2.0, 2.0]], [[5.0, 2.0], [4.0, 3.0], [5.0, 2.0]]]]> : tensor<1x2x3x2xf32>
  %a2 = onnx.constant dense<[[[[1, 0], [0, 1], [2, 20]], [[3, 2], [4, 3], [15, 2]]]]> : tensor<1x2x3x2xui8>
  %r0 = onnx.DequantizeLinear.v28(%a0, %a1, %a2) {axis = 1 : i64, block_size = 2 : i64} : (tensor<1x4x3x2xui8>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xui8>) -> (tensor<1x4x3x2xf32>)
  return %r0 : tensor<1x4x3x2xf32>
}

func.func @matmulinteger() -> (
    tensor<4x2xi32> {gensyn.expected = dense<[[-38, -83], [-44, -98], [-50, -113], [-56, -128]]> : tensor<4x2xi32>}) {
  %a0 = onnx.constant dense<[[11, 7, 3], [10, 6, 2], [9, 5, 1], [8, 4, 0]]> : tensor<4x3xui8>
  %a1 = onnx.constant dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xui8>
  %a2 = onnx.constant dense<[12]> : tensor<1xui8>
  %a3 = onnx.constant dense<[0]> : tensor<1xui8>
  %r0 = onnx.MatMulInteger.v10(%a0, %a1, %a2, %a3) : (tensor<4x3xui8>, tensor<3x2xui8>, tensor<1xui8>, tensor<1xui8>) -> (tensor<4x2xi32>)
  return %r0 : tensor<4x2xi32>
}

func.func @qlinearconv() -> (
    tensor<1x1x7x7xui8> {gensyn.expected = dense<[[[[0, 81, 93, 230, 52, 87, 197], [240, 196, 18, 160, 126, 255, 191], [199, 13, 102, 34, 87, 243, 89], [23, 77, 69, 60, 18, 93, 18], [67, 216, 131, 178, 175, 153, 212], [128, 25, 234, 172, 214, 215, 121], [0, 101, 163, 114, 213, 107, 8]]]]> : tensor<1x1x7x7xui8>}) {
  %a0 = onnx.constant dense<[[[[255, 174, 162, 25, 203, 168, 58], [15, 59, 237, 95, 129, 0, 64], [56, 242, 153, 221, 168, 12, 166], [232, 178, 186, 195, 237, 162, 237], [188, 39, 124, 77, 80, 102, 43], [127, 230, 21, 83, 41, 40, 134], [255, 154, 92, 141, 42, 148, 247]]]]> : tensor<1x1x7x7xui8>
  %a1 = onnx.constant dense<0x3B71F645> : tensor<f32>
  %a2 = onnx.constant dense<132> : tensor<ui8>
  %a3 = onnx.constant dense<[[[[0]]]]> : tensor<1x1x1x1xui8>
  %a4 = onnx.constant dense<[0x3AE27C3D]> : tensor<1xf32>
  %a5 = onnx.constant dense<[255]> : tensor<1xui8>
  %a6 = onnx.constant dense<0x3AD53AC6> : tensor<f32>
  %a7 = onnx.constant dense<123> : tensor<ui8>
  %r0 = onnx.QLinearConv.v10(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>, tensor<1xf32>, tensor<1xui8>, tensor<f32>, tensor<ui8>) -> (tensor<1x1x7x7xui8>)
  return %r0 : tensor<1x1x7x7xui8>
}

func.func @qlinearmatmul_2D_uint8_float32() -> (
    tensor<2x3xui8> {gensyn.expected = dense<[[168, 115, 255], [1, 66, 151]]> : tensor<2x3xui8>}) {
  %a0 = onnx.constant dense<[[208, 236, 0, 238], [3, 214, 255, 29]]> : tensor<2x4xui8>
  %a1 = onnx.constant dense<[0.0066]> : tensor<1xf32>
  %a2 = onnx.constant dense<[113]> : tensor<1xui8>
  %a3 = onnx.constant dense<[[152, 51, 244], [60, 26, 255], [0, 127, 246], [127, 254, 247]]> : tensor<4x3xui8>
  %a4 = onnx.constant dense<[0.00705]> : tensor<1xf32>
  %a5 = onnx.constant dense<[114]> : tensor<1xui8>
  %a6 = onnx.constant dense<[0.0107]> : tensor<1xf32>
  %a7 = onnx.constant dense<[118]> : tensor<1xui8>
  %r0 = onnx.QLinearMatMul.v21(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) : (tensor<2x4xui8>, tensor<1xf32>, tensor<1xui8>, tensor<4x3xui8>, tensor<1xf32>, tensor<1xui8>, tensor<1xf32>, tensor<1xui8>) -> (tensor<2x3xui8>)
  return %r0 : tensor<2x3xui8>
}

func.func @qlinearmatmul_3D_uint8_float32() -> (
    tensor<2x2x3xui8> {gensyn.expected = dense<[[[168, 115, 255], [1, 66, 151]], [[168, 115, 255], [1, 66, 151]]]> : tensor<2x2x3xui8>}) {
  %a0 = onnx.constant dense<[[[208, 236, 0, 238], [3, 214, 255, 29]], [[208, 236, 0, 238], [3, 214, 255, 29]]]> : tensor<2x2x4xui8>
  %a1 = onnx.constant dense<[0.0066]> : tensor<1xf32>
  %a2 = onnx.constant dense<[113]> : tensor<1xui8>
  %a3 = onnx.constant dense<[[[152, 51, 244], [60, 26, 255], [0, 127, 246], [127, 254, 247]], [[152, 51, 244], [60, 26, 255], [0, 127, 246], [127, 254, 247]]]> : tensor<2x4x3xui8>
  %a4 = onnx.constant dense<[0.00705]> : tensor<1xf32>
  %a5 = onnx.constant dense<[114]> : tensor<1xui8>
  %a6 = onnx.constant dense<[0.0107]> : tensor<1xf32>
  %a7 = onnx.constant dense<[118]> : tensor<1xui8>
  %r0 = onnx.QLinearMatMul.v21(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) : (tensor<2x2x4xui8>, tensor<1xf32>, tensor<1xui8>, tensor<2x4x3xui8>, tensor<1xf32>, tensor<1xui8>, tensor<1xf32>, tensor<1xui8>) -> (tensor<2x2x3xui8>)
  return %r0 : tensor<2x2x3xui8>
}

func.func @quantizelinear() -> (
    tensor<6xui8> {gensyn.expected = dense<[128, 129, 130, 255, 1, 0]> : tensor<6xui8>}) {
  %a0 = onnx.constant dense<[0.0, 2.0, 3.0, 1000.0, -254.0, -1000.0]> : tensor<6xf32>
  %a1 = onnx.constant dense<2.0> : tensor<f32>
  %a2 = onnx.constant dense<128> : tensor<ui8>
  %r0 = onnx.QuantizeLinear.v28(%a0, %a1, %a2) : (tensor<6xf32>, tensor<f32>, tensor<ui8>) -> (tensor<6xui8>)
  return %r0 : tensor<6xui8>
}

func.func @quantizelinear_axis() -> (
    tensor<1x3x3x2xui8> {gensyn.expected = dense<[[[[3, 89], [34, 200], [74, 59]], [[5, 24], [24, 87], [32, 13]], [[245, 99], [4, 142], [121, 102]]]]> : tensor<1x3x3x2xui8>}) {
  %a0 = onnx.constant dense<[[[[-162.0, 10.0], [-100.0, 232.0], [-20.0, -50.0]], [[-76.0, 0.0], [0.0, 252.0], [32.0, -44.0]], [[245.0, -485.0], [-960.0, -270.0], [-375.0, -470.0]]]]> : tensor<1x3x3x2xf32>
  %a1 = onnx.constant dense<[2.0, 4.0, 5.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[84, 24, 196]> : tensor<3xui8>
  %r0 = onnx.QuantizeLinear.v28(%a0, %a1, %a2) : (tensor<1x3x3x2xf32>, tensor<3xf32>, tensor<3xui8>) -> (tensor<1x3x3x2xui8>)
  return %r0 : tensor<1x3x3x2xui8>
}

func.func @quantizelinear_int16() -> (
    tensor<16xi16> {gensyn.expected = dense<[256, -1, 258, 254, 257, 255, 258, 254, 32767, -32767, 32767, -32768, 32767, -32768, 32767, -32768]> : tensor<16xi16>}) {
  %a0 = onnx.constant dense<[0.0, -514.0, 3.0, -3.0, 2.9, -2.9, 3.1, -3.1, 65022.0, -66046.0, 65023.0, -66047.0, 65024.0, -66048.0, 70000.0, -70000.0]> : tensor<16xf32>
  %a1 = onnx.constant dense<2.0> : tensor<f32>
  %a2 = onnx.constant dense<256> : tensor<i16>
  %r0 = onnx.QuantizeLinear.v28(%a0, %a1, %a2) : (tensor<16xf32>, tensor<f32>, tensor<i16>) -> (tensor<16xi16>)
  return %r0 : tensor<16xi16>
}

func.func @quantizelinear_blocked_asymmetric() -> (
    tensor<3x4xui8> {gensyn.expected = dense<[[4, 8, 21, 3], [1, 4, 1, 1], [2, 6, 4, 4]]> : tensor<3x4xui8>}) {
  %a0 = onnx.constant dense<[[6.0, 12.0, 50.0, 5.0], [1.0, 8.0, 4.0, 5.0], [0.0, 20.0, 10.0, 4.0]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<[[1.5, 2.5], [3.0, 4.9], [5.1, 6.9]]> : tensor<3x2xf32>
  %a2 = onnx.constant dense<[[0, 1], [1, 0], [2, 3]]> : tensor<3x2xui8>
  %r0 = onnx.QuantizeLinear.v28(%a0, %a1, %a2) {axis = 1 : i64, block_size = 2 : i64} : (tensor<3x4xf32>, tensor<3x2xf32>, tensor<3x2xui8>) -> (tensor<3x4xui8>)
  return %r0 : tensor<3x4xui8>
}
