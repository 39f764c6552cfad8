// Joins kernels that walk over the same elements.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

// How far back a kernel looks for another, how large the two may get, and how
// many buffers they may have: bounds on time and on registers.
constexpr int64_t kReach = 64, kMostOps = 64;
constexpr size_t kMostBuffers = 16;

/// True if the kernel computes one element of each result per point, with no
/// loop inside.
bool isPointwise(KernelOp kernel) {
  return llvm::none_of(kernel.getBlock(), [](Operation &op) {
    return isa<DomainOpInterface, ColumnOpInterface>(op);
  });
}

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// True if everything that depends on `value` in its kernel is elementwise:
/// then each point needs just its own element of it.
bool isReadInPlace(Value value) {
  SmallVector<Value> queue = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!queue.empty())
    for (Operation *user : queue.pop_back_val().getUsers()) {
      if (isa<YieldOp>(user) || !seen.insert(user).second)
        continue;
      if (!user->hasTrait<OpTrait::Elementwise>())
        return false;
      llvm::append_range(queue, user->getResults());
    }
  return true;
}

class Pair {
public:
  Pair(KernelOp first, KernelOp second) : first(first), second(second) {}

  /// True if the two can become one kernel, and should.
  bool fits() {
    if (shapeOf(first.getResult(0)) != shapeOf(second.getResult(0)) ||
        first.getScheduleAttr() || second.getScheduleAttr())
      return false;
    bool related = false;
    for (auto [argument, input] : llvm::zip_equal(
             second.getBlock().getArguments(), second.getInputs())) {
      if (input.getDefiningOp() == first) {
        if (!isReadInPlace(argument))
          return false;
        related = true;
      } else if (llvm::is_contained(first.getInputs(), input) &&
                 shapeOf(input) == shapeOf(second.getResult(0))) {
        related = true;
      }
    }
    if (!related || first->getNumOperands() + first->getNumResults() +
                            second->getNumOperands() + second->getNumResults() >
                        kMostBuffers)
      return false;
    const auto ops =
        static_cast<int64_t>(first.getBlock().getOperations().size() +
                             second.getBlock().getOperations().size());
    return ops <= kMostOps && (canMoveDown() || canMoveUp());
  }

  KernelOp merge() {
    Operation *place =
        canMoveDown() ? second.getOperation() : first.getOperation();
    OpBuilder builder(place);
    SmallVector<Value> inputs(first.getInputs());
    for (Value input : second.getInputs())
      if (input.getDefiningOp() != first && !llvm::is_contained(inputs, input))
        inputs.push_back(input);
    SmallVector<Value> results; // those that somebody else reads, then second's
    SmallVector<Type> types;
    for (Value result : first.getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return user != second; }))
        results.push_back(result);
    llvm::append_range(results, second.getResults());
    for (Value result : results)
      types.push_back(result.getType());
    auto merged =
        KernelOp::create(builder, second.getLoc(), types, second.getSym(),
                         inputs, /*schedule=*/Attribute());
    Block &block = merged.getBody().emplaceBlock();
    IRMapping outer;
    for (Value input : inputs)
      outer.map(input, block.addArgument(input.getType(), input.getLoc()));
    builder.setInsertionPointToEnd(&block);
    copy(first, outer, builder);
    copy(second, outer, builder);
    SmallVector<Value> yielded;
    for (Value result : results)
      yielded.push_back(outer.lookup(result));
    YieldOp::create(builder, second.getLoc(), yielded);
    for (auto [result, replacement] :
         llvm::zip_equal(results, merged.getResults()))
      result.replaceUsesWithIf(replacement, [&](OpOperand &use) {
        return use.getOwner() != second;
      });
    second.erase();
    first.erase();
    return merged;
  }

private:
  /// Nothing before `second` reads what `first` computes.
  bool canMoveDown() {
    return llvm::all_of(first->getUsers(), [&](Operation *user) {
      return user == second || second->isBeforeInBlock(user);
    });
  }
  /// All that `second` reads is there before `first`, or computed by it.
  bool canMoveUp() {
    return llvm::all_of(second.getInputs(), [&](Value input) {
      Operation *op = input.getDefiningOp();
      return !op || op == first || op->isBeforeInBlock(first);
    });
  }

  /// Clones the body of a kernel whose inputs are mapped, and maps its results.
  static void copy(KernelOp kernel, IRMapping &outer, OpBuilder &builder) {
    IRMapping inner;
    for (auto [argument, input] :
         llvm::zip_equal(kernel.getBlock().getArguments(), kernel.getInputs()))
      inner.map(argument, outer.lookup(input));
    for (Operation &op : kernel.getBlock().without_terminator())
      builder.clone(op, inner);
    for (auto [result, yielded] :
         llvm::zip_equal(kernel.getResults(), kernel.getYielded()))
      outer.map(result, inner.lookup(yielded));
  }

  KernelOp first, second;
};

/// Merges `kernel` into one before it; null where none fits.
KernelOp mergeBackwards(KernelOp kernel) {
  int64_t steps = 0;
  for (Operation *op = kernel->getPrevNode(); op && steps < kReach;
       op = op->getPrevNode(), ++steps) {
    auto other = dyn_cast<KernelOp>(op);
    if (!other || !isPointwise(other))
      continue;
    Pair pair(other, kernel);
    if (pair.fits())
      return pair.merge();
  }
  return {};
}

struct MergeKernels final : impl::MergeKernelsPassBase<MergeKernels> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      if (isPointwise(kernel))
        while (KernelOp merged = mergeBackwards(kernel))
          kernel = merged;
  }
};

} // namespace
} // namespace gensyn::repro
