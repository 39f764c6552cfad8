// Verifies an op against its schema: counts, absent operands, types with their
// bindings, attributes, regions; ranks are in VerifyRanks.cpp.

#include "SchemaOp.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/IR/VerifyRanks.h"
#include "gensyn/Dialect/SizeError.h"
#include "gensyn/Dialect/TensorSizes.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

#include <cmath>
#include <map>

using namespace mlir;
using Kind = ::onnx::AttributeProto;

namespace gensyn::onnx {
namespace {
using Formal = ::onnx::OpSchema::FormalParameter;

bool attributeHasKind(Attribute value, Kind::AttributeType kind) {
  auto allOf = [&](auto test) {
    auto array = dyn_cast<ArrayAttr>(value);
    return array && llvm::all_of(array, test);
  };
  switch (kind) {
  case Kind::INT: {
    auto i = dyn_cast<IntegerAttr>(value);
    return i && i.getType().isSignlessInteger(64);
  }
  case Kind::FLOAT: {
    auto f = dyn_cast<FloatAttr>(value);
    return f && f.getType().isF32();
  }
  case Kind::STRING:
    return isa<StringAttr>(value);
  case Kind::TENSOR:
    return isa<ElementsAttr>(value) && !isa<DenseArrayAttr>(value);
  case Kind::INTS:
    return isa<DenseI64ArrayAttr>(value);
  case Kind::FLOATS:
    return isa<DenseF32ArrayAttr>(value);
  case Kind::STRINGS:
    return allOf([](Attribute a) { return isa<StringAttr>(a); });
  case Kind::TENSORS:
    return allOf([](Attribute a) { return isa<ElementsAttr>(a); });
  case Kind::TYPE_PROTO:
    return isa<TypeAttr>(value);
  case Kind::TYPE_PROTOS:
    return allOf([](Attribute a) { return isa<TypeAttr>(a); });
  case Kind::SPARSE_TENSOR:
    return isa<DictionaryAttr>(value);
  case Kind::SPARSE_TENSORS:
    return allOf([](Attribute a) { return isa<DictionaryAttr>(a); });
  default:
    return false;
  }
}

StringRef kindName(Kind::AttributeType kind) {
  static const std::map<int, StringRef> names = {
      {Kind::INT, "an integer"},
      {Kind::FLOAT, "a float"},
      {Kind::STRING, "a string"},
      {Kind::TENSOR, "a tensor"},
      {Kind::INTS, "a list of integers"},
      {Kind::FLOATS, "a list of floats"},
      {Kind::STRINGS, "a list of strings"},
      {Kind::TENSORS, "a list of tensors"},
      {Kind::TYPE_PROTO, "a type"},
      {Kind::TYPE_PROTOS, "a list of types"},
      {Kind::SPARSE_TENSOR, "a sparse tensor"},
      {Kind::SPARSE_TENSORS, "a list of sparse tensors"},
      {Kind::GRAPH, "a graph"}};
  auto it = names.find(kind);
  return it == names.end() ? "of an unknown kind" : it->second;
}

StringRef kindOf(Attribute value) {
  for (int kind = Kind::AttributeType_MIN; kind <= Kind::AttributeType_MAX;
       ++kind)
    if (attributeHasKind(value, Kind::AttributeType(kind)))
      return kindName(Kind::AttributeType(kind));
  return "of another kind";
}

/// The reason why a tensor of an attribute cannot be written, at any depth of
/// lists and sparse tensors; empty if all can.
std::string whyNotTensors(Attribute value) {
  std::string reason;
  value.walk([&](ElementsAttr elements) {
    if (!isa<DenseArrayAttr>(elements))
      reason = whyNotElements(elements);
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

LogicalResult verifyAttributes(Operation *op, const ::onnx::OpSchema &schema) {
  for (NamedAttribute named : op->getAttrs()) {
    StringRef name = named.getName();
    if (name.contains('.')) // not the operator's
      continue;
    auto it = schema.attributes().find(name.str());
    if (it == schema.attributes().end())
      return op->emitOpError() << "has no attribute '" << name << "'";
    if (!attributeHasKind(named.getValue(), it->second.type))
      return op->emitOpError()
             << "attribute '" << name << "' is " << kindOf(named.getValue())
             << "; " << kindName(it->second.type) << " is wanted";
    if (std::string reason = whyNotTensors(named.getValue()); !reason.empty())
      return op->emitOpError() << "attribute '" << name << "' " << reason;
    // Constant may hold a NaN; a parameter of a computation may not be one.
    auto f = dyn_cast<FloatAttr>(named.getValue());
    if (f && f.getValue().isNaN() && !name.starts_with("value"))
      return op->emitOpError() << "attribute '" << name << "' is NaN";
  }
  for (auto &[name, attribute] : schema.attributes())
    if (attribute.required && attribute.type != Kind::GRAPH &&
        !op->hasAttr(name))
      return op->emitOpError()
             << "lacks the required attribute '" << name << "'";
  return success();
}

/// The type bound to a type variable of the schema so far, and the value that
/// bound it.
struct Binding {
  ::onnx::DataType type;
  std::string name;
};
using Bindings = std::map<std::string, Binding>;

LogicalResult verifyValue(Operation *op, bool isOperand, unsigned index,
                          Type type, const Formal &formal, Bindings &bound) {
  StringRef what = isOperand ? "operand" : "result";
  if (isa<UnknownType>(type))
    return success();
  if (isa<NoneType>(type)) {
    if (isOperand && formal.GetOption() != ::onnx::OpSchema::Optional)
      return op->emitOpError()
             << "operand '" << formal.GetName() << "' may not be absent";
    return success();
  }
  if (!hasBoundedSize(type))
    return asSizeError(op->emitOpError())
           << what << " #" << index << " '" << formal.GetName() << "' is "
           << describeType(type) << ", expected at most 2^40 elements";
  ::onnx::DataType data = dataTypeOf(type);
  if (!data || !formal.GetTypes().count(data))
    return op->emitOpError()
           << what << " #" << index << " '" << formal.GetName()
           << "' may not be " << describeType(type);
  if (formal.GetOption() == ::onnx::OpSchema::Variadic &&
      !formal.GetIsHomogeneous())
    return success();
  auto [it, isNew] =
      bound.try_emplace(formal.GetTypeStr(), Binding{data, formal.GetName()});
  if (!isNew && it->second.type != data)
    return op->emitOpError()
           << what << " #" << index << " '" << formal.GetName() << "' is "
           << *data << ", but '" << it->second.name << "' is "
           << *it->second.type << "; both are " << formal.GetTypeStr();
  return success();
}

LogicalResult verifyValues(Operation *op, bool isOperand, TypeRange types,
                           const std::vector<Formal> &formals, int min, int max,
                           Bindings &bound) {
  int count = types.size();
  if (count < min || count > max) {
    std::string range = std::to_string(min);
    if (max != min)
      range += " to " + (max > 1 << 20 ? "any number" : std::to_string(max));
    return op->emitOpError()
           << "has " << countOf(count, isOperand ? "operand" : "result")
           << ", expected " << range;
  }
  for (auto [i, type] : llvm::enumerate(types))
    if (failed(verifyValue(op, isOperand, i, type,
                           formals[std::min(i, formals.size() - 1)], bound)))
      return failure();
  return success();
}

LogicalResult verifyRegions(Operation *op, const ::onnx::OpSchema &schema) {
  std::vector<std::string> graphs = graphAttributes(schema);
  if (op->getNumRegions() != graphs.size())
    return op->emitOpError() << "has " << op->getNumRegions()
                             << " regions, expected " << graphs.size();
  for (auto [name, region] : llvm::zip(graphs, op->getRegions())) {
    if (region.empty() && !schema.attributes().at(name).required)
      continue;
    if (!region.hasOneBlock() || region.front().empty() ||
        !isa<YieldOp>(region.front().back()))
      return op->emitOpError() << "expects '" << name
                               << "' to be one block that ends in onnx.yield";
  }
  return success();
}

/// The number of inputs and outputs of subgraphs of If, Loop and Scan, which
/// their schemas leave to inference.
LogicalResult verifySubgraphs(Operation *op, const ::onnx::OpSchema &schema) {
  const std::string &name = schema.Name();
  const bool isIf = name == "If", isLoop = name == "Loop",
             isScan = name == "Scan" && schema.SinceVersion() > 8;
  if (!schema.domain().empty() || (!isIf && !isLoop && !isScan))
    return success();
  const size_t operands = op->getNumOperands(), results = op->getNumResults();
  size_t arguments = isIf ? 0 : operands, carried = 0;
  if (isLoop) { // after the count and the flag; the body gives the flag too
    arguments = std::max<size_t>(operands, 2);
    carried = arguments - 1;
  }
  if (isScan) {
    auto inputs = op->getAttrOfType<IntegerAttr>("num_scan_inputs");
    if (!inputs || inputs.getInt() < 1 ||
        inputs.getInt() > static_cast<int64_t>(operands))
      return op->emitOpError("'num_scan_inputs' is not 1 to ") << operands;
    carried = operands - static_cast<size_t>(inputs.getInt());
  }
  for (Region &region : op->getRegions()) {
    const size_t taken = region.front().getNumArguments(),
                 given = region.front().back().getNumOperands();
    if (taken != arguments)
      return op->emitOpError("has a subgraph of ")
             << countOf(static_cast<int64_t>(taken), "input") << ", expected "
             << arguments;
    // Trailing outputs may be left out.
    const size_t least = std::max<size_t>(carried, results + isLoop);
    if (given < least)
      return op->emitOpError("has a subgraph of ")
             << countOf(static_cast<int64_t>(given), "output") << ", expected "
             << least;
  }
  return success();
}
} // namespace

LogicalResult verifyNode(Operation *op, const ::onnx::OpSchema &schema) {
  Bindings bound;
  if (failed(verifyValues(op, true, op->getOperandTypes(), schema.inputs(),
                          schema.min_input(), schema.max_input(), bound)) ||
      failed(verifyValues(op, false, op->getResultTypes(), schema.outputs(),
                          schema.min_output(), schema.max_output(), bound)) ||
      failed(verifyRegions(op, schema)) || failed(verifySubgraphs(op, schema)))
    return failure();
  if (failed(verifyAttributes(op, schema)))
    return failure();
  return verifyRanks(NodeOp(op));
}
} // namespace gensyn::onnx
