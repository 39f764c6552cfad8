// RUN: gensyn-opt %s --pass-pipeline="builtin.module(convert-onnx-to-repro,func.func(repro-assign-orders))" \
// RUN:   | gensyn-translate --interpret | FileCheck %s
// CHECK-COUNT-29: as expected
// CHECK-NOT: {{.}}

// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @and2d() -> (
    tensor<3x4xi1> {gensyn.expected = dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %a1 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>
  %r0 = onnx.And.v7(%a0, %a1) : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @and3d() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[true, false, true, false, false], [true, false, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, false, false], [false, false, true, false, false], [false, true, true, false, false], [false, false, false, false, false]], [[false, false, false, true, false], [true, false, true, false, false], [false, false, false, false, false], [false, false, true, true, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, false, true, false, true], [true, true, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, true, false], [false, false, true, false, false], [false, true, true, true, false], [false, false, false, false, false]], [[true, false, false, true, false], [true, true, true, true, false], [true, false, false, false, false], [true, false, true, true, false]]]> : tensor<3x4x5xi1>
  %a1 = onnx.constant dense<[[[true, true, true, false, false], [true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, false, true], [true, true, true, false, true], [false, true, true, false, true], [true, true, false, true, true]], [[false, false, false, true, true], [true, false, true, false, true], [false, true, true, false, true], [false, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.And.v7(%a0, %a1) : (tensor<3x4x5xi1>, tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @bitshift_right_uint8() -> (
    tensor<3xui8> {gensyn.expected = dense<[8, 1, 0]> : tensor<3xui8>}) {
  %a0 = onnx.constant dense<[16, 4, 1]> : tensor<3xui8>
  %a1 = onnx.constant dense<[1, 2, 3]> : tensor<3xui8>
  %r0 = onnx.BitShift.v28(%a0, %a1) {direction = "RIGHT"} : (tensor<3xui8>, tensor<3xui8>) -> (tensor<3xui8>)
  return %r0 : tensor<3xui8>
}

func.func @bitshift_right_uint32() -> (
    tensor<3xui32> {gensyn.expected = dense<[8, 1, 0]> : tensor<3xui32>}) {
  %a0 = onnx.constant dense<[16, 4, 1]> : tensor<3xui32>
  %a1 = onnx.constant dense<[1, 2, 3]> : tensor<3xui32>
  %r0 = onnx.BitShift.v28(%a0, %a1) {direction = "RIGHT"} : (tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>)
  return %r0 : tensor<3xui32>
}

func.func @bitwise_and_i32_2d() -> (
    tensor<3x4xi32> {gensyn.expected = dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %a1 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseAnd.v18(%a0, %a1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_and_i16_3d() -> (
    tensor<3x4x5xi16> {gensyn.expected = dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>}) {
  %a0 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %a1 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %r0 = onnx.BitwiseAnd.v18(%a0, %a1) : (tensor<3x4x5xi16>, tensor<3x4x5xi16>) -> (tensor<3x4x5xi16>)
  return %r0 : tensor<3x4x5xi16>
}

func.func @bitwise_not_2d() -> (
    tensor<3x4xi32> {gensyn.expected = dense<[[356387802, -2135392492, -946286477, -1857819721], [2146992384, 1597193334, 848975156, -2143362694], [1517171888, 1133489215, 1750892399, 444182398]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseNot.v18(%a0) : (tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_not_3d() -> (
    tensor<3x4x5xui16> {gensyn.expected = dense<[[[3034, 32532, 53363, 60343, 33024], [15478, 21812, 57722, 13488, 44095], [32623, 44926, 16435, 57784, 21778], [34307, 29305, 33510, 6989, 10987]], [[43777, 20122, 29805, 13867, 1140], [57091, 45589, 28003, 8290, 42609], [15821, 38331, 33576, 41000, 46102], [48398, 39432, 21025, 14495, 31657]], [[26482, 10262, 630, 31736, 28352], [13506, 61929, 23238, 62974, 2175], [3779, 1838, 35575, 7463, 33138], [25996, 65104, 28693, 3462, 17975]]]> : tensor<3x4x5xui16>}) {
  %a0 = onnx.constant dense<[[[62501, 33003, 12172, 5192, 32511], [50057, 43723, 7813, 52047, 21440], [32912, 20609, 49100, 7751, 43757], [31228, 36230, 32025, 58546, 54548]], [[21758, 45413, 35730, 51668, 64395], [8444, 19946, 37532, 57245, 22926], [49714, 27204, 31959, 24535, 19433], [17137, 26103, 44510, 51040, 33878]], [[39053, 55273, 64905, 33799, 37183], [52029, 3606, 42297, 2561, 63360], [61756, 63697, 29960, 58072, 32397], [39539, 431, 36842, 62073, 47560]]]> : tensor<3x4x5xui16>
  %r0 = onnx.BitwiseNot.v18(%a0) : (tensor<3x4x5xui16>) -> (tensor<3x4x5xui16>)
  return %r0 : tensor<3x4x5xui16>
}

func.func @bitwise_or_i32_2d() -> (
    tensor<3x4xi32> {gensyn.expected = dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %a1 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseOr.v18(%a0, %a1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_xor_i32_2d() -> (
    tensor<3x4xi32> {gensyn.expected = dense<[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %a1 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseXor.v18(%a0, %a1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_xor_i16_3d() -> (
    tensor<3x4x5xi16> {gensyn.expected = dense<[[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi16>}) {
  %a0 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %a1 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %r0 = onnx.BitwiseXor.v18(%a0, %a1) : (tensor<3x4x5xi16>, tensor<3x4x5xi16>) -> (tensor<3x4x5xi16>)
  return %r0 : tensor<3x4x5xi16>
}

func.func @equal() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, true], [false, false, false, false, false]], [[false, false, false, false, false], [false, false, true, false, false], [false, false, false, false, false], [false, false, false, false, false]], [[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[17, 4, 9, 22, 18], [-9, 9, -1, -1, 4], [1, 14, 7, 1, 4], [3, 14, -2, 3, -8]], [[-25, 6, 8, -7, 22], [-14, 0, -1, 15, 14], [1, 3, -8, -19, -3], [1, 12, 12, -3, -3]], [[-10, -14, -17, 19, -5], [-4, -12, 7, -16, -2], [-8, 3, -5, -11, 0], [4, 0, 3, -6, -3]]]> : tensor<3x4x5xi32>
  %a1 = onnx.constant dense<[[[-6, -3, -8, -17, 1], [-4, -16, 4, -9, 0], [7, 1, 11, -12, 4], [-6, -8, -5, -3, 0]], [[-11, 9, 4, -15, 14], [18, 11, -1, -10, 10], [-4, 12, 2, 9, 3], [7, 0, 17, 1, 4]], [[18, -13, -12, 9, -11], [19, -4, -7, 19, 14], [18, 9, -8, 19, -2], [8, 9, -1, 6, 9]]]> : tensor<3x4x5xi32>
  %r0 = onnx.Equal.v19(%a0, %a1) : (tensor<3x4x5xi32>, tensor<3x4x5xi32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @equal_int8() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]], [[false, false, false, true, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]], [[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[3, -10, 2, 13, -6], [-1, -4, 18, 6, 4], [-7, 5, -6, 0, -6], [6, 5, -2, 3, -10]], [[-14, 4, 1, 6, 23], [9, -9, 11, -13, -4], [0, 17, -7, -8, 0], [-6, 11, -10, -11, -4]], [[-4, 19, 9, 0, -12], [8, -10, -15, 11, 3], [9, 3, 8, -6, -10], [6, -8, -6, -4, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[-3, -13, -6, -22, 6], [-16, -11, 0, -7, 15], [-12, 2, 0, -11, 5], [-1, 7, 8, 21, 13]], [[-3, -2, 10, 6, 6], [-16, 0, -7, 2, 0], [9, 3, 7, -4, -9], [-4, 0, 3, 22, 0]], [[-9, -3, -4, 4, -15], [0, 1, 2, -5, -2], [-14, -4, -5, 4, -11], [7, 14, -20, 4, 6]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Equal.v19(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @greater() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[true, true, true, true, true], [false, true, false, true, true], [false, true, false, true, true], [true, true, true, true, false]], [[false, false, true, true, true], [false, false, false, true, true], [true, false, false, false, false], [false, true, false, false, false]], [[false, false, false, true, true], [false, false, true, false, false], [false, false, true, false, true], [false, false, true, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.Greater.v13(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @greater_int8() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, false, false, true, false], [true, true, true, false, false], [true, false, false, true, false], [false, false, false, false, false]], [[false, false, false, false, true], [true, false, true, false, false], [false, true, false, false, false], [false, true, false, false, false]], [[false, true, false, false, false], [false, false, false, true, false], [true, false, false, false, false], [false, false, true, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Greater.v13(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @greater_equal() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[true, true, true, true, true], [false, true, false, true, true], [false, true, false, true, true], [true, true, true, true, false]], [[false, false, true, true, true], [false, false, false, true, true], [true, false, false, false, false], [false, true, false, false, false]], [[false, false, false, true, true], [false, false, true, false, false], [false, false, true, false, true], [false, false, true, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.GreaterOrEqual.v16(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @greater_equal_int8() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[true, true, true, true, true], [true, true, true, true, false], [true, true, true, true, true], [true, true, true, false, false]], [[false, true, false, true, true], [true, true, true, false, true], [true, true, true, true, true], [true, true, false, false, true]], [[true, true, true, true, true], [true, false, false, true, true], [true, true, true, true, true], [true, false, true, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.GreaterOrEqual.v16(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @isinf() -> (
    tensor<6xi1> {gensyn.expected = dense<[false, false, true, false, true, true]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[-1.2, 0x7FC00000, 0x7F800000, 2.8, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  %r0 = onnx.IsInf.v20(%a0) : (tensor<6xf32>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @isinf_positive() -> (
    tensor<6xi1> {gensyn.expected = dense<[false, false, true, false, false, true]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[-1.7, 0x7FC00000, 0x7F800000, 3.6, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  %r0 = onnx.IsInf.v20(%a0) {detect_negative = 0 : i64} : (tensor<6xf32>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @isnan() -> (
    tensor<6xi1> {gensyn.expected = dense<[false, true, false, false, false, false]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[-1.2, 0x7FC00000, 0x7F800000, 2.8, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  %r0 = onnx.IsNaN.v20(%a0) : (tensor<6xf32>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @isnan_float16() -> (
    tensor<6xi1> {gensyn.expected = dense<[false, true, false, false, false, false]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[0xBCCD, 0x7E00, 0x7C00, 0x419A, 0xFC00, 0x7C00]> : tensor<6xf16>
  %r0 = onnx.IsNaN.v20(%a0) : (tensor<6xf16>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @less() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, false, false, false, false], [true, false, true, false, false], [true, false, true, false, false], [false, false, false, false, true]], [[true, true, false, false, false], [true, true, true, false, false], [false, true, true, true, true], [true, false, true, true, true]], [[true, true, true, false, false], [true, true, false, true, true], [true, true, false, true, false], [true, true, false, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.Less.v13(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @less_int8() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, false, false, false, false], [false, false, false, false, true], [false, false, false, false, false], [false, false, false, true, true]], [[true, false, true, false, false], [false, false, false, true, false], [false, false, false, false, false], [false, false, true, true, false]], [[false, false, false, false, false], [false, true, true, false, false], [false, false, false, false, false], [false, true, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Less.v13(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @less_equal() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, false, false, false, false], [true, false, true, false, false], [true, false, true, false, false], [false, false, false, false, true]], [[true, true, false, false, false], [true, true, true, false, false], [false, true, true, true, true], [true, false, true, true, true]], [[true, true, true, false, false], [true, true, false, true, true], [true, true, false, true, false], [true, true, false, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.LessOrEqual.v16(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @less_equal_int8() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[true, true, true, false, true], [false, false, false, true, true], [false, true, true, false, true], [true, true, true, true, true]], [[true, true, true, true, false], [false, true, false, true, true], [true, false, true, true, true], [true, false, true, true, true]], [[true, false, true, true, true], [true, true, true, false, true], [false, true, true, true, true], [true, true, false, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.LessOrEqual.v16(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @or2d() -> (
    tensor<3x4xi1> {gensyn.expected = dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %a1 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>
  %r0 = onnx.Or.v7(%a0, %a1) : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @or3d() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[true, true, true, false, true], [true, true, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, true, true], [true, true, true, false, true], [false, true, true, true, true], [true, true, false, true, true]], [[true, false, false, true, true], [true, true, true, true, true], [true, true, true, false, true], [true, false, true, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, false, true, false, true], [true, true, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, true, false], [false, false, true, false, false], [false, true, true, true, false], [false, false, false, false, false]], [[true, false, false, true, false], [true, true, true, true, false], [true, false, false, false, false], [true, false, true, true, false]]]> : tensor<3x4x5xi1>
  %a1 = onnx.constant dense<[[[true, true, true, false, false], [true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, false, true], [true, true, true, false, true], [false, true, true, false, true], [true, true, false, true, true]], [[false, false, false, true, true], [true, false, true, false, true], [false, true, true, false, true], [false, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.Or.v7(%a0, %a1) : (tensor<3x4x5xi1>, tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @xor2d() -> (
    tensor<3x4xi1> {gensyn.expected = dense<[[false, false, false, false], [false, false, false, false], [false, false, false, true]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %a1 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>
  %r0 = onnx.Xor.v7(%a0, %a1) : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @xor3d() -> (
    tensor<3x4x5xi1> {gensyn.expected = dense<[[[false, true, false, false, true], [false, true, false, true, true], [true, false, false, false, true], [true, true, false, false, false]], [[false, true, false, true, true], [true, true, false, false, true], [false, false, false, true, true], [true, true, false, true, true]], [[true, false, false, false, true], [false, true, false, true, true], [true, true, true, false, true], [true, false, false, false, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, false, true, false, true], [true, true, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, true, false], [false, false, true, false, false], [false, true, true, true, false], [false, false, false, false, false]], [[true, false, false, true, false], [true, true, true, true, false], [true, false, false, false, false], [true, false, true, true, false]]]> : tensor<3x4x5xi1>
  %a1 = onnx.constant dense<[[[true, true, true, false, false], [true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, false, true], [true, true, true, false, true], [false, true, true, false, true], [true, true, false, true, true]], [[false, false, false, true, true], [true, false, true, false, true], [false, true, true, false, true], [false, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.Xor.v7(%a0, %a1) : (tensor<3x4x5xi1>, tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}
