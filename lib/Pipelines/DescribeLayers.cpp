// Walks a model's nodes, and the ops converted from them.

#include "DescribeLayers.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/GraphBuilder.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Repro/IR/NodeInfo.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;

namespace gensyn {

/// True if the operator only returns its operand in another form, so that
/// readers of its result read the operand.
static bool movesData(StringRef operation) {
  return llvm::is_contained({"Transpose", "Reshape", "Identity", "Cast",
                             "CastLike", "Squeeze", "Unsqueeze", "Flatten",
                             "Expand", "Split", "Slice", "Concat"},
                            operation);
}

/// The first op in program order that computes with the value.
static Operation *findReader(Value value, Block *block) {
  SetVector<Value> values;
  values.insert(value);
  Operation *first = nullptr;
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (!here || here->hasTrait<OpTrait::IsTerminator>())
        continue;
      if (here == user && onnx::NodeOp::classof(user) &&
          movesData(onnx::NodeOp(user).opType())) {
        values.insert(user->result_begin(), user->result_end());
        continue;
      }
      if (!first || here->isBeforeInBlock(first))
        first = here;
    }
  return first;
}

// The metadata's `namespace` lists a "name: class" for each enclosing module
// and then for the operator:
// ": Net/layer1: Sequential/layer1.0: Block/relu: aten.relu.default".
std::string readScope(Operation *op) {
  DictionaryAttr info = onnx::infoOf(op->getLoc());
  auto metadata = info ? info.getAs<DictionaryAttr>("metadata") : nullptr;
  auto names = metadata ? metadata.getAs<StringAttr>("namespace") : nullptr;
  if (!names)
    return "";
  SmallVector<StringRef> entries;
  names.getValue().split(entries, '/');
  if (entries.size() < 2)
    return "";
  const StringRef name = entries[entries.size() - 2].split(':').first;
  // The exporter's own name for "none".
  return name.starts_with("_empty") ? "" : name.str();
}

/// The layers whose results the op, or an op in one of its regions, reads.
static std::vector<size_t>
listReads(Operation &op, const llvm::DenseMap<Operation *, size_t> &numbers) {
  std::set<size_t> reads;
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto found = numbers.find(operand.getDefiningOp());
          found != numbers.end())
        reads.insert(found->second);
  });
  return {reads.begin(), reads.end()};
}

std::vector<Layer> getLayers(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return {};
  Block &block = main.getBody().front();
  llvm::DenseMap<Operation *, int64_t> parameters;
  llvm::DenseMap<Operation *, std::vector<std::string>> names;
  for (BlockArgument argument : block.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!program::hasRole(main, argument.getArgNumber(), Role::Parameter) ||
        !type || !type.hasStaticShape())
      continue;
    if (Operation *reader = findReader(argument, &block)) {
      parameters[reader] += type.getNumElements();
      names[reader].push_back(repro::readNodeInfo(argument.getLoc()).name);
    }
  }
  std::vector<Layer> layers;
  llvm::DenseMap<Operation *, size_t> numbers;
  for (Operation &op : block) {
    const ::onnx::OpSchema *schema = onnx::NodeOp::schemaOf(&op);
    if (!schema || schema->Name() == "Constant")
      continue;
    Layer layer;
    layer.node = repro::readNodeInfo(op.getLoc()).name;
    layer.operation = schema->Name();
    layer.result = op.getNumResults() ? op.getResult(0).getType() : Type();
    layer.scope = readScope(&op);
    layer.parameters = parameters.lookup(&op);
    layer.parameterNames = names.lookup(&op);
    layer.reads = listReads(op, numbers);
    numbers[&op] = layers.size();
    layers.push_back(std::move(layer));
  }
  return layers;
}

llvm::StringMap<int64_t> countFlops(ModuleOp module) {
  llvm::StringMap<int64_t> flops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto cost = dyn_cast<repro::CostOpInterface>(op);
    if (!cost)
      return WalkResult::advance();
    flops[repro::readNodeInfo(op->getLoc()).name] += cost.getFlops();
    // The ops inside a branch or a loop have been counted.
    return WalkResult::skip();
  });
  return flops;
}

} // namespace gensyn
