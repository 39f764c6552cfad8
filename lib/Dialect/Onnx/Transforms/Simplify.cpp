// Rewrites that simplify conversions; see the pass's description.

#include "Evaluate.h"
#include "Sequences.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "onnx/defs/schema.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace gensyn::onnx {
#define GEN_PASS_DEF_ONNXSIMPLIFYPASS
#include "gensyn/Dialect/Onnx/Transforms/Passes.h.inc"

namespace {

/// Base of patterns on one operator of any version.
struct NodeRewrite : RewritePattern {
  NodeRewrite(MLIRContext *context, StringRef type)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), type(type) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    const ::onnx::OpSchema *schema = NodeOp::schemaOf(op);
    if (!schema || !schema->domain().empty() || schema->Name() != type)
      return failure();
    return rewrite(NodeOp(op), rewriter);
  }
  virtual LogicalResult rewrite(NodeOp node,
                                PatternRewriter &rewriter) const = 0;
  StringRef type;
};

/// Replaces the node by `value`; the types must agree except where unknown.
LogicalResult replaceBy(NodeOp node, Value value, PatternRewriter &rewriter) {
  Type old = node->getResult(0).getType(), now = value.getType();
  if (old != now && !isa<UnknownType>(old))
    return rewriter.notifyMatchFailure(node, "the types differ");
  rewriter.replaceOp(node, value);
  return success();
}

/// Identity(x) -> x
struct RemoveIdentity final : NodeRewrite {
  explicit RemoveIdentity(MLIRContext *context)
      : NodeRewrite(context, "Identity") {}
  LogicalResult rewrite(NodeOp node, PatternRewriter &rewriter) const override {
    if (node->hasAttr(names::variable) || node->hasAttr(names::stopsGradient))
      return rewriter.notifyMatchFailure(node, "derivatives know it");
    return replaceBy(node, node->getOperand(0), rewriter);
  }
};

/// Cast(x) to the type of x -> x
struct RemoveCast final : NodeRewrite {
  explicit RemoveCast(MLIRContext *context) : NodeRewrite(context, "Cast") {}
  LogicalResult rewrite(NodeOp node, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<TensorType>(node->getOperand(0).getType());
    auto to = node.integer("to");
    if (!type || !to || onnxElementOf(type.getElementType()) != *to)
      return rewriter.notifyMatchFailure(node, "changes the type");
    return replaceBy(node, node->getOperand(0), rewriter);
  }
};

/// CastLike(x, y) -> Cast(x) of the version of the same operator set
struct CastLikeToCast final : NodeRewrite {
  explicit CastLikeToCast(MLIRContext *context)
      : NodeRewrite(context, "CastLike") {}
  LogicalResult rewrite(NodeOp node, PatternRewriter &rewriter) const override {
    auto like = dyn_cast<TensorType>(node->getOperand(1).getType());
    const ::onnx::OpSchema *cast =
        ::onnx::OpSchemaRegistry::Schema("Cast", node.since(), "");
    int to = like ? onnxElementOf(like.getElementType()) : 0;
    if (!cast || !to)
      return rewriter.notifyMatchFailure(node, "the wanted type is not known");
    OperationState state(node->getLoc(), OnnxDialect::opName(*cast));
    state.addOperands(node->getOperand(0));
    state.addTypes(node->getResultTypes());
    state.addAttribute("to", rewriter.getI64IntegerAttr(to));
    for (StringRef name : {"saturate", "round_mode"})
      if (Attribute value = node->getAttr(name);
          value && cast->attributes().count(name.str()))
        state.addAttribute(name, value);
    rewriter.replaceOp(node, rewriter.create(state));
    return success();
  }
};

/// Constant {value...} -> onnx.constant, up to 1 KiB
struct PlainConstant final : NodeRewrite {
  explicit PlainConstant(MLIRContext *context)
      : NodeRewrite(context, "Constant") {}
  LogicalResult rewrite(NodeOp node, PatternRewriter &rewriter) const override {
    ElementsAttr value = evaluateNode(node, {});
    if (!value)
      return rewriter.notifyMatchFailure(node, "not a small plain tensor");
    if (Type old = node->getResult(0).getType();
        old != value.getType() && !isa<UnknownType>(old))
      return rewriter.notifyMatchFailure(node, "the types differ");
    rewriter.replaceOpWithNewOp<ConstantOp>(node, value);
    return success();
  }
};

/// Dropout in inference mode, or without training mode -> its input; a mask
/// that is used keeps it.
struct RemoveDropout final : NodeRewrite {
  RemoveDropout(MLIRContext *context, bool evaluates)
      : NodeRewrite(context, "Dropout"), evaluates(evaluates) {}

  static bool mayTrain(NodeOp node) {
    if (node.hasFormalAttribute("is_test") &&
        node.integer("is_test").value_or(0) == 0)
      return true;
    if (!node.hasFormalInput("training_mode") || !node.input("training_mode"))
      return false;
    auto mode = node.constantIntegers("training_mode");
    return !mode || llvm::any_of(*mode, [](int64_t m) { return m != 0; });
  }

