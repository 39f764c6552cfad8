// Chooses into how many parts a kernel is cut.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_PARTSEARCH_H
#define GENSYN_LIB_CODEGEN_MAPPING_PARTSEARCH_H

#include "Cost.h"

namespace gensyn::mapping {

/// Finds the grid whose largest part takes the least time by the estimate. The
/// kernel shares the cores evenly with `share` - 1 others, which copy at the
/// same time.
class PartSearch {
public:
  PartSearch(repro::KernelOp kernel, PieceCosts &costs, int64_t share = 1);

  /// Returns the size of a part along each split dimension.
  llvm::SmallVector<int64_t> run();
  /// Of the largest part, in picoseconds.
  int64_t getTime() const { return bestTime.first; }

private:
  void visit(size_t dimension, int64_t parts);
  void measure();

  PieceCosts &costs;
  const repro::Tile whole;
  const int64_t share, cores;
  llvm::SmallVector<llvm::SmallVector<int64_t>> counts;
  llvm::SmallVector<int64_t> sizes, best;
  /// Its time, and that of its copies alone.
  std::pair<int64_t, int64_t> bestTime;
};

} // namespace gensyn::mapping

#endif
