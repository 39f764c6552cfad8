// Quantized operators: integers or narrow floats with a scale and a zero point.
// Sums of integers are exact, so the only roundings are those of the scales.

#include "../NN/Windows.h"
#include "../Support/OperatorTable.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// A scale or zero point in the shape of `x`: one number, one for each index
/// along `axis`, or one for each block of `blockSize` of them. Null after
/// `refuse`.
static Value spread(NodeBuilder &b, Value parameter, Value x, int64_t axis,
                    int64_t blockSize) {
  if (product(shapeOf(parameter)) == 1)
    return b.reshape(parameter, {});
  axis = NodeBuilder::normalized(axis, rankOf(x));
  if (axis < 0 || axis >= rankOf(x))
    return b.refuse("axis is out of range for the rank");
  if (blockSize == 0)
    return b.along(parameter, axis, rankOf(x));
  int64_t extent = shapeOf(x)[axis];
  if (rankOf(parameter) != rankOf(x) || blockSize < 1 || blockSize > extent ||
      shapeOf(parameter)[axis] != (extent + blockSize - 1) / blockSize)
    return b.refuse("block_size does not fit the shapes");
  Extents wide(shapeOf(parameter)), dims = range(0, axis + 1);
  wide.insertAt(axis + 1, blockSize);
  llvm::append_range(dims, range(axis + 2, wide.size()));
  Value repeated = repro::createBroadcast(
      b.builder, b.location, parameter,
      RankedTensorType::get(wide, elementOf(parameter)), dims);
  wide.eraseAt(axis + 1);
  wide[axis] *= blockSize;
  // The last block may be shorter.
  return b.sliceDim(b.reshape(repeated, wide), axis, 0, shapeOf(x)[axis]);
}

/// True if a zero point is known to be zero. It is then omitted, so that a -0
/// stays.
static bool isZero(NodeBuilder &b, Value zero) {
  return b.constantScalar(zero) == 0.0;
}

/// round(x) + zero, clamped to `element`, since x may be out of range on either
/// side. For floats x + zero, converted as the node's `saturate` says; clamped
/// if the operator has no such attribute.
static Value roundTo(NodeBuilder &b, Value x, Value zero, Type element) {
  if (isa<FloatType>(element)) {
    if (zero && !isZero(b, zero))
      x = b.add(x, b.convert(zero, elementOf(x)));
    Narrowing how = b.narrowing();
    how.saturate |= !b.node.hasFormalAttribute("saturate");
    return b.convert(x, element, how);
  }
  Value rounded = b.round(repro::RoundKind::Even, x);
  if (zero && !isZero(b, zero))
    rounded = b.add(rounded, b.convert(zero, elementOf(x)));
  unsigned width = element.getIntOrFloatBitWidth();
  if (width > 16)
    return b.refuse("only integers of at most 16 bits are supported");
  bool isUnsigned = element.isUnsignedInteger();
  double low = isUnsigned ? 0 : -double(1 << (width - 1));
  double high = double((1 << (isUnsigned ? width : width - 1)) - 1);
  rounded = b.binary<repro::MaxOp>(rounded, b.fill(low, rounded));
  rounded = b.binary<repro::MinOp>(rounded, b.fill(high, rounded));
  return b.convert(rounded, element);
}

static int64_t optional(NodeBuilder &b, StringRef name, int64_t missing) {
  return b.node.hasFormalAttribute(name) ? b.integer(name) : missing;
}

/// The type to which x / y_scale is rounded: from version 23 on that of the
/// attribute `precision`, otherwise that of the scale.
static Type divisionType(NodeBuilder &b) {
  Type type;
  if (b.since() >= 23) {
    int64_t number = optional(b, "precision", 0);
    type = number ? gensyn::onnx::elementTypeOf(b.builder.getContext(), number)
                  : elementOf(b.raw("y_scale"));
  }
  return type && (type.isF16() || type.isBF16()) ? type
                                                 : b.builder.getF32Type();
}

static Value convertQuantize(NodeBuilder &b) {
  Type type = divisionType(b);
  // The operands in the type of the division.
  auto rounded = [&](Value value) { return b.widen(b.convert(value, type)); };
  Value x = rounded(b.raw("x")), zero = b.raw("y_zero_point");
  int64_t axis = optional(b, "axis", 1), block = optional(b, "block_size", 0);
  Value scale = spread(b, rounded(b.raw("y_scale")), x, axis, block);
  if (!scale)
    return nullptr;
  if (zero && !isZero(b, zero))
    zero = spread(b, zero, x, axis, block);
  return roundTo(b, rounded(b.div(x, scale)), zero,
                 b.resultType().getElementType());
}

