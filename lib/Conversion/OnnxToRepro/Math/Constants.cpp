// Tensors that are known at compile time.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// A constant with these values; refuses if the result has another type.
template <class T>
static Value listConstant(NodeBuilder &b, ArrayRef<T> values) {
  RankedTensorType type = b.resultType();
  const Type element = type.getElementType();
  const bool isOfType =
      std::is_floating_point_v<T> ? element.isF32() : element.isInteger(64);
  if (!isOfType || type.getNumElements() != int64_t(values.size()))
    return b.refuse("the result has " + Twine(values.size()) +
                    (std::is_floating_point_v<T> ? " elements of float32"
                                                 : " elements of int64") +
                    ", and is declared otherwise");
  return b.elements(DenseElementsAttr::get(type, values));
}

/// From version 12 on it may hold a number or a list instead of a tensor.
static Value convertConstant(NodeBuilder &b) {
  gensyn::onnx::NodeOp node = b.node;
  RankedTensorType type = b.resultType();
  if (auto value = node.attributeAs<ElementsAttr>("value"))
    return repro::ConstantOp::create(b.builder, b.location, type,
                                     cast<TypedAttr>(Attribute(value)));
  if (b.since() >= 12) {
    if (auto number = node.real("value_float"))
      return listConstant<float>(b, *number);
    if (std::optional<int64_t> number = node.integer("value_int"))
      return listConstant<int64_t>(b, *number);
    if (auto list = node.reals("value_floats"))
      return listConstant<float>(b, *list);
    if (auto list = node.integers("value_ints"))
      return listConstant<int64_t>(b, *list);
  }
  return b.refuse("only dense numbers are supported");
}

static Value convertConstantOfShape(NodeBuilder &b) {
  RankedTensorType type = b.resultType();
  auto value = b.node.attributeAs<DenseElementsAttr>("value");
  if (value && value.getNumElements() != 1)
    return b.refuse("the value has " + Twine(value.getNumElements()) +
                    " elements, expected 1");
  if (!value)
    return b.fill(0, type.getElementType(), type.getShape());
  Value scalar = b.elements(
      value.reshape(RankedTensorType::get({}, type.getElementType())));
  return b.broadcastTo(scalar, type.getShape());
}

/// From version 15 on it may return a part of the shape; ends are clamped to
/// the rank.
static Value convertShape(NodeBuilder &b) {
  ShapeView shape = shapeOf(b.firstRaw());
  int64_t rank = shape.size(), start = 0, end = rank;
  if (b.since() >= 15) {
    auto clamp = [&](int64_t i) {
      return std::clamp<int64_t>(NodeBuilder::normalized(i, rank), 0, rank);
    };
    start = clamp(b.integer("start"));
    end = clamp(b.node.integer("end").value_or(rank));
  }
  return listConstant<int64_t>(
      b, shape.slice(start, std::max(start, end) - start));
}

static Value convertSize(NodeBuilder &b) {
  return listConstant<int64_t>(b, product(shapeOf(b.firstRaw())));
}

/// start + i * delta, for the inferred number of elements.
static Value convertRange(NodeBuilder &b) {
  Value start = b.reshape(b.operand("start"), {});
  Value delta = b.reshape(b.operand("delta"), {});
  ShapeView shape = b.resultShape();
  Value index =
      b.convert(b.iota(0, shape, b.builder.getI64Type()), elementOf(start));
  return b.add(start, b.mul(index, delta));
}

/// Column minus row, as i64 of a matrix shape.
static Value diagonalNumber(NodeBuilder &b, ArrayRef<int64_t> shape) {
  Type i64 = b.builder.getI64Type();
  return b.sub(b.iota(1, shape, i64), b.iota(0, shape, i64));
}

static Value convertEyeLike(NodeBuilder &b) {
  RankedTensorType type = b.resultType();
  Value number = diagonalNumber(b, type.getShape());
  Value isOne =
      b.compare(repro::CompareKind::Eq, number, double(b.integer("k")));
  return b.convert(isOne, type.getElementType());
}

/// Keeps the triangle on one side of diagonal k and sets the others to 0.
static Value convertTrilu(NodeBuilder &b) {
  Value x = b.raw("input"), k = b.raw("k");
  ShapeView shape = shapeOf(x);
  Value number = diagonalNumber(b, shape.take_back(2));
  Value diagonal = k ? b.reshape(k, {}) : b.fill(0, b.builder.getI64Type());
  auto kind =
      b.integer("upper") ? repro::CompareKind::Ge : repro::CompareKind::Le;
  return b.select(b.compare(kind, number, diagonal), x,
                  b.fill(0, elementOf(x)));
}

void onnx_to_repro::addConstants(OperatorTable &table) {
  table.add("Constant", {9, 11, 12, 13, 19, 21, 23, 24, 25}, convertConstant);
  table.add("ConstantOfShape", {9, 20, 21, 23, 24, 25}, convertConstantOfShape);
  table.add("Shape", {1, 13, 15, 19, 21, 23, 24, 25}, convertShape);
  table.add("Size", {1, 13, 19, 21, 23, 24, 25}, convertSize);
  table.add("Range", {11, 27}, convertRange);
  table.add("EyeLike", {9, 22}, convertEyeLike);
  table.add("Trilu", {14}, convertTrilu);
}
