// See SortSizes.h.

#include "SortSizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {

/// Maximum number of runs per merge, which are searched in parallel.
static constexpr int64_t kMostWays = 8;

SmallVector<int64_t, 2> ItemLayout::words() const {
  if (wordBits == 0)
    return {8, 4};
  return {wordBits / 8};
}

void SortSizes::listRuns() {
  runs.clear();
  if (chunk >= extent)
    return;
  SortRuns now;
  now.count = llvm::divideCeil(extent, chunk);
  now.size = std::min(chunk, count);
  const int64_t last = extent - (now.count - 1) * chunk;
  now.items = (now.count - 1) * now.size + std::min(last, count);
  while (true) {
    runs.push_back(now);
    if (now.count <= ways)
      return;
    SortRuns next;
    next.count = llvm::divideCeil(now.count, ways);
    next.size = std::min(ways * now.size, count);
    const int64_t before = next.count - 1;
    next.items = before * next.size +
                 std::min(now.items - before * ways * now.size, count);
    now = next;
  }
}

void SortSizes::addTo(KernelPlan &plan, bool kept) const {
  const size_t written = runs.size() + (kept ? 1 : 0);
  for (size_t launch = 0; launch < std::min<size_t>(written, 2); ++launch)
    for (int64_t bytes : item.words())
      plan.workspaces.push_back(rows * runsAfter(launch).items * bytes);
  LaunchPlan &first = plan.launches.emplace_back();
  first.suffix = written == 0 ? "" : "chunks";
  first.grid[0] = llvm::divideCeil(units(), groups);
  first.block[0] = threads();
  first.sharedBytes = bytes();
  for (auto [pass, before] : llvm::enumerate(runs)) {
    LaunchPlan &merge = plan.launches.emplace_back();
    merge.suffix = "merge" + std::to_string(pass);
    merge.grid[0] = llvm::divideCeil(rows * before.items, kMergeThreads);
    merge.block[0] = kMergeThreads;
  }
}

int64_t chooseWays(int64_t chunks) {
  int64_t passes = 1;
  for (int64_t joined = kMostWays; joined < chunks; joined *= kMostWays)
    ++passes;
  for (int64_t ways = 2; ways < kMostWays; ++ways) {
    int64_t joined = 1;
    for (int64_t pass = 0; pass < passes; ++pass)
      joined *= ways;
    if (joined >= chunks)
      return ways;
  }
  return kMostWays;
}

} // namespace gensyn::gpu
