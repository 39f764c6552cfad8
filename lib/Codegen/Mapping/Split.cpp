// Cuts each kernel into parts for cores.

#include "Cost.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKSPLITPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// How many parts a dimension may have: the powers of two and three halves of
/// them, the number of cores and of indices.
SmallVector<int64_t> countsOf(int64_t extent, int64_t cores, bool isFree) {
  SmallVector<int64_t> counts = {1};
  if (!isFree)
    return counts;
  const int64_t most = std::min(extent, cores);
  for (int64_t count = 2; count <= most; count *= 2) {
    counts.push_back(count);
    if (count + count / 2 <= most)
      counts.push_back(count + count / 2);
  }
  if (most > 1)
    counts.push_back(most);
  llvm::sort(counts);
  counts.erase(llvm::unique(counts), counts.end());
  return counts;
}

/// Finds the grid whose largest part takes the least time.
class PartSearch {
public:
  PartSearch(KernelOp kernel, PieceCosts &costs)
      : costs(costs), whole(getWholePiece(kernel)),
        cores(int64_t(costs.getCores().size())) {
    for (auto [range, split] : llvm::zip_equal(whole, getSplits(kernel)))
      counts.push_back(
          countsOf(range.size, cores, split.kind == Split::Kind::Free));
    sizes.assign(whole.size(), 1);
  }

  SmallVector<int64_t> run() {
    visit(0, 1);
    return best;
  }

private:
  void visit(size_t dimension, int64_t parts) {
    if (dimension == whole.size())
      return measure();
    int64_t last = -1;
    for (int64_t count : counts[dimension]) {
      if (parts * count > cores)
        break;
      const int64_t extent = std::max<int64_t>(whole[dimension].size, 1);
      const int64_t size = llvm::divideCeilSigned(extent, count);
      // Fewer parts may have the same size.
      if (size == last)
        continue;
      last = sizes[dimension] = size;
      visit(dimension + 1, parts * llvm::divideCeilSigned(extent, size));
    }
  }

  void measure() {
    const int64_t parts = task::countBoxes(whole, sizes);
    // One in the middle reads the most where operands have borders.
    Tile part;
    for (auto [range, size] : llvm::zip_equal(whole, sizes)) {
      const int64_t begin = range.size / size / 2 * size;
      part.push_back({begin, std::min(size, range.size - begin), 1});
    }
    // Of those that compute for longer than they copy, the one that copies
    // the least.
    const int64_t copy = costs.copy(part, parts);
    const std::pair time = {std::max(costs.compute(part), copy), copy};
    if (best.empty() || time < bestTime) {
      bestTime = time;
      best = sizes;
    }
  }

  PieceCosts &costs;
  const Tile whole;
  const int64_t cores;
  SmallVector<SmallVector<int64_t>> counts;
  SmallVector<int64_t> sizes, best;
  std::pair<int64_t, int64_t> bestTime;
};

class TaskSplit final : public impl::TaskSplitPassBase<TaskSplit> {
public:
  using TaskSplitPassBase::TaskSplitPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    Builder builder(&getContext());
    llvm::StringMap<SmallVector<int64_t>> known;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      if (kernel->hasAttr(task::kPartsAttr))
        return WalkResult::advance();
      auto [found, isNew] = known.try_emplace(codegen::printKernel(kernel));
      if (isNew) {
        PieceCosts costs(kernel, *described);
        if (costs.getCores().empty()) {
          reportMissing(kernel, costs, described->name);
          return WalkResult::interrupt();
        }
        found->second = PartSearch(kernel, costs).run();
      }
      kernel->setAttr(task::kPartsAttr,
                      builder.getDenseI64ArrayAttr(found->second));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace gensyn::mapping
