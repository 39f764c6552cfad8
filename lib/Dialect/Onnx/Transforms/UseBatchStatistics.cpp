// Puts batch normalizations that an exporter wrote in inference mode into
// training mode; see the pass's description.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/Transforms/BatchStatistics.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "onnx/defs/schema.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::onnx {
#define GEN_PASS_DEF_ONNXUSEBATCHSTATISTICSPASS
#include "gensyn/Dialect/Onnx/Transforms/Passes.h.inc"

/// Before version 14 the number of outputs determines the training mode.
static bool trains(NodeOp node) {
  return node.hasFormalAttribute("training_mode")
             ? node.integer("training_mode").value_or(0) != 0
             : node->getNumResults() > 1;
}

/// True if `value` is an initializer of the model whose function is `main`, or
/// a constant that the exporter records as a buffer.
static bool isInitializer(Value value, func::FuncOp main) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &main.front())
    return false;
  const auto role = program::getRole(main, argument.getArgNumber());
  return role == Role::Parameter || role == Role::Constant;
}

/// Replaces a node in inference mode by one in training mode. Its results are
/// Y, the next mean and the next variance, in every version.
static LogicalResult makeTrain(NodeOp node, func::FuncOp main) {
  const bool hasMode = node.hasFormalAttribute("training_mode");
  Value mean = node.input(hasMode ? "input_mean" : "mean");
  Value variance = node.input(hasMode ? "input_var" : "var");
  if (node->getParentOp() != main)
    return node.emitOpError("is in a subgraph, where no running statistics "
                            "are kept, so that it cannot be made to train");
  if (!isInitializer(mean, main) || !isInitializer(variance, main))
    return node.emitOpError(
        "has a mean or a variance that is not an initializer, so that it "
        "cannot be made to train");
  for (OpResult result : node->getResults().drop_front())
    if (!result.use_empty())
      return node.emitOpError("has outputs that exist in training mode only");
  OpBuilder builder(node);
  OperationState state(node->getLoc(), node->getName());
  state.addOperands(node->getOperands());
  state.addTypes(
      {node->getResult(0).getType(), mean.getType(), variance.getType()});
  state.addAttributes(node->getAttrs());
  if (hasMode)
    state.attributes.set("training_mode", builder.getI64IntegerAttr(1));
  Operation *made = builder.create(state);
  node->getResult(0).replaceAllUsesWith(made->getResult(0));
  node->erase();
  return success();
}

static void collectNormalizations(Operation *root,
                                  SmallVectorImpl<NodeOp> &nodes) {
  root->walk([&](Operation *op) {
    const ::onnx::OpSchema *schema = NodeOp::schemaOf(op);
    if (schema && schema->domain().empty() &&
        schema->Name() == "BatchNormalization")
      nodes.push_back(NodeOp(op));
  });
}

unsigned countInferenceNormalizations(ModuleOp module) {
  SmallVector<NodeOp> nodes;
  collectNormalizations(module, nodes);
  return llvm::count_if(nodes, [](NodeOp node) { return !trains(node); });
}

namespace {
struct UseBatchStatistics final
    : impl::OnnxUseBatchStatisticsPassBase<UseBatchStatistics> {
  using OnnxUseBatchStatisticsPassBase::OnnxUseBatchStatisticsPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    SmallVector<NodeOp> nodes;
    if (main && !main.isExternal())
      collectNormalizations(main, nodes);
    if (nodes.empty()) {
      emitError(getOperation().getLoc(),
                "recipe: 'batch_norm' is 'train', and the model has no "
                "BatchNormalization")
              .attachNote()
          << "exporters fold it into its neighbours; torch.onnx.export keeps "
             "it with optimize=False, and with dynamo=False by "
             "training=TrainingMode.TRAINING and do_constant_folding=False";
      return signalPassFailure();
    }
    for (NodeOp node : nodes)
      if (!trains(node) && failed(makeTrain(node, main)))
        return signalPassFailure();
  }
};
} // namespace
} // namespace gensyn::onnx
