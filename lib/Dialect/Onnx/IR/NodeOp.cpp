// The view of nodes: inputs and attributes by the names of the schema.

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"

#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace mlir;

namespace gensyn::onnx {

std::vector<std::string> graphAttributes(const ::onnx::OpSchema &schema) {
  std::vector<std::string> found;
  for (auto &[name, attribute] : schema.attributes())
    if (attribute.type == ::onnx::AttributeProto::GRAPH)
      found.push_back(name);
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<SmallVector<int64_t>> integersOf(ElementsAttr value) {
  Type element = value.getElementType();
  auto dense = dyn_cast<DenseIntElementsAttr>(value);
  // A text can declare `dense<0>` with any number of elements.
  if (!dense || !isa<IntegerType>(element) ||
      value.getNumElements() > maxConstantBytes)
    return std::nullopt;
  SmallVector<int64_t> integers;
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  for (const APInt &i : dense.getValues<APInt>())
    integers.push_back(isUnsigned ? int64_t(i.getZExtValue())
                                  : i.getSExtValue());
  return integers;
}

const ::onnx::OpSchema *NodeOp::schemaOf(Operation *op) {
  auto *dialect = dyn_cast_or_null<OnnxDialect>(op->getDialect());
  return dialect ? dialect->schemaOf(op->getName()) : nullptr;
}

StringRef NodeOp::opType() const { return schema().Name(); }

StringRef NodeOp::domain() const { return schema().domain(); }

int NodeOp::since() const { return schema().SinceVersion(); }

StringRef NodeOp::formalInput(unsigned index) const {
  return schema().inputs()[index].GetName();
}

std::string NodeOp::userName() const {
  auto loc = dyn_cast<NameLoc>(op()->getLoc());
  return loc ? loc.getName().str() : "";
}

/// Aborts: the caller's source code has a wrong name.
[[noreturn]] static void unknownName(NodeOp node, StringRef kind,
                                     StringRef name) {
  llvm::report_fatal_error(Twine("no ") + kind + " '" + name + "' in " +
                           node->getName().getStringRef());
}

static int
indexOf(const std::vector<::onnx::OpSchema::FormalParameter> &formals,
        StringRef name) {
  for (auto [i, formal] : llvm::enumerate(formals))
    if (formal.GetName() == name)
      return i;
  return -1;
}

unsigned NodeOp::inputIndex(StringRef formal) const {
  int i = indexOf(schema().inputs(), formal);
  if (i < 0)
    unknownName(*this, "input", formal);
  return i;
}

bool NodeOp::hasFormalInput(StringRef formal) const {
  return indexOf(schema().inputs(), formal) >= 0;
}

bool NodeOp::hasFormalAttribute(StringRef name) const {
  return schema().attributes().count(name.str());
}

Value NodeOp::input(StringRef formal) const {
  unsigned i = inputIndex(formal);
  if (i >= op()->getNumOperands() ||
      isa<NoneType>(op()->getOperand(i).getType()))
    return {};
  return op()->getOperand(i);
}

Value NodeOp::output(StringRef formal) const {
  int i = indexOf(schema().outputs(), formal);
  if (i < 0)
    unknownName(*this, "output", formal);
  if (unsigned(i) >= op()->getNumResults() ||
      isa<NoneType>(op()->getResult(i).getType()))
    return {};
  return op()->getResult(i);
}

Attribute NodeOp::attribute(StringRef name) const {
  auto it = schema().attributes().find(name.str());
  if (it == schema().attributes().end())
    unknownName(*this, "attribute", name);
  if (Attribute value = op()->getAttr(name))
    return value;
  if (!it->second.default_value.has_name())
    return {};
  ::onnx::AttributeProto copy = it->second.default_value;
  std::string error;
  return importAttribute(op()->getContext(), copy, error);
}

std::optional<int64_t> NodeOp::integer(StringRef name) const {
  auto value = attributeAs<IntegerAttr>(name);
  return value ? std::optional(value.getInt()) : std::nullopt;
}

std::optional<float> NodeOp::real(StringRef name) const {
  auto value = attributeAs<FloatAttr>(name);
  return value ? std::optional(value.getValue().convertToFloat())
               : std::nullopt;
}

std::optional<StringRef> NodeOp::string(StringRef name) const {
  auto value = attributeAs<StringAttr>(name);
  return value ? std::optional(value.getValue()) : std::nullopt;
}

std::optional<ArrayRef<int64_t>> NodeOp::integers(StringRef name) const {
  auto value = attributeAs<DenseI64ArrayAttr>(name);
  return value ? std::optional(value.asArrayRef()) : std::nullopt;
}

std::optional<ArrayRef<float>> NodeOp::reals(StringRef name) const {
  auto value = attributeAs<DenseF32ArrayAttr>(name);
  return value ? std::optional(value.asArrayRef()) : std::nullopt;
}

ElementsAttr NodeOp::constantInput(StringRef formal) const {
  Value value = input(formal);
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  return constant ? constant.getValue() : ElementsAttr();
}

std::optional<SmallVector<int64_t>>
NodeOp::constantIntegers(StringRef formal) const {
  ElementsAttr value = constantInput(formal);
  return value ? onnx::integersOf(value) : std::nullopt;
}

std::optional<SmallVector<int64_t>> NodeOp::integersOf(StringRef name,
                                                       StringRef formal) const {
  if (hasFormalInput(formal))
    return constantIntegers(formal);
  std::optional<ArrayRef<int64_t>> value = integers(name);
  return value ? std::optional(SmallVector<int64_t>(*value)) : std::nullopt;
}
} // namespace gensyn::onnx
