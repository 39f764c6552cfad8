// Lays out matrices that a loop multiplies by in each iteration so that rows of
// the result read rows of them.

#include "IterationBatch.h"
#include "RowLayout.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-transpose-invariants"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_TRANSPOSEINVARIANTSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Moves a dimension of an operand to the end, before the loop.
void transpose(LoopOp loop, ContractOp contract, unsigned operand,
               unsigned dim) {
  auto argument = cast<BlockArgument>(contract->getOperand(operand));
  Value invariant = loop.getInvariants()[argument.getArgNumber() - 1 -
                                         loop.getInits().size()];
  OpBuilder builder(loop);
  LDBG() << "transposes operand " << operand << " of " << contract.getLoc();
  Value moved = moveToEnd(builder, contract.getLoc(), invariant, dim);
  readMovedToEnd(contract, operand, dim, addInvariant(loop, moved));
}

void transposeIn(LoopOp loop) {
  if (loop.getCondition() ||
      int64_t(loop.getTrips()) * kCyclesOfRead <= kCyclesOfTranspose)
    return;
  IterationBatch values(loop);
  for (auto contract : loop.getBlock().getOps<ContractOp>())
    for (unsigned operand : {0u, 1u})
      if (isa<BlockArgument>(contract->getOperand(operand)) &&
          values.kindOf(contract->getOperand(operand)) ==
              IterationBatch::Kind::Common)
        if (auto dim = findRowDim(contract, operand))
          transpose(loop, contract, operand, *dim);
}

struct TransposeInvariants final
    : impl::TransposeInvariantsPassBase<TransposeInvariants> {
  void runOnOperation() override {
    SmallVector<LoopOp> loops;
    getOperation().walk([&](LoopOp loop) { loops.push_back(loop); });
    for (LoopOp loop : loops)
      transposeIn(loop);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
