// The form `nearby` of repro-fuse-kernels: pointwise kernels of one shape that
// are close together.

#include "FuseKernels.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-fuse-kernels"

using namespace mlir;

namespace gensyn::repro {
namespace {

/// True if every user of `value` in its kernel, directly or not, is
/// elementwise, so that each point needs only its own element.
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
  Pair(KernelOp first, KernelOp second, const FusionLimits &limits)
      : first(first), second(second), limits(limits) {}

  /// Returns the reason against merging the two; empty if there is none.
  StringRef refuse() {
    if (shapeOf(first.getResult(0)) != shapeOf(second.getResult(0)))
      return "the two walk over different elements";
    if (first.getScheduleAttr() || second.getScheduleAttr())
      return "a kernel with a schedule of its own";
    bool related = false;
    for (auto [argument, input] : llvm::zip_equal(
             second.getBlock().getArguments(), second.getInputs())) {
      if (input.getDefiningOp() == first) {
        if (!isReadInPlace(argument))
          return "would be computed again where it is read";
        related = true;
      } else if (llvm::is_contained(first.getInputs(), input) &&
                 shapeOf(input) == shapeOf(second.getResult(0))) {
        related = true;
      }
    }
    if (!related)
      return "the two share no tensor";
    if (first->getNumOperands() + first->getNumResults() +
            second->getNumOperands() + second->getNumResults() >
        limits.nearbyBuffers)
      return "too many buffers";
    if (first.getBlock().getOperations().size() +
            second.getBlock().getOperations().size() >
        limits.nearbyOperations)
      return "too many ops";
    return canMoveDown() || canMoveUp() ? "" : "another kernel stands between";
  }

  KernelOp merge() {
    Operation *place =
        canMoveDown() ? second.getOperation() : first.getOperation();
    OpBuilder builder(place);
    SmallVector<Value> inputs(first.getInputs());
    for (Value input : second.getInputs())
      if (input.getDefiningOp() != first && !llvm::is_contained(inputs, input))
        inputs.push_back(input);
    // Results of the first that another op reads, then all results of the
    // second.
    SmallVector<Value> results;
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
  /// True if nothing before `second` reads a result of `first`.
  bool canMoveDown() {
    return llvm::all_of(first->getUsers(), [&](Operation *user) {
      return user == second || second->isBeforeInBlock(user);
    });
  }
  /// True if every input of `second` is defined before `first`, or by it.
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
  const FusionLimits &limits;
};

/// Merges `kernel` into one before it; null if none fits.
KernelOp mergeBackwards(KernelOp kernel, const FusionLimits &limits) {
  size_t steps = 0;
  for (Operation *op = kernel->getPrevNode(); op && steps < limits.nearbyReach;
       op = op->getPrevNode(), ++steps) {
    auto other = dyn_cast<KernelOp>(op);
    if (!other || !isPointwise(other))
      continue;
    Pair pair(other, kernel, limits);
    const StringRef why = pair.refuse();
    LDBG(2) << other.getSym() << " and " << kernel.getSym() << ": "
            << (why.empty() ? "merged" : why);
    if (!why.empty())
      continue;
    const StringRef earlier = other.getSym();
    KernelOp merged = pair.merge();
    remark::passed(merged.getLoc(), remark::RemarkOpts::name("FuseKernels")
                                        .category("fusion")
                                        .function(merged.getSym()))
        << remark::metric("Parts", (earlier + ", " + merged.getSym()).str())
        << remark::metric("Form", StringRef("nearby"));
    return merged;
  }
  return {};
}

} // namespace

void mergeNearbyKernels(Block &block, const FusionLimits &limits) {
  for (KernelOp kernel : SmallVector<KernelOp>(block.getOps<KernelOp>()))
    if (isPointwise(kernel))
      while (KernelOp merged = mergeBackwards(kernel, limits))
        kernel = merged;
}

} // namespace gensyn::repro

#undef DEBUG_TYPE
