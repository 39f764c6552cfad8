// Operands and attributes of a node, and values that belong to no family.

#include "NodeBuilder.h"

#include "gensyn/Dialect/SizeError.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

int64_t onnx_to_repro::product(ArrayRef<int64_t> extents) {
  return countElements(extents).value_or(INT64_MAX);
}

Extents onnx_to_repro::range(int64_t first, int64_t limit) {
  Extents all;
  for (int64_t i = first; i < limit; ++i)
    all.push_back(i);
  return all;
}

Values NodeBuilder::raws(StringRef formal) const {
  Values all;
  for (Value value : node->getOperands().drop_front(
           std::min<size_t>(node.inputIndex(formal), node->getNumOperands())))
    all.push_back(value);
  return all;
}

Values NodeBuilder::operands(StringRef formal) {
  Values all = raws(formal);
  for (Value &value : all)
    value = widen(value);
  return all;
}

bool NodeBuilder::isWanted(unsigned i) const {
  return i < node->getNumResults() &&
         !isa<NoneType>(node->getResult(i).getType()) &&
         !node->getResult(i).use_empty();
}

RankedTensorType NodeBuilder::resultType(unsigned i) const {
  if (i >= node->getNumResults())
    throw ShapeError();
  return typeOf(node->getResult(i));
}

Extents NodeBuilder::integers(StringRef name) const {
  return Extents(node.integers(name).value_or(ArrayRef<int64_t>()));
}

bool NodeBuilder::checkDimensions(ArrayRef<int64_t> axes, int64_t rank) {
  for (int64_t axis : axes)
    if (axis < -rank || axis >= rank)
      refuse("axis " + Twine(axis) + " is out of range for rank " +
             Twine(rank));
  return reason.empty();
}

DenseElementsAttr NodeBuilder::constant(Value value) const {
  DenseElementsAttr elements;
  if (value && matchPattern(value, m_Constant(&elements)))
    return elements;
  return {};
}

std::optional<Extents> NodeBuilder::constantIntegers(Value value) const {
  DenseElementsAttr elements = constant(value);
  if (!elements)
    return std::nullopt;
  if (auto integers = gensyn::onnx::integersOf(elements))
    return Extents(*integers);
  return std::nullopt;
}

std::optional<double> NodeBuilder::constantScalar(Value value) const {
  DenseElementsAttr elements = constant(value);
  if (!elements || !elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType())) {
    APFloat number = elements.getSplatValue<APFloat>();
    bool lost = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    return number.convertToDouble();
  }
  if (auto integers = gensyn::onnx::integersOf(elements))
    return double(integers->front());
  return std::nullopt;
}

std::nullptr_t NodeBuilder::refuse(const Twine &text) {
  if (reason.empty())
    reason = text.str();
  return nullptr;
}

InFlightDiagnostic NodeBuilder::emitRefusal() {
  InFlightDiagnostic error = node->emitOpError(reason);
  return isTooLarge ? asSizeError(std::move(error)) : std::move(error);
}

bool NodeBuilder::canTabulate(ArrayRef<int64_t> factors) {
  const int64_t count = product(factors);
  if (count <= kMostTabled)
    return true;
  isTooLarge = reason.empty();
  refuse("needs a table of " + Twine(count) + " elements, the most is " +
         Twine(kMostTabled));
  return false;
}

Value NodeBuilder::widen(Value value) {
  return isFloat(value) && elementOf(value).getIntOrFloatBitWidth() < 32
             ? convert(value, builder.getF32Type())
             : value;
}

Narrowing NodeBuilder::narrowing() const {
  Narrowing how;
  if (node.hasFormalAttribute("saturate"))
    how.saturate = integer("saturate") != 0;
  if (node.hasFormalAttribute("round_mode"))
    how.power = llvm::StringSwitch<PowerRounding>(string("round_mode"))
                    .Case("nearest", PowerRounding::Nearest)
                    .Case("down", PowerRounding::Down)
                    .Default(PowerRounding::Up);
  return how;
}

Value NodeBuilder::convert(Value value, Type element, Narrowing how) {
  if (elementOf(value) == element)
    return value;
  auto type = RankedTensorType::get(shapeOf(value), element);
  const bool isByte =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
  repro::ScaleRoundingAttr round;
  if (isa<Float8E8M0FNUType>(element))
    round = repro::ScaleRoundingAttr::get(builder.getContext(),
                                          repro::getScaleRounding(how.power));
  return repro::ConvertOp::create(builder, location, type, value,
                                  isByte && how.saturate, round);
}

Value NodeBuilder::fill(double value, Value like) {
  return fill(value, elementOf(like), shapeOf(like));
}

Value NodeBuilder::fill(double value, Type element, ArrayRef<int64_t> shape) {
  return repro::createFilled(builder, location,
                             RankedTensorType::get(shape, element), value);
}

Value NodeBuilder::elements(DenseElementsAttr value) {
  return repro::ConstantOp::create(builder, location, value.getType(),
                                   cast<TypedAttr>(Attribute(value)));
}

Value NodeBuilder::iota(int64_t dim, ShapeView shape, Type element) {
  auto line = RankedTensorType::get({shape[dim]}, element);
  Value index = repro::IotaOp::create(builder, location, line,
                                      builder.getI64IntegerAttr(0));
  return repro::createBroadcast(builder, location, index,
                                RankedTensorType::get(shape, element), {dim});
}

Value NodeBuilder::stopGradient(Value value) {
  return train::StopGradientOp::create(builder, location, value.getType(),
                                       value);
}
