// Canonicalization of if, loop and check.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {

/// The value of a constant tensor<i1>.
std::optional<bool> getConstantFlag(Value value) {
  DenseElementsAttr elements;
  if (!value || !matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  return elements.getSplatValue<bool>();
}

// Constants up to this size, and values that take no memory, are copied into
// regions instead of being captured, so that folding continues inside.
constexpr int64_t kMaxSunkBytes = 1024;

bool isCheap(Operation *op) {
  if (isa_and_nonnull<IotaOp, BroadcastOp>(op))
    return true;
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant)
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  auto type = cast<RankedTensorType>(constant.getResult().getType());
  auto element = getElementType(type.getElementType());
  return elements && (elements.isSplat() ||
                      (element && type.getNumElements() * byteWidth(*element) <=
                                      kMaxSunkBytes));
}

/// Moves the ops of `block` in front of `op`, with `arguments` for the block's
/// arguments, and replaces the results by the yielded values.
void inlineFor(Operation *op, Block &block, ValueRange arguments,
               PatternRewriter &rewriter) {
  Operation *terminator = block.getTerminator();
  SmallVector<Value> yielded;
  for (Value value : terminator->getOperands()) {
    auto argument = dyn_cast<BlockArgument>(value);
    yielded.push_back(argument && argument.getOwner() == &block
                          ? arguments[argument.getArgNumber()]
                          : value);
  }
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(&block, op, arguments);
  rewriter.replaceOp(op, yielded);
}

/// Replaces an `if` with a known predicate by the region that runs.
struct InlineKnownIf final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<bool> taken = getConstantFlag(op.getPredicate());
    if (!taken)
      return rewriter.notifyMatchFailure(op, "the predicate is not constant");
    inlineFor(op, *taken ? op.getThenBlock() : op.getElseBlock(),
              op.getCaptures(), rewriter);
    return success();
  }
};

/// Replaces a loop of no iterations by its inits, one of a single iteration by
/// its body.
struct UnrollShortLoop final : OpRewritePattern<LoopOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoopOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<bool> flag = getConstantFlag(op.getCondition());
    if ((op.getTrips() == 0 && !op.mayFault()) || flag == false) {
      rewriter.replaceOp(op, op.getInits());
      return success();
    }
    if (op.getTrips() != 1 || op.getCondition())
      return rewriter.notifyMatchFailure(op, "it may run more than once");
    auto type = cast<RankedTensorType>(op.getIndex().getType());
    SmallVector<Value> arguments = {
        createFilled(rewriter, op.getLoc(), type, 0)};
    llvm::append_range(arguments, op.getInits());
    llvm::append_range(arguments, op.getInvariants());
    inlineFor(op, op.getBlock(), arguments, rewriter);
    return success();
  }
};

SmallVector<Block *> blocksOf(IfOp op) {
  return {&op.getThenBlock(), &op.getElseBlock()};
}
SmallVector<Block *> blocksOf(LoopOp op) { return {&op.getBlock()}; }
MutableOperandRange sharedOf(IfOp op) { return op.getCapturesMutable(); }
MutableOperandRange sharedOf(LoopOp op) { return op.getInvariantsMutable(); }

/// Drops captures and invariants that are unused or duplicates, and sinks those
/// that take no memory when they are computed inside.
template <class Op> struct SimplifyShared final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    MutableOperandRange shared = sharedOf(op);
    for (unsigned number = 0; number < shared.size(); ++number) {
      Value value = shared[number].get();
      SmallVector<BlockArgument> arguments;
      for (Block *block : blocksOf(op))
        arguments.push_back(block->getArgument(block->getNumArguments() -
                                               shared.size() + number));
      const bool isUsed = llvm::any_of(arguments, [](BlockArgument argument) {
        return !argument.use_empty();
      });
      unsigned first = 0;
      while (shared[first].get() != value)
        ++first;
      if (isUsed && first == number && !isCheap(value.getDefiningOp()))
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        if (isUsed && first != number)
          for (BlockArgument argument : arguments)
            argument.replaceAllUsesWith(argument.getOwner()->getArgument(
                argument.getArgNumber() - number + first));
        else if (isUsed)
          sink(op, value.getDefiningOp(), arguments, rewriter);
        for (BlockArgument argument : arguments)
          argument.getOwner()->eraseArgument(argument.getArgNumber());
        sharedOf(op).erase(number);
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "all that it shares is needed");
  }

  /// Clones `source` into the blocks of `arguments`, which hold its value; the
  /// operands of `source` become shared values instead.
  static void sink(Op op, Operation *source, ArrayRef<BlockArgument> arguments,
                   PatternRewriter &rewriter) {
    for (BlockArgument argument : arguments) {
      Block *block = argument.getOwner();
      IRMapping mapping;
      for (Value operand : source->getOperands())
        mapping.map(operand,
                    block->addArgument(operand.getType(), operand.getLoc()));
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(block);
      argument.replaceAllUsesWith(
          rewriter.clone(*source, mapping)->getResult(0));
    }
    sharedOf(op).append(source->getOperands());
  }
};

