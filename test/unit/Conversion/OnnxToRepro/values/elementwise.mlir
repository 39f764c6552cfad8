// Inputs of ONNX's node tests, and the bits that the reference gives for them;
// each of them is within the tolerance of ONNX's own expected values.

func.func @add_int8() -> (
    tensor<3x4x5xi8> {test.expected = dense<[[[22, 24, 28, 11, 43], [6, 14, 30, 25, 17], [7, 23, 30, 31, 13], [31, 32, 29, 13, 31]], [[29, 40, 12, 24, 45], [22, 18, 22, 22, 24], [12, 14, 11, 40, 23], [21, 31, 27, 32, 7]], [[29, 27, 30, 19, 19], [25, 13, 28, 28, 33], [34, 36, 31, 6, 19], [20, 37, 15, 21, 26]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[0, 8, 11, 8, 22], [3, 11, 20, 17, 10], [4, 22, 22, 22, 0], [11, 15, 20, 5, 21]], [[20, 23, 2, 6, 22], [7, 15, 2, 8, 9], [2, 3, 9, 22, 0], [2, 19, 15, 21, 4]], [[22, 10, 23, 10, 18], [21, 3, 15, 7, 19], [17, 23, 14, 4, 12], [20, 20, 12, 14, 21]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[22, 16, 17, 3, 21], [3, 3, 10, 8, 7], [3, 1, 8, 9, 13], [20, 17, 9, 8, 10]], [[9, 17, 10, 18, 23], [15, 3, 20, 14, 15], [10, 11, 2, 18, 23], [19, 12, 12, 11, 3]], [[7, 17, 7, 9, 1], [4, 10, 13, 21, 14], [17, 13, 17, 2, 7], [0, 17, 3, 7, 5]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Add.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @add_int16() -> (
    tensor<3x4x5xi16> {test.expected = dense<[[[41, 38, 9, 2, 20], [33, 19, 5, 19, 22], [21, 19, 14, 15, 12], [20, 20, 31, 19, 21]], [[24, 13, 29, 17, 5], [28, 40, 11, 28, 29], [28, 38, 39, 43, 25], [22, 7, 23, 24, 25]], [[27, 6, 22, 16, 28], [24, 37, 13, 7, 33], [27, 15, 24, 34, 16], [23, 15, 36, 6, 4]]]> : tensor<3x4x5xi16>}) {
  %a0 = onnx.constant dense<[[[18, 21, 0, 1, 12], [15, 2, 3, 2, 2], [19, 1, 9, 5, 7], [8, 18, 19, 4, 0]], [[5, 11, 15, 2, 4], [5, 19, 4, 21, 8], [17, 16, 22, 22, 8], [20, 1, 6, 17, 16]], [[9, 3, 1, 5, 8], [5, 20, 4, 6, 16], [13, 8, 3, 11, 7], [12, 3, 18, 1, 4]]]> : tensor<3x4x5xi16>
  %a1 = onnx.constant dense<[[[23, 17, 9, 1, 8], [18, 17, 2, 17, 20], [2, 18, 5, 10, 5], [12, 2, 12, 15, 21]], [[19, 2, 14, 15, 1], [23, 21, 7, 7, 21], [11, 22, 17, 21, 17], [2, 6, 17, 7, 9]], [[18, 3, 21, 11, 20], [19, 17, 9, 1, 17], [14, 7, 21, 23, 9], [11, 12, 18, 5, 0]]]> : tensor<3x4x5xi16>
  %r0 = onnx.Add.v14(%a0, %a1) : (tensor<3x4x5xi16>, tensor<3x4x5xi16>) -> (tensor<3x4x5xi16>)
  return %r0 : tensor<3x4x5xi16>
}

func.func @and2d() -> (
    tensor<3x4xi1> {test.expected = dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %a1 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>
  %r0 = onnx.And.v7(%a0, %a1) : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @and3d() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[true, false, true, false, false], [true, false, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, false, false], [false, false, true, false, false], [false, true, true, false, false], [false, false, false, false, false]], [[false, false, false, true, false], [true, false, true, false, false], [false, false, false, false, false], [false, false, true, true, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, false, true, false, true], [true, true, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, true, false], [false, false, true, false, false], [false, true, true, true, false], [false, false, false, false, false]], [[true, false, false, true, false], [true, true, true, true, false], [true, false, false, false, false], [true, false, true, true, false]]]> : tensor<3x4x5xi1>
  %a1 = onnx.constant dense<[[[true, true, true, false, false], [true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, false, true], [true, true, true, false, true], [false, true, true, false, true], [true, true, false, true, true]], [[false, false, false, true, true], [true, false, true, false, true], [false, true, true, false, true], [false, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.And.v7(%a0, %a1) : (tensor<3x4x5xi1>, tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @bitshift_right_uint8() -> (
    tensor<3xui8> {test.expected = dense<[8, 1, 0]> : tensor<3xui8>}) {
  %a0 = onnx.constant dense<[16, 4, 1]> : tensor<3xui8>
  %a1 = onnx.constant dense<[1, 2, 3]> : tensor<3xui8>
  %r0 = onnx.BitShift.v28(%a0, %a1) {direction = "RIGHT"} : (tensor<3xui8>, tensor<3xui8>) -> (tensor<3xui8>)
  return %r0 : tensor<3xui8>
}

func.func @bitshift_right_uint32() -> (
    tensor<3xui32> {test.expected = dense<[8, 1, 0]> : tensor<3xui32>}) {
  %a0 = onnx.constant dense<[16, 4, 1]> : tensor<3xui32>
  %a1 = onnx.constant dense<[1, 2, 3]> : tensor<3xui32>
  %r0 = onnx.BitShift.v28(%a0, %a1) {direction = "RIGHT"} : (tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>)
  return %r0 : tensor<3xui32>
}

func.func @bitwise_and_i32_2d() -> (
    tensor<3x4xi32> {test.expected = dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %a1 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseAnd.v18(%a0, %a1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_and_i16_3d() -> (
    tensor<3x4x5xi16> {test.expected = dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>}) {
  %a0 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %a1 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %r0 = onnx.BitwiseAnd.v18(%a0, %a1) : (tensor<3x4x5xi16>, tensor<3x4x5xi16>) -> (tensor<3x4x5xi16>)
  return %r0 : tensor<3x4x5xi16>
}

func.func @bitwise_not_2d() -> (
    tensor<3x4xi32> {test.expected = dense<[[356387802, -2135392492, -946286477, -1857819721], [2146992384, 1597193334, 848975156, -2143362694], [1517171888, 1133489215, 1750892399, 444182398]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseNot.v18(%a0) : (tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_not_3d() -> (
    tensor<3x4x5xui16> {test.expected = dense<[[[3034, 32532, 53363, 60343, 33024], [15478, 21812, 57722, 13488, 44095], [32623, 44926, 16435, 57784, 21778], [34307, 29305, 33510, 6989, 10987]], [[43777, 20122, 29805, 13867, 1140], [57091, 45589, 28003, 8290, 42609], [15821, 38331, 33576, 41000, 46102], [48398, 39432, 21025, 14495, 31657]], [[26482, 10262, 630, 31736, 28352], [13506, 61929, 23238, 62974, 2175], [3779, 1838, 35575, 7463, 33138], [25996, 65104, 28693, 3462, 17975]]]> : tensor<3x4x5xui16>}) {
  %a0 = onnx.constant dense<[[[62501, 33003, 12172, 5192, 32511], [50057, 43723, 7813, 52047, 21440], [32912, 20609, 49100, 7751, 43757], [31228, 36230, 32025, 58546, 54548]], [[21758, 45413, 35730, 51668, 64395], [8444, 19946, 37532, 57245, 22926], [49714, 27204, 31959, 24535, 19433], [17137, 26103, 44510, 51040, 33878]], [[39053, 55273, 64905, 33799, 37183], [52029, 3606, 42297, 2561, 63360], [61756, 63697, 29960, 58072, 32397], [39539, 431, 36842, 62073, 47560]]]> : tensor<3x4x5xui16>
  %r0 = onnx.BitwiseNot.v18(%a0) : (tensor<3x4x5xui16>) -> (tensor<3x4x5xui16>)
  return %r0 : tensor<3x4x5xui16>
}

func.func @bitwise_or_i32_2d() -> (
    tensor<3x4xi32> {test.expected = dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %a1 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseOr.v18(%a0, %a1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_xor_i32_2d() -> (
    tensor<3x4xi32> {test.expected = dense<[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<3x4xi32>}) {
  %a0 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %a1 = onnx.constant dense<[[-356387803, 2135392491, 946286476, 1857819720], [-2146992385, -1597193335, -848975157, 2143362693], [-1517171889, -1133489216, -1750892400, -444182399]]> : tensor<3x4xi32>
  %r0 = onnx.BitwiseXor.v18(%a0, %a1) : (tensor<3x4xi32>, tensor<3x4xi32>) -> (tensor<3x4xi32>)
  return %r0 : tensor<3x4xi32>
}

func.func @bitwise_xor_i16_3d() -> (
    tensor<3x4x5xi16> {test.expected = dense<[[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi16>}) {
  %a0 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %a1 = onnx.constant dense<[[[29733, 235, -20596, -27576, -257], [17289, 10955, -24955, 19279, -11328], [144, -12159, 16332, -25017, 10989], [-1540, 3462, -743, 25778, 21780]], [[-11010, 12645, 2962, 18900, 31627], [-24324, -12822, 4764, 24477, -9842], [16946, -5564, -809, -8233, -13335], [-15631, -6665, 11742, 18272, 1110]], [[6285, 22505, 32137, 1031, 4415], [19261, -29162, 9529, -30207, 30592], [28988, 30929, -2808, 25304, -371], [6771, -32337, 4074, 29305, 14792]]]> : tensor<3x4x5xi16>
  %r0 = onnx.BitwiseXor.v18(%a0, %a1) : (tensor<3x4x5xi16>, tensor<3x4x5xi16>) -> (tensor<3x4x5xi16>)
  return %r0 : tensor<3x4x5xi16>
}

func.func @cast_FLOAT_to_FLOAT16() -> (
    tensor<3x4xf16> {test.expected = dense<[[0x37AA, 0x37AF, 0x37FF, 0x3A8E], [0x3786, 0x3A88, 0x32BF, 0x39C9], [0x7E00, 0x7C00, 0x7C00, 0xFC00]]> : tensor<3x4xf16>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %r0 = onnx.Cast.v28(%a0) {to = 10 : i64} : (tensor<3x4xf32>) -> (tensor<3x4xf16>)
  return %r0 : tensor<3x4xf16>
}

func.func @cast_FLOAT_to_DOUBLE() -> (
    tensor<3x4xf64> {test.expected = dense<[[0x3FDEA6B700000000, 0x3FDEBDD600000000, 0x3FDFFAD640000000, 0x3FEA361CA0000000], [0x3FDE199980000000, 0x3FEA208180000000, 0x3FCAFDDA20000000, 0x3FE7220720000000], [0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000]]> : tensor<3x4xf64>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %r0 = onnx.Cast.v28(%a0) {to = 11 : i64} : (tensor<3x4xf32>) -> (tensor<3x4xf64>)
  return %r0 : tensor<3x4xf64>
}

func.func @castlike_FLOAT_to_FLOAT16() -> (
    tensor<3x4xf16> {test.expected = dense<[[0x37AA, 0x37AF, 0x37FF, 0x3A8E], [0x3786, 0x3A88, 0x32BF, 0x39C9], [0x7E00, 0x7C00, 0x7C00, 0xFC00]]> : tensor<3x4xf16>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<> : tensor<0xf16>
  %r0 = onnx.CastLike.v25(%a0, %a1) : (tensor<3x4xf32>, tensor<0xf16>) -> (tensor<3x4xf16>)
  return %r0 : tensor<3x4xf16>
}

func.func @castlike_FLOAT_to_DOUBLE() -> (
    tensor<3x4xf64> {test.expected = dense<[[0x3FDEA6B700000000, 0x3FDEBDD600000000, 0x3FDFFAD640000000, 0x3FEA361CA0000000], [0x3FDE199980000000, 0x3FEA208180000000, 0x3FCAFDDA20000000, 0x3FE7220720000000], [0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000]]> : tensor<3x4xf64>}) {
  %a0 = onnx.constant dense<[[0x3EF535B8, 0x3EF5EEB0, 0x3EFFD6B2, 0x3F51B0E5], [0x3EF0CCCC, 0.816468, 0x3E57EED1, 0.7229038], [0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000]]> : tensor<3x4xf32>
  %a1 = onnx.constant dense<> : tensor<0xf64>
  %r0 = onnx.CastLike.v25(%a0, %a1) : (tensor<3x4xf32>, tensor<0xf64>) -> (tensor<3x4xf64>)
  return %r0 : tensor<3x4xf64>
}

func.func @ceil_example() -> (
    tensor<2xf32> {test.expected = dense<[-1.0, 2.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[-1.5, 1.2]> : tensor<2xf32>
  %r0 = onnx.Ceil.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @div_example() -> (
    tensor<2xf32> {test.expected = dense<[3.0, 2.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %a1 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r0 = onnx.Div.v14(%a0, %a1) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @div_int8() -> (
    tensor<3x4x5xi8> {test.expected = dense<[[[1, 1, 0, 0, 0], [3, 1, 1, 0, 3], [0, 0, 0, 6, 0], [0, 0, 0, 1, 1]], [[0, 4, 1, 0, 0], [23, 6, 0, 0, 0], [2, 0, 2, 0, 0], [1, 0, 0, 0, 1]], [[0, 0, 0, 1, 2], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [1, 0, 2, 0, 4]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[16, 6, 0, 12, 18], [3, 16, 17, 14, 18], [11, 4, 15, 19, 4], [5, 3, 9, 4, 10]], [[8, 12, 6, 6, 6], [23, 20, 15, 3, 17], [10, 22, 22, 21, 4], [19, 5, 2, 2, 14]], [[5, 14, 9, 23, 10], [18, 20, 11, 10, 11], [18, 0, 8, 11, 8], [22, 3, 11, 20, 17]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[11, 5, 23, 23, 23], [1, 12, 16, 21, 6], [22, 21, 24, 3, 7], [23, 8, 16, 3, 9]], [[10, 3, 4, 10, 23], [1, 3, 20, 16, 22], [5, 23, 11, 24, 11], [19, 22, 4, 16, 8]], [[20, 18, 24, 15, 5], [13, 21, 21, 13, 15], [22, 12, 18, 10, 23], [17, 18, 4, 22, 4]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Div.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @equal() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, true], [false, false, false, false, false]], [[false, false, false, false, false], [false, false, true, false, false], [false, false, false, false, false], [false, false, false, false, false]], [[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[17, 4, 9, 22, 18], [-9, 9, -1, -1, 4], [1, 14, 7, 1, 4], [3, 14, -2, 3, -8]], [[-25, 6, 8, -7, 22], [-14, 0, -1, 15, 14], [1, 3, -8, -19, -3], [1, 12, 12, -3, -3]], [[-10, -14, -17, 19, -5], [-4, -12, 7, -16, -2], [-8, 3, -5, -11, 0], [4, 0, 3, -6, -3]]]> : tensor<3x4x5xi32>
  %a1 = onnx.constant dense<[[[-6, -3, -8, -17, 1], [-4, -16, 4, -9, 0], [7, 1, 11, -12, 4], [-6, -8, -5, -3, 0]], [[-11, 9, 4, -15, 14], [18, 11, -1, -10, 10], [-4, 12, 2, 9, 3], [7, 0, 17, 1, 4]], [[18, -13, -12, 9, -11], [19, -4, -7, 19, 14], [18, 9, -8, 19, -2], [8, 9, -1, 6, 9]]]> : tensor<3x4x5xi32>
  %r0 = onnx.Equal.v19(%a0, %a1) : (tensor<3x4x5xi32>, tensor<3x4x5xi32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @equal_int8() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]], [[false, false, false, true, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]], [[false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false], [false, false, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[3, -10, 2, 13, -6], [-1, -4, 18, 6, 4], [-7, 5, -6, 0, -6], [6, 5, -2, 3, -10]], [[-14, 4, 1, 6, 23], [9, -9, 11, -13, -4], [0, 17, -7, -8, 0], [-6, 11, -10, -11, -4]], [[-4, 19, 9, 0, -12], [8, -10, -15, 11, 3], [9, 3, 8, -6, -10], [6, -8, -6, -4, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[-3, -13, -6, -22, 6], [-16, -11, 0, -7, 15], [-12, 2, 0, -11, 5], [-1, 7, 8, 21, 13]], [[-3, -2, 10, 6, 6], [-16, 0, -7, 2, 0], [9, 3, 7, -4, -9], [-4, 0, 3, 22, 0]], [[-9, -3, -4, 4, -15], [0, 1, 2, -5, -2], [-14, -4, -5, 4, -11], [7, 14, -20, 4, 6]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Equal.v19(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @exp_example() -> (
    tensor<3xf32> {test.expected = dense<[0x3EBC5AB2, 1.0, 2.7182817]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Exp.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @floor_example() -> (
    tensor<3xf32> {test.expected = dense<[-2.0, 1.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.5, 1.2, 2.0]> : tensor<3xf32>
  %r0 = onnx.Floor.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @greater() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[true, true, true, true, true], [false, true, false, true, true], [false, true, false, true, true], [true, true, true, true, false]], [[false, false, true, true, true], [false, false, false, true, true], [true, false, false, false, false], [false, true, false, false, false]], [[false, false, false, true, true], [false, false, true, false, false], [false, false, true, false, true], [false, false, true, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.Greater.v13(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @greater_int8() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, false, false, true, false], [true, true, true, false, false], [true, false, false, true, false], [false, false, false, false, false]], [[false, false, false, false, true], [true, false, true, false, false], [false, true, false, false, false], [false, true, false, false, false]], [[false, true, false, false, false], [false, false, false, true, false], [true, false, false, false, false], [false, false, true, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Greater.v13(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @greater_equal() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[true, true, true, true, true], [false, true, false, true, true], [false, true, false, true, true], [true, true, true, true, false]], [[false, false, true, true, true], [false, false, false, true, true], [true, false, false, false, false], [false, true, false, false, false]], [[false, false, false, true, true], [false, false, true, false, false], [false, false, true, false, true], [false, false, true, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.GreaterOrEqual.v16(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @greater_equal_int8() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[true, true, true, true, true], [true, true, true, true, false], [true, true, true, true, true], [true, true, true, false, false]], [[false, true, false, true, true], [true, true, true, false, true], [true, true, true, true, true], [true, true, false, false, true]], [[true, true, true, true, true], [true, false, false, true, true], [true, true, true, true, true], [true, false, true, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.GreaterOrEqual.v16(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @isinf() -> (
    tensor<6xi1> {test.expected = dense<[false, false, true, false, true, true]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[-1.2, 0x7FC00000, 0x7F800000, 2.8, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  %r0 = onnx.IsInf.v20(%a0) : (tensor<6xf32>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @isinf_positive() -> (
    tensor<6xi1> {test.expected = dense<[false, false, true, false, false, true]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[-1.7, 0x7FC00000, 0x7F800000, 3.6, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  %r0 = onnx.IsInf.v20(%a0) {detect_negative = 0 : i64} : (tensor<6xf32>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @isnan() -> (
    tensor<6xi1> {test.expected = dense<[false, true, false, false, false, false]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[-1.2, 0x7FC00000, 0x7F800000, 2.8, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  %r0 = onnx.IsNaN.v20(%a0) : (tensor<6xf32>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @isnan_float16() -> (
    tensor<6xi1> {test.expected = dense<[false, true, false, false, false, false]> : tensor<6xi1>}) {
  %a0 = onnx.constant dense<[0xBCCD, 0x7E00, 0x7C00, 0x419A, 0xFC00, 0x7C00]> : tensor<6xf16>
  %r0 = onnx.IsNaN.v20(%a0) : (tensor<6xf16>) -> (tensor<6xi1>)
  return %r0 : tensor<6xi1>
}

func.func @less() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, false, false, false, false], [true, false, true, false, false], [true, false, true, false, false], [false, false, false, false, true]], [[true, true, false, false, false], [true, true, true, false, false], [false, true, true, true, true], [true, false, true, true, true]], [[true, true, true, false, false], [true, true, false, true, true], [true, true, false, true, false], [true, true, false, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.Less.v13(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @less_int8() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, false, false, false, false], [false, false, false, false, true], [false, false, false, false, false], [false, false, false, true, true]], [[true, false, true, false, false], [false, false, false, true, false], [false, false, false, false, false], [false, false, true, true, false]], [[false, false, false, false, false], [false, true, true, false, false], [false, false, false, false, false], [false, true, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Less.v13(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @less_equal() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, false, false, false, false], [true, false, true, false, false], [true, false, true, false, false], [false, false, false, false, true]], [[true, true, false, false, false], [true, true, true, false, false], [false, true, true, true, true], [true, false, true, true, true]], [[true, true, true, false, false], [true, true, false, true, true], [true, true, false, true, false], [true, true, false, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[1.7640524, 0.4001572, 0.978738, 2.2408931, 1.867558], [0xBF7A2EE2, 0x3F7338FF, 0xBE1AFD62, 0xBDD36468, 0x3ED239F8], [0x3E138028, 1.4542735, 0.7610377, 0x3DF930C0, 0x3EE3420B], [0x3EAAD75D, 1.4940791, 0xBE521502, 0.3130677, 0xBF5AA605]], [[0xC023642F, 0.6536186, 0.8644362, -0.742165, 2.2697546], [0xBFBA28A8, 0x3D3B6D48, 0xBE3FAD20, 1.5327792, 1.4693588], [0x3E1EAA8A, 0x3EC19E85, 0xBF6345ED, 0xBFFD8ABD, 0xBEB2218B], [0x3E2019F2, 1.2302907, 1.2023798, 0xBEC64FB3, 0xBE9AC76D]], [[-1.048553, -1.420018, 0xBFDA6710, 1.9507754, 0xBF027891], [0xBEE04B46, 0xBFA05B99, 0.7774904, 0xBFCE9434, 0xBE59D897], [0xBF653D4C, 0.3869025, 0xBF02C420, 0xBF971EF5, 0xBCE6DE6B], [0x3EDB4E51, 0x3D883A2E, 0.3024719, 0xBF2262EF, 0xBEB9B936]]]> : tensor<3x4x5xf32>
  %a1 = onnx.constant dense<[[[0xBF2C265E, 0xBEB8175A, 0xBF502A5B, 0xBFDCF6D4, 0x3E35AF33], [0xBECDB63B, 0xBFD0AA57, 0x3EECF1CC, 0xBF6844B5, 0x3D54C4B2], [0.7290906, 0x3E041419, 1.1394007, 0xBF9E0EC6, 0x3ECDFFB9], [0xBF2F4FB7, 0xBF5EEC90, 0xBF142F7E, 0xBE9F83D0, 0x3D660DA1]], [[0xBF9523A1, 0.9008265, 0x3EEE6B4F, 0xBFC4A3A2, 1.4882522], [1.8958892, 1.1787796, 0xBE383E37, 0xBF890E6C, 1.0544517], [0xBECE6D35, 1.222445, 0x3E554609, 0x3F7A0504, 0.3563664], [0.7065732, 0x3C2C0847, 1.7858706, 0x3E01F53E, 0x3ECDD18D]], [[1.8831507, -1.347759, -1.270485, 0.9693967, 0xBF9628E8], [1.9436212, 0xBED3C5DE, 0xBF3F5933, 1.922942, 1.4805148], [1.867559, 0x3F67F28B, 0xBF5C7949, 1.9100649, 0xBE8937BD], [0.8024564, 0.947252, 0xBE1EBAF7, 0x3F1D344E, 0.9222067]]]> : tensor<3x4x5xf32>
  %r0 = onnx.LessOrEqual.v16(%a0, %a1) : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @less_equal_int8() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[true, true, true, false, true], [false, false, false, true, true], [false, true, true, false, true], [true, true, true, true, true]], [[true, true, true, true, false], [false, true, false, true, true], [true, false, true, true, true], [true, false, true, true, true]], [[true, false, true, true, true], [true, true, true, false, true], [false, true, true, true, true], [true, true, false, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[0, -1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -1]], [[-1, 0, 0, 0, 2], [0, 0, 1, -1, 0], [0, 1, 0, 0, 0], [0, 1, -1, -1, 0]], [[0, 1, 0, 0, -1], [0, -1, -1, 1, 0], [0, 0, 0, 0, -1], [0, 0, 0, 0, 0]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[0, -1, 0, -2, 0], [-1, -1, 0, 0, 1], [-1, 0, 0, -1, 0], [0, 0, 0, 2, 1]], [[0, 0, 1, 0, 0], [-1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 0]], [[0, 0, 0, 0, -1], [0, 0, 0, 0, 0], [-1, 0, 0, 0, -1], [0, 1, -2, 0, 0]]]> : tensor<3x4x5xi8>
  %r0 = onnx.LessOrEqual.v16(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @log_example() -> (
    tensor<2xf32> {test.expected = dense<[0.0, 2.3025851]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %r0 = onnx.Log.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @max_example() -> (
    tensor<3xf32> {test.expected = dense<[3.0, 5.0, 4.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 4.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 5.0, 3.0]> : tensor<3xf32>
  %r0 = onnx.Max.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @max_one_input() -> (
    tensor<3xf32> {test.expected = dense<[3.0, 2.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Max.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mean_example() -> (
    tensor<3xf32> {test.expected = dense<[2.0, 3.0, 4.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 3.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 6.0, 6.0]> : tensor<3xf32>
  %r0 = onnx.Mean.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mean_one_input() -> (
    tensor<3xf32> {test.expected = dense<[3.0, 0.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %r0 = onnx.Mean.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @min_example() -> (
    tensor<3xf32> {test.expected = dense<[1.0, 2.0, 0.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 4.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 5.0, 0.0]> : tensor<3xf32>
  %r0 = onnx.Min.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @min_one_input() -> (
    tensor<3xf32> {test.expected = dense<[3.0, 2.0, 1.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Min.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mod_mixed_sign_float64() -> (
    tensor<6xf64> {test.expected = dense<[0xBFB9999999999980, 0x3FD99999999999A0, 0x4014000000000000, 0x3FB9999999999980, 0xBFD99999999999A0, 0x4008000000000000]> : tensor<6xf64>}) {
  %a0 = onnx.constant dense<[0xC011333333333333, 0x401CCCCCCCCCCCCD, 0x4014000000000000, 0x4011333333333333, 0xC01CCCCCCCCCCCCD, 0x4020000000000000]> : tensor<6xf64>
  %a1 = onnx.constant dense<[0x4000CCCCCCCCCCCD, 0xC00B333333333333, 0x4020000000000000, 0xC000CCCCCCCCCCCD, 0x400B333333333333, 0x4014000000000000]> : tensor<6xf64>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 1 : i64} : (tensor<6xf64>, tensor<6xf64>) -> (tensor<6xf64>)
  return %r0 : tensor<6xf64>
}

func.func @mod_mixed_sign_float32() -> (
    tensor<6xf32> {test.expected = dense<[0xBDCCCD00, 0x3ECCCCC0, 5.0, 0x3DCCCD00, 0xBECCCCC0, 3.0]> : tensor<6xf32>}) {
  %a0 = onnx.constant dense<[-4.3, 7.2, 5.0, 4.3, -7.2, 8.0]> : tensor<6xf32>
  %a1 = onnx.constant dense<[2.1, -3.4, 8.0, -2.1, 3.4, 5.0]> : tensor<6xf32>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 1 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  return %r0 : tensor<6xf32>
}

func.func @mod_mixed_sign_float16() -> (
    tensor<6xf16> {test.expected = dense<[0xAE80, 0x3660, 0x4500, 0x2E80, 0xB660, 0x4200]> : tensor<6xf16>}) {
  %a0 = onnx.constant dense<[0xC44D, 0x4733, 0x4500, 0x444D, 0xC733, 0x4800]> : tensor<6xf16>
  %a1 = onnx.constant dense<[0x4033, 0xC2CD, 0x4800, 0xC033, 0x42CD, 0x4500]> : tensor<6xf16>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 1 : i64} : (tensor<6xf16>, tensor<6xf16>) -> (tensor<6xf16>)
  return %r0 : tensor<6xf16>
}

func.func @mod_float64_mixed_sign_fmod_0() -> (
    tensor<6xf64> {test.expected = dense<[0x4000000000000001, 0xC007FFFFFFFFFFFF, 0x4014000000000000, 0xC000000000000001, 0x4007FFFFFFFFFFFF, 0x4008000000000000]> : tensor<6xf64>}) {
  %a0 = onnx.constant dense<[0xC011333333333333, 0x401CCCCCCCCCCCCD, 0x4014000000000000, 0x4011333333333333, 0xC01CCCCCCCCCCCCD, 0x4020000000000000]> : tensor<6xf64>
  %a1 = onnx.constant dense<[0x4000CCCCCCCCCCCD, 0xC00B333333333333, 0x4020000000000000, 0xC000CCCCCCCCCCCD, 0x400B333333333333, 0x4014000000000000]> : tensor<6xf64>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 0 : i64} : (tensor<6xf64>, tensor<6xf64>) -> (tensor<6xf64>)
  return %r0 : tensor<6xf64>
}

func.func @mod_float32_mixed_sign_fmod_0() -> (
    tensor<6xf32> {test.expected = dense<[1.9999995, 0xC0400002, 5.0, 0xBFFFFFFC, 3.0000005, 3.0]> : tensor<6xf32>}) {
  %a0 = onnx.constant dense<[-4.3, 7.2, 5.0, 4.3, -7.2, 8.0]> : tensor<6xf32>
  %a1 = onnx.constant dense<[2.1, -3.4, 8.0, -2.1, 3.4, 5.0]> : tensor<6xf32>
  %r0 = onnx.Mod.v28(%a0, %a1) {fmod = 0 : i64} : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
  return %r0 : tensor<6xf32>
}

func.func @mul_example() -> (
    tensor<3xf32> {test.expected = dense<[4.0, 10.0, 18.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %r0 = onnx.Mul.v14(%a0, %a1) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @mul_int8() -> (
    tensor<3x4x5xi8> {test.expected = dense<[[[0, 0, 0, 23, 30], [0, 21, 3, 0, 14], [57, 51, 0, 0, 4], [24, 40, 0, 0, 28]], [[42, 22, 0, 0, 66], [48, 0, 9, 21, 3], [0, 30, 8, 14, 6], [2, 0, 18, 26, 60]], [[51, 18, 8, 20, 0], [17, 10, 18, 46, 45], [3, 20, 42, 30, 0], [22, 6, 54, 23, 19]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[0, 0, 0, 1, 3], [0, 1, 1, 0, 2], [3, 3, 0, 0, 1], [2, 2, 0, 0, 2]], [[2, 2, 0, 0, 3], [3, 0, 3, 1, 1], [0, 3, 1, 2, 2], [2, 0, 2, 2, 3]], [[3, 2, 1, 2, 0], [1, 1, 1, 2, 3], [1, 1, 3, 2, 0], [2, 3, 3, 1, 1]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[4, 22, 10, 23, 10], [18, 21, 3, 15, 7], [19, 17, 23, 14, 4], [12, 20, 20, 12, 14]], [[21, 11, 17, 9, 22], [16, 17, 3, 21, 3], [3, 10, 8, 7, 3], [1, 8, 9, 13, 20]], [[17, 9, 8, 10, 9], [17, 10, 18, 23, 15], [3, 20, 14, 15, 10], [11, 2, 18, 23, 19]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Mul.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @neg_example() -> (
    tensor<2xf32> {test.expected = dense<[4.0, -2.0]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[-4.0, 2.0]> : tensor<2xf32>
  %r0 = onnx.Neg.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @not_2d() -> (
    tensor<3x4xi1> {test.expected = dense<[[false, false, false, false], [false, true, false, true], [true, false, false, false]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %r0 = onnx.Not.v1(%a0) : (tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @not_3d() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, false, false, false, false], [true, false, true, true, false], [false, true, false, true, false], [true, false, false, false, false]], [[true, true, true, false, false], [false, true, true, true, true], [true, false, true, true, true], [false, true, true, true, false]], [[true, true, true, false, false], [false, true, true, true, true], [true, true, false, true, true], [false, true, false, false, false]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, true, true, true, true], [false, true, false, false, true], [true, false, true, false, true], [false, true, true, true, true]], [[false, false, false, true, true], [true, false, false, false, false], [false, true, false, false, false], [true, false, false, false, true]], [[false, false, false, true, true], [true, false, false, false, false], [false, false, true, false, false], [true, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.Not.v1(%a0) : (tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @or2d() -> (
    tensor<3x4xi1> {test.expected = dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %a1 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>
  %r0 = onnx.Or.v7(%a0, %a1) : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @or3d() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[true, true, true, false, true], [true, true, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, true, true], [true, true, true, false, true], [false, true, true, true, true], [true, true, false, true, true]], [[true, false, false, true, true], [true, true, true, true, true], [true, true, true, false, true], [true, false, true, true, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, false, true, false, true], [true, true, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, true, false], [false, false, true, false, false], [false, true, true, true, false], [false, false, false, false, false]], [[true, false, false, true, false], [true, true, true, true, false], [true, false, false, false, false], [true, false, true, true, false]]]> : tensor<3x4x5xi1>
  %a1 = onnx.constant dense<[[[true, true, true, false, false], [true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, false, true], [true, true, true, false, true], [false, true, true, false, true], [true, true, false, true, true]], [[false, false, false, true, true], [true, false, true, false, true], [false, true, true, false, true], [false, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.Or.v7(%a0, %a1) : (tensor<3x4x5xi1>, tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @reciprocal_example() -> (
    tensor<2xf32> {test.expected = dense<[-0.25, 0.5]> : tensor<2xf32>}) {
  %a0 = onnx.constant dense<[-4.0, 2.0]> : tensor<2xf32>
  %r0 = onnx.Reciprocal.v13(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %r0 : tensor<2xf32>
}

func.func @round() -> (
    tensor<15xf32> {test.expected = dense<[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, -1.0, -2.0, -2.0, -2.0, -2.0, -3.0]> : tensor<15xf32>}) {
  %a0 = onnx.constant dense<[0.1, 0.5, 0.9, 1.2, 1.5, 1.8, 2.3, 2.5, 2.7, -1.1, -1.5, -1.9, -2.2, -2.5, -2.8]> : tensor<15xf32>
  %r0 = onnx.Round.v22(%a0) : (tensor<15xf32>) -> (tensor<15xf32>)
  return %r0 : tensor<15xf32>
}

func.func @sign() -> (
    tensor<11xf32> {test.expected = dense<[-1.0, -1.0, -1.0, -1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<11xf32>}) {
  %a0 = onnx.constant dense<[-5.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<11xf32>
  %r0 = onnx.Sign.v13(%a0) : (tensor<11xf32>) -> (tensor<11xf32>)
  return %r0 : tensor<11xf32>
}

func.func @sqrt_example() -> (
    tensor<3xf32> {test.expected = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 4.0, 9.0]> : tensor<3xf32>
  %r0 = onnx.Sqrt.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sub_example() -> (
    tensor<3xf32> {test.expected = dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %r0 = onnx.Sub.v14(%a0, %a1) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sub_int8() -> (
    tensor<3x4x5xi8> {test.expected = dense<[[[8, 16, 15, 10, 22], [12, 14, 18, 14, 20], [11, 17, 10, 12, 14], [9, 17, 17, 10, 9]], [[8, 19, 14, 8, 7], [6, 7, 18, 4, 16], [11, 8, 11, 9, 17], [4, 4, 11, 19, 15]], [[10, 10, 7, 12, 6], [10, 13, 11, 21, 12], [11, 5, 8, 4, 18], [11, 3, 14, 10, 5]]]> : tensor<3x4x5xi8>}) {
  %a0 = onnx.constant dense<[[[12, 20, 20, 21, 23], [21, 20, 18, 15, 23], [16, 20, 13, 22, 22], [16, 20, 18, 18, 18]], [[12, 20, 23, 16, 17], [17, 16, 19, 14, 18], [18, 19, 14, 20, 21], [14, 15, 21, 21, 23]], [[18, 12, 14, 15, 17], [21, 16, 18, 22, 19], [22, 14, 17, 15, 19], [15, 13, 19, 21, 16]]]> : tensor<3x4x5xi8>
  %a1 = onnx.constant dense<[[[4, 4, 5, 11, 1], [9, 6, 0, 1, 3], [5, 3, 3, 10, 8], [7, 3, 1, 8, 9]], [[4, 1, 9, 8, 10], [11, 9, 1, 10, 2], [7, 11, 3, 11, 4], [10, 11, 10, 2, 8]], [[8, 2, 7, 3, 11], [11, 3, 7, 1, 7], [11, 9, 9, 11, 1], [4, 10, 5, 11, 11]]]> : tensor<3x4x5xi8>
  %r0 = onnx.Sub.v14(%a0, %a1) : (tensor<3x4x5xi8>, tensor<3x4x5xi8>) -> (tensor<3x4x5xi8>)
  return %r0 : tensor<3x4x5xi8>
}

func.func @sum_example() -> (
    tensor<3xf32> {test.expected = dense<[6.0, 9.0, 12.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %a1 = onnx.constant dense<[1.0, 3.0, 4.0]> : tensor<3xf32>
  %a2 = onnx.constant dense<[2.0, 6.0, 6.0]> : tensor<3xf32>
  %r0 = onnx.Sum.v13(%a0, %a1, %a2) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sum_one_input() -> (
    tensor<3xf32> {test.expected = dense<[3.0, 0.0, 2.0]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %r0 = onnx.Sum.v13(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @where_example() -> (
    tensor<2x2xf32> {test.expected = dense<[[1.0, 8.0], [3.0, 4.0]]> : tensor<2x2xf32>}) {
  %a0 = onnx.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %a1 = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a2 = onnx.constant dense<[[9.0, 8.0], [7.0, 6.0]]> : tensor<2x2xf32>
  %r0 = onnx.Where.v16(%a0, %a1, %a2) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>)
  return %r0 : tensor<2x2xf32>
}

func.func @where_long_example() -> (
    tensor<2x2xi64> {test.expected = dense<[[1, 8], [3, 4]]> : tensor<2x2xi64>}) {
  %a0 = onnx.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %a1 = onnx.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %a2 = onnx.constant dense<[[9, 8], [7, 6]]> : tensor<2x2xi64>
  %r0 = onnx.Where.v16(%a0, %a1, %a2) : (tensor<2x2xi1>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x2xi64>)
  return %r0 : tensor<2x2xi64>
}

func.func @xor2d() -> (
    tensor<3x4xi1> {test.expected = dense<[[false, false, false, false], [false, false, false, false], [false, false, false, true]]> : tensor<3x4xi1>}) {
  %a0 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, true]]> : tensor<3x4xi1>
  %a1 = onnx.constant dense<[[true, true, true, true], [true, false, true, false], [false, true, true, false]]> : tensor<3x4xi1>
  %r0 = onnx.Xor.v7(%a0, %a1) : (tensor<3x4xi1>, tensor<3x4xi1>) -> (tensor<3x4xi1>)
  return %r0 : tensor<3x4xi1>
}

func.func @xor3d() -> (
    tensor<3x4x5xi1> {test.expected = dense<[[[false, true, false, false, true], [false, true, false, true, true], [true, false, false, false, true], [true, true, false, false, false]], [[false, true, false, true, true], [true, true, false, false, true], [false, false, false, true, true], [true, true, false, true, true]], [[true, false, false, false, true], [false, true, false, true, true], [true, true, true, false, true], [true, false, false, false, true]]]> : tensor<3x4x5xi1>}) {
  %a0 = onnx.constant dense<[[[true, false, true, false, true], [true, true, true, false, false], [false, true, true, true, false], [false, false, false, false, true]], [[false, false, false, true, false], [false, false, true, false, false], [false, true, true, true, false], [false, false, false, false, false]], [[true, false, false, true, false], [true, true, true, true, false], [true, false, false, false, false], [true, false, true, true, false]]]> : tensor<3x4x5xi1>
  %a1 = onnx.constant dense<[[[true, true, true, false, false], [true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]], [[false, true, false, false, true], [true, true, true, false, true], [false, true, true, false, true], [true, true, false, true, true]], [[false, false, false, true, true], [true, false, true, false, true], [false, true, true, false, true], [false, false, true, true, true]]]> : tensor<3x4x5xi1>
  %r0 = onnx.Xor.v7(%a0, %a1) : (tensor<3x4x5xi1>, tensor<3x4x5xi1>) -> (tensor<3x4x5xi1>)
  return %r0 : tensor<3x4x5xi1>
}

func.func @sin_example() -> (
    tensor<3xf32> {test.expected = dense<[-8.414709568e-01, 0.000000000e+00, 8.414709568e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Sin.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @cos_example() -> (
    tensor<3xf32> {test.expected = dense<[5.403022766e-01, 1.000000000e+00, 5.403022766e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Cos.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @tan_example() -> (
    tensor<3xf32> {test.expected = dense<[-1.557407737e+00, 0.000000000e+00, 1.557407737e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Tan.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @asin_example() -> (
    tensor<3xf32> {test.expected = dense<[-5.235987902e-01, 0.000000000e+00, 5.235987902e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-5.000000000e-01, 0.000000000e+00, 5.000000000e-01]> : tensor<3xf32>
  %r0 = onnx.Asin.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @acos_example() -> (
    tensor<3xf32> {test.expected = dense<[2.094395161e+00, 1.570796371e+00, 1.047197580e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-5.000000000e-01, 0.000000000e+00, 5.000000000e-01]> : tensor<3xf32>
  %r0 = onnx.Acos.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @atan_example() -> (
    tensor<3xf32> {test.expected = dense<[-7.853981853e-01, 0.000000000e+00, 7.853981853e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Atan.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @sinh_example() -> (
    tensor<3xf32> {test.expected = dense<[-1.175201178e+00, 0.000000000e+00, 1.175201178e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Sinh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @cosh_example() -> (
    tensor<3xf32> {test.expected = dense<[1.543080688e+00, 1.000000000e+00, 1.543080688e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Cosh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @asinh_example() -> (
    tensor<3xf32> {test.expected = dense<[-8.813735843e-01, 0.000000000e+00, 8.813735843e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-1.000000000e+00, 0.000000000e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Asinh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @acosh_example() -> (
    tensor<3xf32> {test.expected = dense<[2.993222952e+00, 1.657454371e+00, 0.000000000e+00]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[1.000000000e+01, 2.718281746e+00, 1.000000000e+00]> : tensor<3xf32>
  %r0 = onnx.Acosh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}

func.func @atanh_example() -> (
    tensor<3xf32> {test.expected = dense<[-5.493061543e-01, 0.000000000e+00, 5.493061543e-01]> : tensor<3xf32>}) {
  %a0 = onnx.constant dense<[-5.000000000e-01, 0.000000000e+00, 5.000000000e-01]> : tensor<3xf32>
  %r0 = onnx.Atanh.v22(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
  return %r0 : tensor<3xf32>
}
