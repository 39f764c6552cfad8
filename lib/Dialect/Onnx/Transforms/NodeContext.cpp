// Adapters between ONNX's inference functions and ops.

#include "NodeContext.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {
/// Inference of the subgraph of an If, Loop or Scan.
struct RegionInferencer : ::onnx::GraphInferencer {
  RegionInferencer(InferenceState &state, Region &region)
      : state(state), region(region) {}

  std::vector<const ::onnx::TypeProto *>
  doInferencing(const std::vector<const ::onnx::TypeProto *> &inputs,
                const std::vector<const ::onnx::TensorProto *> &) override {
    Block &block = region.front();
    for (auto [argument, type] : llvm::zip(block.getArguments(), inputs)) {
      // A body may declare less than its caller gives, or something else; that
      // is kept.
      Type given =
          type ? importType(block.getParentOp()->getContext(), *type) : Type();
      if (Type merged = given ? mergeTypes(argument.getType(), given) : Type())
        argument.setType(merged);
    }
    if (failed(state.inferBlock(block)))
      throw ::onnx::InferenceError("in the subgraph");
    std::vector<const ::onnx::TypeProto *> results;
    for (Value value : block.getTerminator()->getOperands()) {
      exportType(value.getType(), types.emplace_back());
      results.push_back(&types.back());
    }
    return results;
  }

  InferenceState &state;
  Region &region;
  std::deque<::onnx::TypeProto> types; // the caller keeps pointers
};
} // namespace

NodeContext::NodeContext(InferenceState &state, Operation *op)
    : state(state), node(op), inputs(op->getNumOperands()),
      data(op->getNumOperands()), outputs(op->getNumResults()) {
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (::onnx::TypeProto type; exportType(value.getType(), type)) {
      if (isTakenAsScalar(value))
        type.mutable_tensor_type()->mutable_shape()->clear_dim();
      inputs[i] = type;
    }
}

const ::onnx::AttributeProto *
NodeContext::getAttribute(const std::string &name) const {
  auto [it, isNew] = attributes.try_emplace(name);
  auto &formals = NodeOp(node).schema().attributes();
  auto formal = formals.find(name);
  if (isNew && formal != formals.end())
    if (Attribute value = node->getAttr(name))
      exportAttribute(name, value, formal->second.type, it->second.emplace());
  return it->second ? &*it->second : nullptr;
}

const ::onnx::TypeProto *NodeContext::getInputType(size_t i) const {
  return i < inputs.size() && inputs[i] ? &*inputs[i] : nullptr;
}

bool NodeContext::hasInput(size_t i) const {
  return i < inputs.size() && !isa<NoneType>(node->getOperand(i).getType());
}

bool NodeContext::isTakenAsScalar(Value operand) const {
  auto tensor = dyn_cast<RankedTensorType>(operand.getType());
  return NodeOp(node).schema().Name() == "Range" && tensor &&
         tensor.hasStaticShape() && tensor.getNumElements() == 1;
}

const ::onnx::TensorProto *NodeContext::getInputData(size_t i) const {
  if (i >= data.size())
    return nullptr;
  if (!data[i])
    if (ElementsAttr value = state.constantOf(node->getOperand(i))) {
      exportTensor(value, data[i].emplace());
      if (isTakenAsScalar(node->getOperand(i)))
        data[i]->clear_dims();
    }
  return data[i] ? &*data[i] : nullptr;
}

const ::onnx::TensorShapeProto *NodeContext::getSymbolicInput(size_t i) const {
  if (i >= inputs.size())
    return nullptr;
  auto it = state.partial.find(node->getOperand(i));
  return it == state.partial.end() ? nullptr : it->second.get();
}

bool NodeContext::hasOutput(size_t i) {
  return i < outputs.size() && !isa<NoneType>(node->getResult(i).getType());
}

::onnx::GraphInferencer *
NodeContext::getGraphAttributeInferencer(const std::string &name) {
  for (auto [region, attribute] :
       llvm::zip(node->getRegions(), graphAttributes(NodeOp(node).schema())))
    if (attribute == name && !region.empty())
      return regions
          .emplace_back(std::make_unique<RegionInferencer>(state, region))
          .get();
  return nullptr;
}

std::string NodeContext::getDisplayName() const {
  return node->getName().getStringRef().str();
}

const ::onnx::TensorShapeProto *PropagationContext::getInputData(size_t i) {
  if (!context.hasInput(i))
    return nullptr;
  Value value = context.op()->getOperand(i);
  if (auto it = state.partial.find(value); it != state.partial.end())
    return it->second.get();
  ElementsAttr constant = state.constantOf(value);
  if (!constant || !constant.getElementType().isInteger(64) ||
      cast<ShapedType>(constant.getType()).getRank() > 1)
    return nullptr;
  std::optional<SmallVector<int64_t>> values = integersOf(constant);
  if (!values)
    return nullptr;
  auto known = std::make_unique<::onnx::TensorShapeProto>();
  for (int64_t v : *values)
    known->add_dim()->set_dim_value(v);
  return (state.partial[value] = std::move(known)).get();
}

void PropagationContext::addOutputData(size_t i,
                                       ::onnx::TensorShapeProto &&shape) {
  state.partial[context.op()->getResult(i)] =
      std::make_unique<::onnx::TensorShapeProto>(std::move(shape));
}

Type mergeTypes(Type declared, Type inferred) {
  if (isa<UnknownType>(declared))
    return inferred;
  if (isa<UnknownType, NoneType>(inferred) || isa<NoneType>(declared))
    return declared;
  auto a = dyn_cast<TensorType>(declared), b = dyn_cast<TensorType>(inferred);
  if (!a || !b) {
    auto s = dyn_cast<SeqType>(declared), t = dyn_cast<SeqType>(inferred);
    Type element = s && t ? mergeTypes(s.getElement(), t.getElement()) : Type();
    return element ? SeqType::get(declared.getContext(), element) : declared;
  }
  if (a.getElementType() != b.getElementType())
    return {};
  if (!b.hasRank())
    return declared;
  if (!a.hasRank())
    return inferred;
  if (a.getRank() != b.getRank())
    return {};
  SmallVector<int64_t> shape(a.getShape());
  SmallVector<StringRef> names;
  for (auto [i, size] : llvm::enumerate(shape)) {
    int64_t other = b.getDimSize(i);
    StringRef name = dimensionName(cast<RankedTensorType>(declared), i);
    // Exporters give dimensions of results the names of other dimensions.
    // onnxruntime ignores such a name, and here a size that is bound by name
    // counts no more than a declared one.
    const bool isFromName = !ShapedType::isDynamic(size) && !name.empty();
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(other) &&
        size != other && !isFromName)
      return {};
    if (ShapedType::isDynamic(size) ||
        (isFromName && !ShapedType::isDynamic(other)))
      size = other;
    names.push_back(name.empty()
                        ? dimensionName(cast<RankedTensorType>(inferred), i)
                        : name);
  }
  return tensorWithNames(shape, a.getElementType(), names);
}
} // namespace gensyn::onnx