static Value convertDequantize(NodeBuilder &b) {
  Value x = b.raw("x"), zero = b.raw("x_zero_point");
  int64_t axis = optional(b, "axis", 1), block = optional(b, "block_size", 0);
  Value scale = spread(b, b.operand("x_scale"), x, axis, block);
  if (!scale)
    return nullptr;
  // Differences are exact in i32, and nearly always in f32.
  Type type = isFloat(x) ? elementOf(scale) : Type(b.builder.getI32Type());
  Value whole = b.convert(x, type);
  if (zero && !isZero(b, zero))
    whole = b.sub(whole, b.convert(spread(b, zero, x, axis, block), type));
  return b.mul(b.convert(whole, elementOf(scale)), scale);
}

/// An integer operand as i32, a narrow float as f32, minus its zero point,
/// which is one number, or one for each index of dimension `dim`.
static Value centered(NodeBuilder &b, Value x, Value zero, int64_t dim) {
  Type type =
      isFloat(x) ? Type(b.builder.getF32Type()) : Type(b.builder.getI32Type());
  Value whole = b.convert(x, type);
  if (!zero || isZero(b, zero))
    return whole;
  Value offset = product(shapeOf(zero)) == 1 ? b.reshape(zero, {})
                 : rankOf(zero) == 1         ? b.along(zero, dim, rankOf(x))
                                             : zero;
  return b.sub(whole, b.convert(offset, type));
}

/// The product of two centered operands, scaled by sa sb / sy and rounded
/// to the result's type.
static Value requantize(NodeBuilder &b, Value sum, Value scaleA, Value scaleB) {
  Value scale = b.div(b.mul(scaleA, scaleB), b.operand("y_scale"));
  Value scaled = b.mul(b.convert(sum, elementOf(scale)), scale);
  return roundTo(b, scaled, b.raw("y_zero_point"),
                 b.resultType().getElementType());
}

static Value convertMatMulInteger(NodeBuilder &b) {
  Value x = b.raw("A"), y = b.raw("B");
  return b.matmul(centered(b, x, b.raw("a_zero_point"),
                           std::max<int64_t>(rankOf(x) - 2, 0)),
                  centered(b, y, b.raw("b_zero_point"), rankOf(y) - 1));
}

static Value convertQLinearMatMul(NodeBuilder &b) {
  Value x = b.raw("a"), y = b.raw("b");
  if (product(shapeOf(b.raw("a_scale"))) != 1 ||
      product(shapeOf(b.raw("b_scale"))) != 1 ||
      product(shapeOf(b.raw("y_scale"))) != 1)
    return b.refuse("only one scale for each tensor is supported");
  Value left = centered(b, x, b.raw("a_zero_point"), 0);
  Value right = centered(b, y, b.raw("b_zero_point"), 0);
  if (isFloat(left) != isFloat(right)) {
    left = b.convert(left, b.builder.getF32Type());
    right = b.convert(right, b.builder.getF32Type());
  }
  Value sum = b.matmul(left, right);
  return requantize(b, sum, b.operand("a_scale"), b.operand("b_scale"));
}

static Value convertConvInteger(NodeBuilder &b) {
  return convolve(b, centered(b, b.raw("x"), b.raw("x_zero_point"), 0),
                  centered(b, b.raw("w"), b.raw("w_zero_point"), 0));
}

static Value convertQLinearConv(NodeBuilder &b) {
  Value y = convolve(b, centered(b, b.raw("x"), b.raw("x_zero_point"), 0),
                     centered(b, b.raw("w"), b.raw("w_zero_point"), 0));
  if (!y)
    return nullptr;
  if (Value bias = b.raw("B"))
    y = b.add(y, b.along(bias, 1, rankOf(y)));
  Value scale = b.operand("w_scale");
  if (product(shapeOf(scale)) != 1)
    scale = b.along(scale, 1, rankOf(y));
  return requantize(b, y, b.operand("x_scale"), scale);
}

void onnx_to_repro::addQuantization(OperatorTable &table) {
  table.add("QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
            convertQuantize);
  table.add("DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
            convertDequantize);
  table.add("MatMulInteger", {10}, convertMatMulInteger);
  table.add("QLinearMatMul", {10, 21}, convertQLinearMatMul);
  table.add("ConvInteger", {10}, convertConvInteger);
  table.add("QLinearConv", {10}, convertQLinearConv);
}
