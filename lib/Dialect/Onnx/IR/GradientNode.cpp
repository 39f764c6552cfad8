// Nodes of ai.onnx.preview.training.Gradient. In the file they name the values
// of the derivatives; here those values are operands: first those of `xs`, then
// those of `zs`, then that of `y`.

#include "gensyn/Dialect/Onnx/IR/GraphBuilder.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Executable/Support/Nouns.h"

#include "mlir/IR/IRMapping.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gensyn::onnx {

bool isGradient(const ::onnx::NodeProto &node) {
  return node.op_type() == "Gradient" &&
         node.domain() == "ai.onnx.preview.training";
}

bool isGradient(Operation *op) {
  const ::onnx::OpSchema *schema = NodeOp::schemaOf(op);
  return schema && schema->Name() == "Gradient" &&
         schema->domain() == "ai.onnx.preview.training";
}

std::vector<std::string> namesInGradient(const ::onnx::NodeProto &node,
                                         StringRef attribute) {
  std::vector<std::string> names;
  for (const auto &given : node.attribute()) {
    if (StringRef(given.name()) != attribute)
      continue;
    names.assign(given.strings().begin(), given.strings().end());
    if (given.type() == ::onnx::AttributeProto::STRING)
      names.push_back(given.s());
  }
  return names;
}

void GraphBuilder::collectVariables(
    const google::protobuf::RepeatedPtrField<::onnx::NodeProto> &nodes) {
  for (const auto &node : nodes)
    if (isGradient(node))
      for (std::string &name : namesInGradient(node, "xs"))
        variables.insert(std::move(name));
}

/// A value of its own, which no rewrite replaces by its operand: the derivative
/// with respect to the operand is another one.
Value GraphBuilder::makeVariable(Value value) {
  if (isa<BlockArgument>(value))
    return value;
  auto opset = opsets.find("");
  const ::onnx::OpSchema *identity = ::onnx::OpSchemaRegistry::Schema(
      "Identity", opset == opsets.end() ? 1 : opset->second, "");
  OperationState state(value.getLoc(), OnnxDialect::opName(*identity));
  state.addOperands(value);
  state.addTypes(value.getType());
  state.addAttribute(names::variable, b.getUnitAttr());
  return b.create(state)->getResult(0);
}

/// All values in its block from which `value` is computed, including itself.
static llvm::SetVector<Operation *> sliceOf(Value value, Block *block) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != block || !slice.insert(op))
      continue;
    op->walk([&](Operation *inner) {
      llvm::append_range(pending, inner->getOperands());
    });
  }
  return slice;
}

/// Computes `y` again with the values in `mapping` replaced, by copies of the
/// ops between them.
static FailureOr<Value> recompute(OpBuilder &b, Location location, Value y,
                                  IRMapping &mapping) {
  Block *block = b.getInsertionBlock();
  llvm::SetVector<Operation *> slice = sliceOf(y, block);
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (!slice.contains(&op) ||
        (op.getNumResults() && mapping.contains(op.getResult(0))))
      continue;
    bool changes = false;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        changes |= mapping.contains(operand);
    });
    if (!changes)
      continue;
    if (const ::onnx::OpSchema *schema = NodeOp::schemaOf(&op))
      if (schema->attributes().count("seed"))
        return emitError(location)
               << "asks for derivatives at other values than those of 'xs' "
                  "through "
               << schema->Name() << ", which draws random numbers";
    b.clone(op, mapping);
  }
  return mapping.lookupOrDefault(y);
}

FailureOr<SmallVector<Value>>
GraphBuilder::gradientOperands(const ::onnx::NodeProto &node,
                               Location location) {
  SmallVector<Value> named;
  for (StringRef attribute : {"xs", "zs", "y"}) {
    std::vector<std::string> listed = namesInGradient(node, attribute);
    if (listed.empty() && attribute != "zs")
      return emitError(location) << "'" << attribute << "' names no value";
    for (const std::string &name : listed) {
      auto it = scopes.back().find(name);
      if (it == scopes.back().end())
        return emitError(location)
               << "'" << attribute << "' names '" << name
               << "', which the graph does not compute before";
      named.push_back(it->second);
    }
  }
  if (size_t(node.input_size()) + 1 != named.size())
    return emitError(location)
           << "has " << countOf(node.input_size(), "input")
           << ", and 'xs' and 'zs' name "
           << countOf(static_cast<int64_t>(named.size()) - 1, "value");
  IRMapping mapping;
  for (auto [i, name] : llvm::enumerate(node.input())) {
    Value value = lookup(name);
    if (!value)
      return emitError(location) << "input " << i << " reads '" << name
                                 << "', which is not defined";
    if (value == named[i])
      continue;
    Value variable = makeVariable(value);
    mapping.map(named[i], variable);
    named[i] = variable;
  }
  if (mapping.getValueMap().empty())
    return named;
  auto y = recompute(b, location, named.back(), mapping);
  if (failed(y))
    return failure();
  named.back() = *y;
  return named;
}
} // namespace gensyn::onnx
