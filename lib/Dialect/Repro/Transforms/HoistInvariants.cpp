// Moves what is the same in every iteration in front of the loop.

#include "IterationBatch.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-hoist-invariants"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// True if the result takes no more memory than the operands do. Constants,
/// iotas and broadcasts are smaller as they are, and computed where they are
/// read.
bool isWorthMemory(Operation *op) {
  if (isa<ReshapeOp>(op))
    return false;
  int64_t read = 0, written = 0;
  for (Value operand : op->getOperands())
    read += bytesOf(operand);
  for (Value result : op->getResults())
    written += bytesOf(result);
  return written <= read;
}

/// Builds the invariant values that other ops than such ones use before the
/// loop.
void hoist(LoopOp loop) {
  IterationBatch values(loop);
  auto isCommon = [&](Operation *op) {
    return op->getNumResults() == 1 &&
           values.kindOf(op->getResult(0)) == IterationBatch::Kind::Common;
  };
  OpBuilder builder(loop);
  SmallVector<Operation *> hoisted;
  for (Operation &op : loop.getBlock().without_terminator())
    if (isCommon(&op) && isWorthMemory(&op) &&
        llvm::any_of(op.getUsers(), [&](Operation *user) {
          return !isCommon(user) || !isWorthMemory(user);
        }))
      hoisted.push_back(&op);
  for (Operation *op : hoisted) {
    LDBG() << "hoists " << op->getName() << " at " << op->getLoc();
    Value outside = values.common(op->getResult(0), builder);
    op->getResult(0).replaceAllUsesWith(addInvariant(loop, outside));
  }
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(loop.getBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

struct HoistInvariants final : impl::HoistInvariantsPassBase<HoistInvariants> {
  void runOnOperation() override {
    SmallVector<LoopOp> loops;
    // Inner loops first: what they give up may be invariant further out.
    getOperation().walk([&](LoopOp loop) { loops.push_back(loop); });
    for (LoopOp loop : loops)
      hoist(loop);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
