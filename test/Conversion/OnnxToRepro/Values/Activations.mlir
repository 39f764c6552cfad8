// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-18: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @celu() -> (
    tensor<3x3x3x1xf32> {gensyn.expected = dense<[[[[0.8439683], [0.5665144], [0x3D6F129A]], [[0x3CEEE8A6], [0x3E04C110], [0.5060197]], [[0x3F4B9E39], [0.9411346], [0.9546573]]], [[[0x3E35909A], [0x3EEC80E7], [0x3E879474]], [[0.6746842], [0x3C886AF8], [0x3F1FEE5B]], [[0.9240844], [0.9722341], [0x3DF50EB9]]], [[[0x3ED3BE57], [0.9129373], [0x3F17E28F]], [[0x3F51BD9A], [0.7862604], [0x3DF1A8EE]], [[0x3F3146A9], [0x3F0A8BB3], [0x3D99DEED]]]]> : tensor<3x3x3x1xf32>}) {
  %a0 = onnx.constant dense<[[[[0.8439683], [0.5665144], [0x3D6F129A]], [[0x3CEEE8A6], [0x3E04C110], [0.5060197]], [[0x3F4B9E39], [0.9411346], [0.9546573]]], [[[0x3E35909A], [0x3EEC80E7], [0x3E879474]], [[0.6746842], [0x3C886AF8], [0x3F1FEE5B]], [[0.9240844], [0.9722341], [0x3DF50EB9]]], [[[0x3ED3BE57], [0.9129373], [0x3F17E28F]], [[0x3F51BD9A], [0.7862604], [0x3DF1A8EE]], [[0x3F3146A9], [0x3F0A8BB3], [0x3D99DEED]]]]> : tensor<3x3x3x1xf32>
  %r0 = onnx.Celu.v28(%a0) {alpha = 2.0 : f32} : (tensor<3x3x3x1xf32>) -> (tensor<3x3x3x1xf32>)
  return %r0 : tensor<3x3x3x1xf32>
}

func.func @celu_float16() -> (
    tensor<5xf16> {gensyn.expected = dense<[0xBE37, 0xB714, 0x0000, 0x3800, 0x4200]> : tensor<5xf16>}) {
  %a0 = onnx.constant dense<[0xC200, 0xB800, 0x0000, 0x3800, 0x4200]> : tensor<5xf16>
  %r0 = onnx.Celu.v28(%a0) {alpha = 2.0 : f32} : (tensor<5xf16>) -> (tensor<5xf16>)
  return %r0 : tensor<5xf16>
}

func.func @clip_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<-1.0> : tensor<f32>
  %a2 = onnx.constant dense<1.0> : tensor<f32>
  %r0 = onnx.Clip.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @clip_inbounds() -> (
    tensor<3xf32> {gensyn.expected = dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<-5.0> : tensor<f32>
  %a2 = onnx.constant dense<5.0> : tensor<f32>
  %r0 = onnx.Clip.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @elu_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[0xBFA1D2A7, 0.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Elu.v22(%a0) {alpha = 2.0 : f32} : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @gelu_tanh_1() -> (
    tensor<3xf32> {gensyn.expected = dense<[-0.158808, 0.0, 0.841192]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Gelu.v20(%a0) {approximate = "tanh"} : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @gelu_default_1() -> (
    tensor<3xf32> {gensyn.expected = dense<[0xBE227686, 0.0, 0.8413447]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Gelu.v20(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @hardsigmoid_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[0x3DCCCCD0, 0.6, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.HardSigmoid.v22(%a0) {alpha = 0.5 : f32, beta = 0.600000024 : f32} : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @leakyrelu_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-0.1, 0.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.LeakyRelu.v16(%a0) {alpha = 0.100000001 : f32} : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @selu_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[0xC072BBFA, 0.0, 3.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Selu.v22(%a0) {alpha = 2.0 : f32, gamma = 3.0 : f32} : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @shrink_hard() -> (
    tensor<5xf32> {gensyn.expected = dense<[-2.0, 0.0, 0.0, 0.0, 2.0]> : tensor<5xf32>}) {
  %a0 = onnx.constant dense<[-2.0, -1.0, 0.0, 1.0, 2.0]> : tensor<5xf32>
  %r0 = onnx.Shrink.v9(%a0) {lambd = 1.5 : f32} : (tensor<5xf32>) -> (tensor<5xf32>)
  return %r0 : tensor<5xf32>
}

func.func @shrink_soft() -> (
    tensor<5xf32> {gensyn.expected = dense<[-0.5, 0.0, 0.0, 0.0, 0.5]> : tensor<5xf32>}) {
  %a0 = onnx.constant dense<[-2.0, -1.0, 0.0, 1.0, 2.0]> : tensor<5xf32>
  %r0 = onnx.Shrink.v9(%a0) {bias = 1.5 : f32, lambd = 1.5 : f32} : (tensor<5xf32>) -> (tensor<5xf32>)
  return %r0 : tensor<5xf32>
}

func.func @sigmoid_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[0x3E89B2B1, 0.5, 0.7310586]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Sigmoid.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @softplus_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[0.3132617, 0.6931472, 1.3132617]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Softplus.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @softsign_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-0.5, 0.0, 0.5]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Softsign.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @swish() -> (
    tensor<3xf32> {gensyn.expected = dense<[2.8577223, 3.928055, 4.966536]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %r0 = onnx.Swish.v24(%a0) {alpha = 1.0 : f32} : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @tanh_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[0xBF42F7D6, 0.0, 0.7615942]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Tanh.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @thresholdedrelu_example() -> (
    tensor<5xf32> {gensyn.expected = dense<[0.0, 0.0, 0.0, 0.0, 2.2]> : tensor<5xf32>}) {
  %a0 = onnx.constant dense<[-1.5, 0.0, 1.2, 2.0, 2.2]> : tensor<5xf32>
  %r0 = onnx.ThresholdedRelu.v22(%a0) {alpha = 2.0 : f32} : (tensor<5xf32>) -> (tensor<5xf32>)
  return %r0 : tensor<5xf32>
}
