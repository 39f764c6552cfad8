// Chooses the cores of each kernel.

#include "Cost.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKASSIGNPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {
class TaskAssign final : public impl::TaskAssignPassBase<TaskAssign> {
public:
  using TaskAssignPassBase::TaskAssignPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    std::vector<int64_t> busy(described->cores.size());
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      PieceCosts costs(kernel, *described);
      if (costs.getCores().empty()) {
        reportMissing(kernel, costs, described->name);
        return WalkResult::interrupt();
      }
      if (!kernel->hasAttr(task::kCoresAttr))
        assign(kernel, costs, busy);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static void assign(KernelOp kernel, PieceCosts &costs,
                     std::vector<int64_t> &busy) {
    const SmallVector<Tile> parts = task::getParts(kernel);
    SmallVector<uint32_t> cores(costs.getCores());
    const size_t count = std::min(parts.size(), cores.size());
    llvm::stable_sort(
        cores, [&](uint32_t a, uint32_t b) { return busy[a] < busy[b]; });
    cores.resize(count);
    llvm::sort(cores);
    const int64_t each = int64_t(llvm::divideCeil(parts.size(), count));
    SmallVector<int64_t> counts;
    for (auto [all, own] :
         llvm::zip_equal(getSplitExtents(kernel), parts.front()))
      counts.push_back(std::max<int64_t>(
          llvm::divideCeilSigned(all, std::max<int64_t>(own.size, 1)), 1));
    const int64_t time = std::max(costs.compute(parts.front()),
                                  costs.copy(parts.front(), counts));
    for (uint32_t core : cores)
      busy[core] += each * time;
    kernel->setAttr(task::kCoresAttr,
                    Builder(kernel.getContext())
                        .getDenseI32ArrayAttr(
                            SmallVector<int32_t>(cores.begin(), cores.end())));
  }
};
} // namespace
} // namespace gensyn::mapping
