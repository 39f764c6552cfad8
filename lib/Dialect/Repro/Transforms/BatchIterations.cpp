// Computes products that no iteration of a loop changes for all iterations at
// once, before the loop.

#include "IterationBatch.h"

#include "gensyn/Dialect/Repro/IR/Tape.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-batch-iterations"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_BATCHITERATIONSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

using Kind = IterationBatch::Kind;

/// True if all iterations read an operand that is larger than the result of
/// one: together they read it once.
bool sharesMuch(Operation *op, IterationBatch &batch) {
  int64_t shared = 0;
  for (Value operand : op->getOperands())
    if (batch.kindOf(operand) == Kind::Common)
      shared += bytesOf(operand);
  return shared > bytesOf(op->getResult(0));
}

void batchProducts(LoopOp loop) {
  if (loop.getCondition() || loop.getTrips() < 2 ||
      loop.getTrips() > (uint64_t(1) << 30))
    return;
  IterationBatch batch(loop);
  OpBuilder builder(loop);
  int64_t budget = findBudget(loop);
  // Later ops first, so that those that they need are built with them.
  SmallVector<Operation *> roots;
  for (Operation &op : llvm::reverse(loop.getBlock()))
    if (isa<DomainOpInterface>(op) && op.getNumResults() == 1 &&
        batch.kindOf(op.getResult(0)) == Kind::PerIteration &&
        sharesMuch(&op, batch))
      roots.push_back(&op);
  for (Operation *op : roots) {
    const int64_t bytes = batch.newBytes(op->getResult(0));
    if (bytes > budget) {
      LDBG() << "too large for all iterations: " << op->getLoc();
      continue;
    }
    budget -= bytes;
    LDBG() << "computed for all iterations: " << op->getLoc();
    Value all = batch.perIteration(op->getResult(0), builder);
    Value inside = addInvariant(loop, all);
    OpBuilder body(op);
    op->getResult(0).replaceAllUsesWith(
        readTape(body, op->getLoc(), inside, loop.getIndex()));
  }
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(loop.getBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

struct BatchIterations final : impl::BatchIterationsPassBase<BatchIterations> {
  void runOnOperation() override {
    SmallVector<LoopOp> loops;
    getOperation().walk([&](LoopOp loop) { loops.push_back(loop); });
    for (LoopOp loop : loops)
      batchProducts(loop);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
