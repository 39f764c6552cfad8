// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-5: as expected
// CHECK-NOT: {{.}}

// Powers of floats and integers with exponents of either; those of integers
// wrap, and a negative exponent divides.

func.func @pow_bcast_scalar() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.0, 4.0, 9.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %c1 = onnx.constant dense<0x40000000> : tensor<f32>
  %r0 = onnx.Pow.v15(%a0, %c1) : (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @pow_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.0, 32.0, 729.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %r0 = onnx.Pow.v15(%a0, %a1) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @pow_types_float32_int64() -> (
    tensor<4xf32> {gensyn.expected = dense<[1.0, 32.0, 729.0, 0.0625]> : tensor<4xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a1 = onnx.constant dense<[4, 5, 6, -2]> : tensor<4xi64>
  %r0 = onnx.Pow.v15(%a0, %a1) : (tensor<4xf32>, tensor<4xi64>) -> (tensor<4xf32>)
  return %r0 : tensor<4xf32>
}

func.func @pow_types_int32_int32() -> (
    tensor<8xi32> {gensyn.expected = dense<[1, 32, -2187, 0, 1, -1, 1, 146745431]> : tensor<8xi32>}) {
  %a0 = onnx.constant dense<[7, 2, -3, 5, 0, -1, -1, 7]> : tensor<8xi32>
  %a1 = onnx.constant dense<[0, 5, 7, -1, 0, -3, 1073741824, 99]> : tensor<8xi32>
  %r0 = onnx.Pow.v15(%a0, %a1) : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>)
  return %r0 : tensor<8xi32>
}

func.func @pow_types_int32_float32() -> (
    tensor<3xi32> {gensyn.expected = dense<[1, 5, 8]> : tensor<3xi32>}) {
  %a0 = onnx.constant dense<[1, 3, 4]> : tensor<3xi32>
  %a1 = onnx.constant dense<1.5> : tensor<f32>
  %r0 = onnx.Pow.v15(%a0, %a1) : (tensor<3xi32>, tensor<f32>) -> (tensor<3xi32>)
  return %r0 : tensor<3xi32>
}
