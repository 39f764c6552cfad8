// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-38: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @add_int8() -> (
    tensor<3x4x5xi8> {gensyn.expected = dense<[[[22, 24, 28, 11, 43], [6, 14, 30, 25, 17], [7, 23, 30, 31, 13], [31, 32, 29, 13, 31]], [[29, 40, 12, 24, 45], [22, 18, 22, 22, 24], [12, 14, 11, 40, 23], [21, 31, 27, 32, 7]], [[29, 27, 30, 19, 19], [25, 13, 28, 28, 33], [34, 36, 31, 6, 19], [20, 37, 15, 21, 26]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[0, 8, 11, 8, 22], [3, 11, 20, 17, 10], [4, 22, 22, 22, 0], [11, 15, 20, 5, 21]], [[20, 23, 2, 6, 22], [7, 15, 2, 8, 9], [2, 3, 9, 22, 0], [2, 19, 15, 21, 4]], [[22, 10, 23, 10, 18], [21, 3, 15, 7, 19], [17, 23, 14, 4, 12], [20, 20, 12, 14, 21]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[22, 16, 17, 3, 21], [3, 3, 10, 8, 7], [3, 1, 8, 9, 13], [20, 17, 9, 8, 10]], [[9, 17, 10, 18, 23], [15, 3, 20, 14, 15], [10, 11, 2, 18, 23], [19, 12, 12, 11, 3]], [[7, 17, 7, 9, 1], [4, 10, 13, 21, 14], [17, 13, 17, 2, 7], [0, 17, 3, 7, 5]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Add.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @add_int16() -> (
    tensor<3x4x5xi16> {gensyn.expected = dense<[[[41, 38, 9, 2, 20], [33, 19, 5, 19, 22], [21, 19, 14, 15, 12], [20, 20, 31, 19, 21]], [[24, 13, 29, 17, 5], [28, 40, 11, 28, 29], [28, 38, 39, 43, 25], [22, 7, 23, 24, 25]], [[27, 6, 22, 16, 28], [24, 37, 13, 7, 33], [27, 15, 24, 34, 16], [23, 15, 36, 6, 4]]]> : tensor<3x4x5xi16>}) {
  %a0 = onnx.constant dense<[[[18, 21, 0, 1, 12], [15, 2, 3, 2, 2], [19, 1, 9, 5, 7], [8, 18, 19, 4, 0]], [[5, 11, 15, 2, 4], [5, 19, 4, 21, 8], [17, 16, 22, 22, 8], [20, 1, 6, 17, 16]], [[9, 3, 1, 5, 8], [5, 20, 4, 6, 16], [13, 8, 3, 11, 7], [12, 3, 18, 1, 4]]]> : tensor<3x4x5xi16>
  %a1 = onnx.constant dense<[[[23, 17, 9, 1, 8], [18, 17, 2, 17, 20], [2, 18, 5, 10, 5], [12, 2, 12, 15, 21]], [[19, 2, 14, 15, 1], [23, 21, 7, 7, 21], [11, 22, 17, 21, 17], [2, 6, 17, 7, 9]], [[18, 3, 21, 11, 20], [19, 17, 9, 1, 17], [14, 7, 21, 23, 9], [11, 12, 18, 5, 0]]]> : tensor<3x4x5xi16>
  %r0 = onnx.Add.v14(%a0, %a1) : (tensor<3x4x5xi16>, tensor<3x4x5xi16>) -> (tensor<3x4x5xi16>)
  return %r0 : tensor<3x4x5xi16>
}

func.func @cast_FLOAT_to_FLOAT16() -> (
    tensor<3x4xf16> {gensyn.expected = dense<[[0x37AA, 0x37AF, 0x37FF, 0x3A8E], [0x3786, 0x3A88, 0x32BF, 0x39C9], [0x7E00, 0x7C00, 0x7C00, 0xFC00]]> : tensor<3x4xf16>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %r0 = onnx.Cast.v28(%a0) {to = 10 : i64} : (tensor<3x4xf32>) -> (tensor<3x4xf16>)
  return %r0 : tensor<3x4xf16>
}

func.func @cast_FLOAT_to_DOUBLE() -> (
    tensor<3x4xf64> {gensyn.expected = dense<[[0x3FDEA6B700000000, 0x3FDEBDD600000000, 0x3FDFFAD640000000, 0x3FEA361CA0000000], [0x3FDE199980000000, 0x3FEA208180000000, 0x3FCAFDDA20000000, 0x3FE7220720000000], [0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000]]> : tensor<3x4xf64>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %r0 = onnx.Cast.v28(%a0) {to = 11 : i64} : (tensor<3x4xf32>) -> (tensor<3x4xf64>)
  return %r0 : tensor<3x4xf64>
}

func.func @castlike_FLOAT_to_FLOAT16() -> (
    tensor<3x4xf16> {gensyn.expected = dense<[[0x37AA, 0x37AF, 0x37FF, 0x3A8E], [0x3786, 0x3A88, 0x32BF, 0x39C9], [0x7E00, 0x7C00, 0x7C00, 0xFC00]]> : tensor<3x4xf16>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<> : tensor<0xf16>
  %r0 = onnx.CastLike.v25(%a0, %a1) : (tensor<3x4xf32>, tensor<0xf16>) -> (tensor<3x4xf16>)
  return %r0 : tensor<3x4xf16>
}

func.func @castlike_FLOAT_to_DOUBLE() -> (
    tensor<3x4xf64> {gensyn.expected = dense<[[0x3FDEA6B700000000, 0x3FDEBDD600000000, 0x3FDFFAD640000000, 0x3FEA361CA0000000], [0x3FDE199980000000, 0x3FEA208180000000, 0x3FCAFDDA20000000, 0x3FE7220720000000], [0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000]]> : tensor<3x4xf64>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<> : tensor<0xf64>
  %r0 = onnx.CastLike.v25(%a0, %a1) : (tensor<3x4xf32>, tensor<0xf64>) -> (tensor<3x4xf64>)
  return %r0 : tensor<3x4xf64>
}

func.func @ceil_example() -> (
    tensor<2xf32> {gensyn.expected = dense<[-1.0, 2.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[-1.5, 1.2]> : tensor<2xf32>
  %r0 = onnx.Ceil.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @div_example() -> (
    tensor<2xf32> {gensyn.expected = dense<[3.0, 2.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %a1 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r0 = onnx.Div.v14(%a0, %a1) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @div_int8() -> (
    tensor<3x4x5xi8> {gensyn.expected = dense<[[[1, 1, 0, 0, 0], [3, 1, 1, 0, 3], [0, 0, 0, 6, 0], [0, 0, 0, 1, 1]], [[0, 4, 1, 0, 0], [23, 6, 0, 0, 0], [2, 0, 2, 0, 0], [1, 0, 0, 0, 1]], [[0, 0, 0, 1, 2], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [1, 0, 2, 0, 4]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[16, 6, 0, 12, 18], [3, 16, 17, 14, 18], [11, 4, 15, 19, 4], [5, 3, 9, 4, 10]], [[8, 12, 6, 6, 6], [23, 20, 15, 3, 17], [10, 22, 22, 21, 4], [19, 5, 2, 2, 14]], [[5, 14, 9, 23, 10], [18, 20, 11, 10, 11], [18, 0, 8, 11, 8], [22, 3, 11, 20, 17]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[11, 5, 23, 23, 23], [1, 12, 16, 21, 6], [22, 21, 24, 3, 7], [23, 8, 16, 3, 9]], [[10, 3, 4, 10, 23], [1, 3, 20, 16, 22], [5, 23, 11, 24, 11], [19, 22, 4, 16, 8]], [[20, 18, 24, 15, 5], [13, 21, 21, 13, 15], [22, 12, 18, 10, 23], [17, 18, 4, 22, 4]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Div.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @exp_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[0x3EBC5AB2, 1.0, 2.7182817]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Exp.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @floor_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-2.0, 1.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.5, 1.2, 2.0]> : tensor<3xf32>
  %r0 = onnx.Floor.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @log_example() -> (
    tensor<2xf32> {gensyn.expected = dense<[0.0, 2.3025851]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %r0 = onnx.Log.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @max_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[3.0, 5.0, 4.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 4.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 5.0, 3.0]> : tensor<3xf32>
  %r0 = onnx.Max.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @max_one_input() -> (
    tensor<3xf32> {gensyn.expected = dense<[3.0, 2.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Max.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mean_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[2.0, 3.0, 4.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 3.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 6.0, 6.0]> : tensor<3xf32>
  %r0 = onnx.Mean.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mean_one_input() -> (
    tensor<3xf32> {gensyn.expected = dense<[3.0, 0.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %r0 = onnx.Mean.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @min_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.0, 2.0, 0.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 4.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 5.0, 0.0]> : tensor<3xf32>
  %r0 = onnx.Min.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @min_one_input() -> (
    tensor<3xf32> {gensyn.expected = dense<[3.0, 2.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Min.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mod_mixed_sign_float64() -> (
    tensor<6xf64> {gensyn.expected = dense<[0xBFB9999999999980, 0x3FD99999999999A0, 0x4014000000000000, 0x3FB9999999999980, 0xBFD99999999999A0, 0x4008000000000000]> : tensor<6xf64>}) {
  %a0 = onnx.constant dense<[0xC011333333333333, 0x401CCCCCCCCCCCCD, 0x4014000000000000, 0x4011333333333333, 0xC01CCCCCCCCCCCCD, 0x4020000000000000]> : tensor<6xf64>
  %a1 = onnx.constant dense<[0x4000CCCCCCCCCCCD, 0xC00B333333333333, 0x4020000000000000, 0xC000CCCCCCCCCCCD, 0x400B333333333333, 0x4014000000000000]> : tensor<6xf64>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 1 : i64} : (tensor<6xf64>, tensor<6xf64>) -> (tensor<6xf64>)
  return %r0 : tensor<6xf64>
}

func.func @mod_mixed_sign_float32() -> (
    tensor<6xf32> {gensyn.expected = dense<[0xBDCCCD00, 0x3ECCCCC0, 5.0, 0x3DCCCD00, 0xBECCCCC0, 3.0]> : tensor<6xf32>}) {
  %a0 = onnx.constant dense<[-4.3, 7.2, 5.0, 4.3, -7.2, 8.0]> : tensor<6xf32>
  %a1 = onnx.constant dense<[2.1, -3.4, 8.0, -2.1, 3.4, 5.0]> : tensor<6xf32>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 1 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  return %r0 : tensor<6xf32>
}

func.func @mod_mixed_sign_float16() -> (
    tensor<6xf16> {gensyn.expected = dense<[0xAE80, 0x3660, 0x4500, 0x2E80, 0xB660, 0x4200]> : tensor<6xf16>}) {
  %a0 = onnx.constant dense<[0xC44D, 0x4733, 0x4500, 0x444D, 0xC733, 0x4800]> : tensor<6xf16>
  %a1 = onnx.constant dense<[0x4033, 0xC2CD, 0x4800, 0xC033, 0x42CD, 0x4500]> : tensor<6xf16>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 1 : i64} : (tensor<6xf16>, tensor<6xf16>) -> (tensor<6xf16>)
  return %r0 : tensor<6xf16>
}

func.func @mod_float64_mixed_sign_fmod_0() -> (
    tensor<6xf64> {gensyn.expected = dense<[0x4000000000000001, 0xC007FFFFFFFFFFFF, 0x4014000000000000, 0xC000000000000001, 0x4007FFFFFFFFFFFF, 0x4008000000000000]> : tensor<6xf64>}) {
  %a0 = onnx.constant dense<[0xC011333333333333, 0x401CCCCCCCCCCCCD, 0x4014000000000000, 0x4011333333333333, 0xC01CCCCCCCCCCCCD, 0x4020000000000000]> : tensor<6xf64>
  %a1 = onnx.constant dense<[0x4000CCCCCCCCCCCD, 0xC00B333333333333, 0x4020000000000000, 0xC000CCCCCCCCCCCD, 0x400B333333333333, 0x4014000000000000]> : tensor<6xf64>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 0 : i64} : (tensor<6xf64>, tensor<6xf64>) -> (tensor<6xf64>)
  return %r0 : tensor<6xf64>
}

func.func @mod_float32_mixed_sign_fmod_0() -> (
    tensor<6xf32> {gensyn.expected = dense<[1.9999995, 0xC0400002, 5.0, 0xBFFFFFFC, 3.0000005, 3.0]> : tensor<6xf32>}) {
  %a0 = onnx.constant dense<[-4.3, 7.2, 5.0, 4.3, -7.2, 8.0]> : tensor<6xf32>
  %a1 = onnx.constant dense<[2.1, -3.4, 8.0, -2.1, 3.4, 5.0]> : tensor<6xf32>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 0 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  return %r0 : tensor<6xf32>
}

func.func @mul_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[4.0, 10.0, 18.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %r0 = onnx.Mul.v14(%a0, %a1) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mul_int8() -> (
    tensor<3x4x5xi8> {gensyn.expected = dense<[[[0, 0, 0, 23, 30], [0, 21, 3, 0, 14], [57, 51, 0, 0, 4], [24, 40, 0, 0, 28]], [[42, 22, 0, 0, 66], [48, 0, 9, 21, 3], [0, 30, 8, 14, 6], [2, 0, 18, 26, 60]], [[51, 18, 8, 20, 0], [17, 10, 18, 46, 45], [3, 20, 42, 30, 0], [22, 6, 54, 23, 19]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[0, 0, 0, 1, 3], [0, 1, 1, 0, 2], [3, 3, 0, 0, 1], [2, 2, 0, 0, 2]], [[2, 2, 0, 0, 3], [3, 0, 3, 1, 1], [0, 3, 1, 2, 2], [2, 0, 2, 2, 3]], [[3, 2, 1, 2, 0], [1, 1, 1, 2, 3], [1, 1, 3, 2, 0], [2, 3, 3, 1, 1]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[4, 22, 10, 23, 10], [18, 21, 3, 15, 7], [19, 17, 23, 14, 4], [12, 20, 20, 12, 14]], [[21, 11, 17, 9, 22], [16, 17, 3, 21, 3], [3, 10, 8, 7, 3], [1, 8, 9, 13, 20]], [[17, 9, 8, 10, 9], [17, 10, 18, 23, 15], [3, 20, 14, 15, 10], [11, 2, 18, 23, 19]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Mul.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @neg_example() -> (
    tensor<2xf32> {gensyn.expected = dense<[4.0, -2.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[-4.0, 2.0]> : tensor<2xf32>
  %r0 = onnx.Neg.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @not_2d() -> (
    tensor<3x4xi1> {gensyn.expected = dense<[[false, false, false, false], [false, true, false, true], [true, false, false, false]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %r0 = onnx.Not.v1(%a0) : (tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @not_3d() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, false, false, false, false], [true, false, true, true, false], [false, true, false, true, false], [true, false, false, false, false]], [[true, true, true, false, false], [false, true, true, true, true], [true, false, true, true, true], [false, true, true, true, false]], [[true, true, true, false, false], [false, true, true, true, true], [true, true, false, true, true], [false, true, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, true, true, true, true], [false, true, false, false, true], [true, false, true, false, true], [false, true, true, true, true]], [[false, false, false, true, true], [true, false, false, false, false], [false, true, false, false, false], [true, false, false, false, true]], [[false, false, false, true, true], [true, false, false, false, false], [false, false, true, false, false], [true, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.Not.v1(%a0) : (tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @reciprocal_example() -> (
    tensor<2xf32> {gensyn.expected = dense<[-0.25, 0.5]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[-4.0, 2.0]> : tensor<2xf32>
  %r0 = onnx.Reciprocal.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @round() -> (
    tensor<15xf32> {gensyn.expected = dense<[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, -1.0, -2.0, -2.0, -2.0, -2.0, -3.0]> : tensor<15xf32>}) {
  %a0 = onnx.constant dense<[0.1, 0.5, 0.9, 1.2, 1.5, 1.8, 2.3, 2.5, 2.7, -1.1, -1.5, -1.9, -2.2, -2.5, -2.8]> : tensor<15xf32>
  %r0 = onnx.Round.v22(%a0) : (tensor<15xf32>) -> (tensor<15xf32>)
  return %r0 : tensor<15xf32>
}

func.func @sign() -> (
    tensor<11xf32> {gensyn.expected = dense<[-1.0, -1.0, -1.0, -1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<11xf32>}) {
  %a0 = onnx.constant dense<[-5.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<11xf32>
  %r0 = onnx.Sign.v13(%a0) : (tensor<11xf32>) -> (tensor<11xf32>)
  return %r0 : tensor<11xf32>
}

func.func @sqrt_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 4.0, 9.0]> : tensor<3xf32>
  %r0 = onnx.Sqrt.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sub_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Sub.v14(%a0, %a1) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sub_int8() -> (
    tensor<3x4x5xi8> {gensyn.expected = dense<[[[8, 16, 15, 10, 22], [12, 14, 18, 14, 20], [11, 17, 10, 12, 14], [9, 17, 17, 10, 9]], [[8, 19, 14, 8, 7], [6, 7, 18, 4, 16], [11, 8, 11, 9, 17], [4, 4, 11, 19, 15]], [[10, 10, 7, 12, 6], [10, 13, 11, 21, 12], [11, 5, 8, 4, 18], [11, 3, 14, 10, 5]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[12, 20, 20, 21, 23], [21, 20, 18, 15, 23], [16, 20, 13, 22, 22], [16, 20, 18, 18, 18]], [[12, 20, 23, 16, 17], [17, 16, 19, 14, 18], [18, 19, 14, 20, 21], [14, 15, 21, 21, 23]], [[18, 12, 14, 15, 17], [21, 16, 18, 22, 19], [22, 14, 17, 15, 19], [15, 13, 19, 21, 16]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[4, 4, 5, 11, 1], [9, 6, 0, 1, 3], [5, 3, 3, 10, 8], [7, 3, 1, 8, 9]], [[4, 1, 9, 8, 10], [11, 9, 1, 10, 2], [7, 11, 3, 11, 4], [10, 11, 10, 2, 8]], [[8, 2, 7, 3, 11], [11, 3, 7, 1, 7], [11, 9, 9, 11, 1], [4, 10, 5, 11, 11]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Sub.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @sum_example() -> (
    tensor<3xf32> {gensyn.expected = dense<[6.0, 9.0, 12.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 3.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 6.0, 6.0]> : tensor<3xf32>
  %r0 = onnx.Sum.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sum_one_input() -> (
    tensor<3xf32> {gensyn.expected = dense<[3.0, 0.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %r0 = onnx.Sum.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @where_example() -> (
    tensor<2x2xf32> {gensyn.expected = dense<[[1.0, 8.0], [3.0, 4.0]]> : tensor<2x2xf32>}) {
  %a0 = onnx.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %a1 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a2 = onnx.constant dense<[[9.0, 8.0], [7.0, 6.0]]> : tensor<2x2xf32>
  %r0 = onnx.Where.v16(%a0, %a1, %a2) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>)
  return %r0 : tensor<2x2xf32>
}

func.func @where_long_example() -> (
    tensor<2x2xi64> {gensyn.expected = dense<[[1, 8], [3, 4]]> : tensor<2x2xi64>}) {
  %a0 = onnx.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %a1 = onnx.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %a2 = onnx.constant dense<[[9, 8], [7, 6]]> : tensor<2x2xi64>
  %r0 = onnx.Where.v16(%a0, %a1, %a2) : (tensor<2x2xi1>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x2xi64>)
  return %r0 : tensor<2x2xi64>
}
