// Chooses which kinds of cores compute a kernel, and its parts.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_SEARCH_KINDSEARCH_H
#define GENSYN_LIB_CODEGEN_MAPPING_SEARCH_KINDSEARCH_H

#include "PartSearch.h"
#include "gensyn/Dialect/Task/IR/Task.h"

namespace gensyn::mapping {

struct PartChoice {
  llvm::SmallVector<int64_t> sizes; ///< of a part along each split dimension
  /// Empty where one kind of cores alone can compute the kernel.
  llvm::SmallVector<task::KindParts> kinds;
  int64_t time = 0;  ///< picoseconds
  int64_t tiles = 0; ///< of all parts; 0 if none fits into a core's memory
};

/// Cuts a kernel into parts. Where kinds of cores that differ can compute it,
/// takes those of one kind, or some of which fast cores compute more parts than
/// slow ones: whatever takes the least time by the estimate. The kernel shares
/// the cores evenly with `share` - 1 others.
PartChoice chooseParts(repro::KernelOp kernel,
                       const machine::Description &machine, PieceCosts &costs,
                       int64_t share = 1, TileSearch::Rules rules = {});

} // namespace gensyn::mapping

#endif
