// Moves scatters behind the other readers of their bases.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-delay-updates"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_DELAYUPDATESPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Returns the memory that a kernel of one scatter updates; null for others.
Value findUpdated(KernelOp kernel) {
  if (kernel.getNumResults() != 1)
    return {};
  auto scatter = kernel.getYielded().front().getDefiningOp<ScatterOp>();
  auto base = scatter ? dyn_cast<BlockArgument>(scatter.getBase()) : nullptr;
  return base ? getStorage(kernel.getInputs()[base.getArgNumber()]) : Value();
}

/// Calls `visit` with the ops of `block` that read the memory of `value`,
/// through reshapes too.
void forReaders(Value value, Block *block,
                llvm::function_ref<void(Operation *)> visit) {
  SmallVector<Value> names = {value};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<ReshapeOp>(user))
        names.push_back(user->getResult(0));
      else if (Operation *own = block->findAncestorOpInBlock(*user))
        visit(own);
    }
}

void delay(KernelOp kernel) {
  Value base = findUpdated(kernel);
  if (!base)
    return;
  Block *block = kernel->getBlock();
  Operation *last = kernel;
  forReaders(base, block, [&](Operation *reader) {
    if (last->isBeforeInBlock(reader))
      last = reader;
  });
  if (last == kernel || last->hasTrait<OpTrait::IsTerminator>())
    return;
  bool isNeededBefore = false;
  for (Operation *user : kernel->getUsers()) {
    Operation *own = block->findAncestorOpInBlock(*user);
    isNeededBefore |= own == last || (own && own->isBeforeInBlock(last));
  }
  if (isNeededBefore)
    return;
  LDBG() << "delays " << kernel.getSym() << " behind " << last->getLoc();
  kernel->moveAfter(last);
}

struct DelayUpdates final : impl::DelayUpdatesPassBase<DelayUpdates> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      delay(kernel);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