/// Drops unused results of an `if`.
struct DropUnreadResults final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector unread(op.getNumResults());
    for (OpResult result : op.getResults())
      unread[result.getResultNumber()] = result.use_empty();
    if (unread.none() || unread.all())
      return rewriter.notifyMatchFailure(op, "all results are read, or none");
    SmallVector<Type> types;
    SmallVector<Value> kept;
    for (OpResult result : op.getResults())
      if (!unread[result.getResultNumber()]) {
        types.push_back(result.getType());
        kept.push_back(result);
      }
    for (Block *block : blocksOf(op)) {
      Operation *yield = block->getTerminator();
      rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperands(unread); });
    }
    auto shorter = IfOp::create(rewriter, op.getLoc(), types, op.getPredicate(),
                                op.getCaptures());
    shorter.getThenRegion().takeBody(op.getThenRegion());
    shorter.getElseRegion().takeBody(op.getElseRegion());
    for (auto [old, result] : llvm::zip_equal(kept, shorter.getResults()))
      rewriter.replaceAllUsesWith(old, result);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Turns values that are carried unchanged into invariants; drops carried
/// values that are used neither inside nor after the loop.
struct DropCarried final : OpRewritePattern<LoopOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoopOp op,
                                PatternRewriter &rewriter) const override {
    const unsigned count = op.getInits().size();
    for (unsigned number = 0; number < count; ++number) {
      BlockArgument argument = op.getCarried()[number];
      const bool isSame = op.getYielded()[number] == argument;
      const bool isUnread =
          argument.use_empty() && op.getResult(number).use_empty();
      if (!isSame && !isUnread)
        continue;
      drop(op, number, isSame, rewriter);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "all that it carries is needed");
  }

  static void drop(LoopOp op, unsigned number, bool isSame,
                   PatternRewriter &rewriter) {
    SmallVector<Value> inits(op.getInits()), invariants(op.getInvariants());
    Value init = inits[number];
    inits.erase(inits.begin() + number);
    Block &block = op.getBlock();
    Operation *yield = block.getTerminator();
    rewriter.modifyOpInPlace(yield, [&] {
      yield->eraseOperand((op.getCondition() ? 1 : 0) + number);
    });
    BlockArgument argument = op.getCarried()[number];
    if (isSame) {
      invariants.push_back(init);
      rewriter.replaceAllUsesWith(
          argument, block.addArgument(init.getType(), init.getLoc()));
      rewriter.replaceAllUsesWith(op.getResult(number), init);
    }
    block.eraseArgument(argument.getArgNumber());
    auto shorter = LoopOp::create(
        rewriter, op.getLoc(), ValueRange(inits).getTypes(), op.getTripsAttr(),
        op.getExhaustAttr(), op.getCondition(), inits, invariants);
    shorter.getBody().takeBody(op.getBody());
    SmallVector<Value> old(op.getResults());
    old.erase(old.begin() + number);
    for (auto [before, after] : llvm::zip_equal(old, shorter.getResults()))
      rewriter.replaceAllUsesWith(before, after);
    rewriter.eraseOp(op);
  }
};

/// Drops a check whose operand is known to be true.
struct DropKeptCheck final : OpRewritePattern<CheckOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CheckOp op,
                                PatternRewriter &rewriter) const override {
    if (getConstantFlag(op.getOk()) != true)
      return rewriter.notifyMatchFailure(op, "it is not known to hold");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<InlineKnownIf, SimplifyShared<IfOp>, DropUnreadResults>(context);
}

void LoopOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<UnrollShortLoop, SimplifyShared<LoopOp>, DropCarried>(context);
}

void CheckOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<DropKeptCheck>(context);
}
