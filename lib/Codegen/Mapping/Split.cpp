// Cuts each kernel into parts for cores.

#include "Cost.h"
#include "KeptWeights.h"
#include "KindSearch.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKSPLITPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

class TaskSplit final : public impl::TaskSplitPassBase<TaskSplit> {
public:
  using TaskSplitPassBase::TaskSplitPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    limitCoreMemories(*described, tileMemory);
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      if (kernel->hasAttr(task::kPartsAttr))
        return WalkResult::advance();
      PieceCosts costs(kernel, *described);
      if (costs.getCores().empty()) {
        reportMissing(kernel, costs, described->name);
        return WalkResult::interrupt();
      }
      shareWithNext(kernel, *described, costs);
      set(kernel, choose(kernel, *described, costs, shareOf(kernel)));
      return WalkResult::advance();
    });
    known.clear();
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static int64_t shareOf(KernelOp kernel) {
    auto share = kernel->getAttrOfType<IntegerAttr>(task::kShareAttr);
    return share ? share.getInt() : 1;
  }

  const PartChoice &choose(KernelOp kernel, const machine::Description &machine,
                           PieceCosts &costs, int64_t share) {
    auto [found, isNew] =
        known[share].try_emplace(codegen::printKernel(kernel));
    if (isNew)
      found->second =
          chooseParts(kernel, machine, costs, share, {fitsTwice, choosesTiles});
    return found->second;
  }

  /// The next kernel may run at the same time if it does not read what this one
  /// writes. Small ones take less time on half of the cores each, than one
  /// after the other on all of them.
  void shareWithNext(KernelOp kernel, const machine::Description &machine,
                     PieceCosts &costs) {
    KernelOp next;
    for (Operation *op = kernel->getNextNode(); op && !next;
         op = op->getNextNode())
      next = dyn_cast<KernelOp>(op);
    auto isFree = [](KernelOp one) {
      return one && !one->hasAttr(task::kPartsAttr) &&
             !one->hasAttr(task::kShareAttr);
    };
    if (!isFree(kernel) || !isFree(next) || costs.getKinds().size() != 1 ||
        costs.getCores().size() < 2 ||
        llvm::any_of(next.getInputs(), [&](Value input) {
          return input.getDefiningOp() == kernel;
        }))
      return;
    PieceCosts costsOfNext(next, machine);
    if (costsOfNext.getKinds() != costs.getKinds())
      return;
    const int64_t inTurn = choose(kernel, machine, costs, 1).time +
                           choose(next, machine, costsOfNext, 1).time;
    const int64_t together =
        std::max(choose(kernel, machine, costs, 2).time,
                 choose(next, machine, costsOfNext, 2).time);
    if (aboutTheSame(together) >= inTurn)
      return;
    auto share = Builder(kernel.getContext()).getI64IntegerAttr(2);
    kernel->setAttr(task::kShareAttr, share);
    next->setAttr(task::kShareAttr, share);
  }

  static void set(KernelOp kernel, const PartChoice &choice) {
    Builder builder(kernel.getContext());
    kernel->setAttr(task::kPartsAttr,
                    builder.getDenseI64ArrayAttr(choice.sizes));
    SmallVector<int32_t> kinds;
    for (task::KindParts own : choice.kinds)
      kinds.append({int32_t(own.kind), int32_t(own.parts)});
    if (!kinds.empty())
      kernel->setAttr(task::kKindsAttr, builder.getDenseI32ArrayAttr(kinds));
  }

  /// By the number of kernels that share the cores, and by the text.
  std::map<int64_t, llvm::StringMap<PartChoice>> known;
};

} // namespace
} // namespace gensyn::mapping
