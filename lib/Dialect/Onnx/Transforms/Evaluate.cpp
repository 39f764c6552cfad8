// Converts constants for the evaluator and back, and evaluates the operators
// that query shapes.

#include "Evaluate.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Numerics/Scalar.h"

#include <cstring>

using namespace mlir;

namespace gensyn::onnx {
namespace evaluation {
namespace {

std::optional<ElementType> numericsType(Type element) {
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return elementTypeFromName(text);
}

Value load(ElementsAttr value) {
  if (!value)
    return {};
  auto element = numericsType(value.getElementType());
  if (!element || value.getNumElements() > maxConstantBytes)
    return {};
  FailureOr<std::string> bytes = rawBytes(value);
  if (failed(bytes))
    return {};
  auto shape = cast<ShapedType>(value.getType()).getShape();
  Tensor tensor(*element, Shape(shape.begin(), shape.end()));
  if (tensor.byteSize() != int64_t(bytes->size()))
    return {};
  memcpy(tensor.data(), bytes->data(), bytes->size());
  return tensor;
}

ElementsAttr store(const Tensor &tensor, Type element) {
  if (tensor.byteSize() > maxConstantBytes)
    return {};
  auto type = RankedTensorType::get(tensor.shape(), element);
  if (element.isInteger(1))
    return DenseElementsAttr::get(
        type, ArrayRef<bool>(tensor.as<bool>(), tensor.numElements()));
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(reinterpret_cast<const char *>(tensor.data()),
                           tensor.byteSize()));
}

Value vectorOf(ArrayRef<int64_t> values) {
  return Tensor::of<int64_t>({int64_t(values.size())},
                             std::span(values.data(), values.size()));
}

Value shapeNode(const Node &node) {
  auto type = dyn_cast<RankedTensorType>(node.op->getOperand(0).getType());
  if (!type)
    return {};
  int64_t rank = type.getRank(), start = 0, end = rank;
  auto read = [&](StringRef name, int64_t &bound) {
    auto value = node.op->getAttrOfType<IntegerAttr>(name);
    if (value)
      bound = value.getInt() + (value.getInt() < 0 ? rank : 0);
    bound = std::clamp<int64_t>(bound, 0, rank);
  };
  read("start", start);
  read("end", end);
  SmallVector<int64_t> sizes;
  for (int64_t i = start; i < end; ++i) {
    if (type.isDynamicDim(i))
      return {};
    sizes.push_back(type.getDimSize(i));
  }
  return vectorOf(sizes);
}

Value sizeNode(const Node &node) {
  auto shape = Node::shapeOf(node.op->getOperand(0));
  auto count = shape ? countElements(*shape) : std::nullopt;
  return count ? Value(Tensor::scalar<int64_t>(*count)) : Value();
}

/// A Constant in any of its forms; sparse and string ones stay.
Value constantNode(const Node &node) {
  if (auto value = node.op->getAttrOfType<ElementsAttr>("value"))
    return load(value);
  if (auto i = node.op->getAttrOfType<IntegerAttr>("value_int"))
    return Tensor::scalar<int64_t>(i.getInt());
  if (auto f = node.op->getAttrOfType<FloatAttr>("value_float"))
    return Tensor::scalar<float>(f.getValue().convertToFloat());
  if (auto list = node.op->getAttrOfType<DenseI64ArrayAttr>("value_ints"))
    return vectorOf(list.asArrayRef());
  if (auto list = node.op->getAttrOfType<DenseF32ArrayAttr>("value_floats")) {
    ArrayRef<float> values = list.asArrayRef();
    return Tensor::of<float>({list.size()},
                             std::span(values.data(), values.size()));
  }
  return {};
}

Value rangeNode(const Node &node) {
  Value start = node.in(0), limit = node.in(1), delta = node.in(2);
  if (!start || !limit || !delta || isFloat(start->elementType()) ||
      start->numElements() != 1 || limit->numElements() != 1 ||
      delta->numElements() != 1)
    return {};
  return dispatch(start->elementType(), [&](auto tag) -> Value {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Integer<T>) {
      __int128 first = *std::as_const(*start).template as<T>();
      __int128 last = *std::as_const(*limit).template as<T>();
      __int128 step = *std::as_const(*delta).template as<T>();
      if (step == 0)
        return {};
      __int128 count = (last - first + step - (step > 0 ? 1 : -1)) / step;
      if (count > maxConstantBytes)
        return {};
      std::vector<T> values;
      for (__int128 i = 0; i < count; ++i)
        values.push_back(T(first + i * step));
      return Tensor::of<T>({int64_t(values.size())}, values);
    }
    return {};
  });
}

/// Positions of integers and booleans that are not zero, one row for each
/// dimension.
Value nonZeroNode(const Node &node) {
  Value x = node.in(0);
  if (!x || x->rank() == 0 || isFloat(x->elementType()))
    return {};
  std::vector<int64_t> flat;
  dispatch(x->elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Integer<T> || std::is_same_v<T, bool>) {
      const T *elements = std::as_const(*x).template as<T>();
      for (int64_t i = 0; i < x->numElements(); ++i)
        if (elements[i])
          flat.push_back(i);
    }
  });
  std::vector<int64_t> places;
  int64_t stride = x->numElements();
  for (int64_t extent : x->shape()) {
    stride /= std::max<int64_t>(extent, 1);
    for (int64_t i : flat)
      places.push_back(i / stride % extent);
  }
  return Tensor::of<int64_t>({x->rank(), int64_t(flat.size())}, places);
}

