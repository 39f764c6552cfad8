// Chooses the cores of each kernel.

#include "Cost.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

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
    // What cores have to do by then: in each block that repeats, which begins
    // when all cores are free, and in all other kernels together.
    const std::vector<int64_t> idle(described->cores.size());
    std::map<int32_t, std::vector<int64_t>> busy;
    constexpr int32_t noBlock = -1;
    // The cores of the first repetition of each block, and how many kernels of
    // a repetition were before.
    std::map<std::pair<int32_t, size_t>, Attribute> first;
    std::map<std::pair<int32_t, int32_t>, size_t> positions;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      PieceCosts costs(kernel, *described);
      if (costs.getCores().empty()) {
        reportMissing(kernel, costs, described->name);
        return WalkResult::interrupt();
      }
      Attribute *known = nullptr;
      int32_t block = noBlock;
      if (auto repetition =
              kernel->getAttrOfType<DenseI32ArrayAttr>(task::kRepetitionAttr)) {
        block = repetition[0];
        const size_t position = positions[{block, repetition[1]}]++;
        known = &first[{block, position}];
      }
      if (!kernel->hasAttr(task::kCoresAttr)) {
        if (known && *known)
          kernel->setAttr(task::kCoresAttr, *known);
        else
          assign(kernel, costs, busy.try_emplace(block, idle).first->second);
      }
      if (known && !*known)
        *known = kernel->getAttr(task::kCoresAttr);
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
