// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-11: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @sin_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-8.414709568e-01, 0.000000000e+00, 8.414709568e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Sin.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @cos_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[5.403022766e-01, 1.000000000e+00, 5.403022766e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Cos.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @tan_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-1.557407737e+00, 0.000000000e+00, 1.557407737e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Tan.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @asin_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-5.235987902e-01, 0.000000000e+00, 5.235987902e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-5.000000000e-01, 0.000000000e+00, 5.000000000e-01]> : tensor<3xf32>
  %r0 = onnx.Asin.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @acos_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[2.094395161e+00, 1.570796371e+00, 1.047197580e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-5.000000000e-01, 0.000000000e+00, 5.000000000e-01]> : tensor<3xf32>
  %r0 = onnx.Acos.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @atan_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-7.853981853e-01, 0.000000000e+00, 7.853981853e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Atan.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sinh_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-1.175201178e+00, 0.000000000e+00, 1.175201178e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Sinh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @cosh_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.543080688e+00, 1.000000000e+00, 1.543080688e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Cosh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @asinh_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-8.813735843e-01, 0.000000000e+00, 8.813735843e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Asinh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @acosh_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[2.993222952e+00, 1.657454371e+00, 0.000000000e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.000000000e+01, 2.718281746e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Acosh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @atanh_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-5.493061543e-01, 0.000000000e+00, 5.493061543e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-5.000000000e-01, 0.000000000e+00, 5.000000000e-01]> : tensor<3xf32>
  %r0 = onnx.Atanh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}