  LogicalResult rewrite(NodeOp node, PatternRewriter &rewriter) const override {
    if (node->getNumResults() > 1 && !node->getResult(1).use_empty())
      return rewriter.notifyMatchFailure(node, "the mask is used");
    if (!evaluates && mayTrain(node))
      return rewriter.notifyMatchFailure(node, "may train");
    Type old = node->getResult(0).getType();
    Value input = node->getOperand(0);
    if (old != input.getType() && !isa<UnknownType>(old))
      return rewriter.notifyMatchFailure(node, "the types differ");
    rewriter.replaceAllUsesWith(node->getResult(0), input);
    rewriter.eraseOp(node);
    return success();
  }

  bool evaluates;
};

/// BatchNormalization in training mode -> one with the stored statistics, which
/// stay unchanged.
struct UseStoredStatistics final : NodeRewrite {
  explicit UseStoredStatistics(MLIRContext *context)
      : NodeRewrite(context, "BatchNormalization") {}

  LogicalResult rewrite(NodeOp node, PatternRewriter &rewriter) const override {
    const bool hasMode = node.hasFormalAttribute("training_mode");
    if (hasMode ? node.integer("training_mode").value_or(0) == 0
                : node->getNumResults() == 1)
      return rewriter.notifyMatchFailure(node, "does not train");
    Value stored[] = {node.input(hasMode ? "input_mean" : "mean"),
                      node.input(hasMode ? "input_var" : "var")};
    for (OpResult result : node->getResults().drop_front())
      if (!result.use_empty() &&
          (result.getResultNumber() > 2 ||
           stored[result.getResultNumber() - 1].getType() != result.getType()))
        return rewriter.notifyMatchFailure(node, "the statistics are used");
    OperationState state(node->getLoc(), node->getName());
    state.addOperands(node->getOperands());
    state.addTypes(node->getResult(0).getType());
    state.addAttributes(node->getAttrs());
    if (hasMode)
      state.attributes.set("training_mode", rewriter.getI64IntegerAttr(0));
    Operation *made = rewriter.create(state);
    rewriter.replaceAllUsesWith(node->getResult(0), made->getResult(0));
    for (OpResult result : node->getResults().drop_front())
      if (!result.use_empty())
        rewriter.replaceAllUsesWith(result,
                                    stored[result.getResultNumber() - 1]);
    rewriter.eraseOp(node);
    return success();
  }
};

/// SequenceAt(SplitToSequence(x), i) -> Split(x)#i, with one Split for all uses
struct SplitSequence final : NodeRewrite {
  explicit SplitSequence(MLIRContext *context)
      : NodeRewrite(context, "SplitToSequence") {}
  LogicalResult rewrite(NodeOp node, PatternRewriter &rewriter) const override;
};

/// The number of a part at a constant position, which may count from the end.
std::optional<int64_t> positionOf(NodeOp at, int64_t parts) {
  auto position = at.constantIntegers("position");
  if (!position || position->size() != 1)
    return std::nullopt;
  int64_t i = position->front() + (position->front() < 0 ? parts : 0);
  return i >= 0 && i < parts ? std::optional(i) : std::nullopt;
}

LogicalResult SplitSequence::rewrite(NodeOp node,
                                     PatternRewriter &rewriter) const {
  auto parts = partsOf(node);
  if (!parts ||
      (!node.input("split") && node.integer("keepdims").value_or(1) == 0))
    return rewriter.notifyMatchFailure(node, "the parts are not known");
  for (Operation *user : node->getUsers()) {
    auto at = dyn_cast<NodeOp>(user);
    if (!at || at.opType() != "SequenceAt" || !positionOf(at, parts->size()))
      return rewriter.notifyMatchFailure(
          node, "is not only read at constant positions");
  }
  Operation *split = createSplit(rewriter, node, *parts);
  for (Operation *user : llvm::make_early_inc_range(node->getUsers()))
    rewriter.replaceOp(
        user, split->getResult(*positionOf(NodeOp(user), parts->size())));
  rewriter.eraseOp(node);
  return success();
}

struct Simplify final : impl::OnnxSimplifyPassBase<Simplify> {
  using OnnxSimplifyPassBase::OnnxSimplifyPassBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RemoveIdentity, RemoveCast, CastLikeToCast, PlainConstant,
                 SplitSequence>(&getContext());
    patterns.add<RemoveDropout>(&getContext(), evaluates);
    if (evaluates)
      patterns.add<UseStoredStatistics>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
    // Values that return through another one may have a more precise type now.
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        function.setFunctionType(FunctionType::get(
            &getContext(), function.getArgumentTypes(),
            function.front().getTerminator()->getOperandTypes()));
  }
};
} // namespace
} // namespace gensyn::onnx
