// Cuts each kernel into parts for cores.

#include "Cost.h"
#include "KeptWeights.h"
#include "Search/Followers.h"
#include "Search/KindSearch.h"
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
      set(kernel, choose(kernel, *described, costs, shareOf(kernel),
                         delaysCopies(kernel)));
      return WalkResult::advance();
    });
    known.clear();
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  const PartChoice &choose(KernelOp kernel, const machine::Description &machine,
                           PieceCosts &costs, int64_t share,
                           bool delaysCopies) {
    const std::string text = codegen::printKernel(kernel);
    // Blocks that repeat are equal, also the last one.
    delaysCopies |= known[{share, true}].contains(text);
    auto [found, isNew] = known[{share, delaysCopies}].try_emplace(text);
    if (isNew)
      found->second = chooseParts(
          kernel, machine, costs, share,
          {fitsTwice, choosesTiles, delaysCopies, delaysCopies ? 1 : share});
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
    auto timeOf = [&](int64_t share) {
      const KernelOp none = nullptr;
      const bool isShared = share > 1;
      return std::pair(choose(kernel, machine, costs, share,
                              delaysCopies(kernel, isShared ? next : none))
                           .time,
                       choose(next, machine, costsOfNext, share,
                              delaysCopies(next, isShared ? kernel : none))
                           .time);
    };
    const auto [first, second] = timeOf(1);
    const auto [firstOfTwo, secondOfTwo] = timeOf(2);
    const int64_t inTurn = first + second;
    const int64_t together = std::max(firstOfTwo, secondOfTwo);
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

  /// By the number of kernels that share the cores, by whether copies of others
  /// wait, and by the text.
  std::map<std::pair<int64_t, bool>, llvm::StringMap<PartChoice>> known;
};

} // namespace
} // namespace gensyn::mapping