Value constantOfShapeNode(const Node &node) {
  auto shape = node.integers(0, "");
  auto count = shape ? countElements(*shape) : std::nullopt;
  if (!count || *count > maxConstantBytes)
    return {};
  auto given = node.op->getAttrOfType<ElementsAttr>("value");
  Value fill = given ? load(given) : Value(Tensor::scalar<float>(0));
  if (!fill || fill->numElements() != 1)
    return {};
  return pick(*fill, *shape, std::vector<int64_t>(*count, 0));
}
} // namespace

bool Node::has(unsigned i) const {
  return i < operands.size() && !isa<NoneType>(op->getOperand(i).getType());
}

Value Node::in(unsigned i) const {
  return i < operands.size() ? load(operands[i]) : Value();
}

std::optional<Shape> Node::integers(unsigned i, StringRef name) const {
  if (auto list =
          name.empty() ? nullptr : op->getAttrOfType<DenseI64ArrayAttr>(name))
    return Shape(list.asArrayRef().begin(), list.asArrayRef().end());
  Value value = in(i);
  if (!value || value->elementType() > ElementType::UI64)
    return std::nullopt;
  Shape result;
  dispatch(value->elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (T element : std::as_const(*value).template span<T>())
      result.push_back(scalar::convert<int64_t>(element));
  });
  return result;
}

std::optional<Shape> Node::shapeOf(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  return Shape(type.getShape().begin(), type.getShape().end());
}

std::optional<ElementType> Node::elementOf(mlir::Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  return type ? numericsType(type.getElementType()) : std::nullopt;
}

Value evaluateShape(const Node &node) {
  return llvm::StringSwitch<Value (*)(const Node &)>(node.type())
      .Case("Shape", shapeNode)
      .Case("Size", sizeNode)
      .Case("Constant", constantNode)
      .Case("NonZero", nonZeroNode)
      .Case("Range", rangeNode)
      .Case("ConstantOfShape", constantOfShapeNode)
      .Default([](const Node &) { return Value(); })(node);
}
} // namespace evaluation

ElementsAttr evaluateNode(NodeOp node, ArrayRef<ElementsAttr> operands) {
  if (!node.domain().empty() || node->getNumResults() != 1 ||
      node->getNumRegions())
    return {};
  evaluation::Node view{node, operands};
  evaluation::Value value;
  for (auto family : {evaluation::evaluateShape, evaluation::evaluateMovement,
                      evaluation::evaluateElementwise})
    if (!value)
      value = family(view);
  auto type = dyn_cast<TensorType>(node->getResult(0).getType());
  if (!value || !type ||
      evaluation::Node::elementOf(node->getResult(0)) != value->elementType())
    return {};
  // The schema may be less specific than the value, but must not disagree with
  // it.
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (ranked &&
      (ranked.getRank() != value->rank() ||
       llvm::any_of(llvm::zip(ranked.getShape(), value->shape()),
                    [](auto sizes) {
                      return !ShapedType::isDynamic(std::get<0>(sizes)) &&
                             std::get<0>(sizes) != std::get<1>(sizes);
                    })))
    return {};
  return evaluation::store(*value, type.getElementType());
}
} // namespace gensyn::onnx
