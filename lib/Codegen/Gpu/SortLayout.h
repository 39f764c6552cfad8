// How the rows of a sort are dealt to threads, and runs to launches.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_SORTLAYOUT_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// What is sorted: a key, as an unsigned number, above a position. No two are
/// equal. They are one word where that holds both, else a key of 64 bits and a
/// position of 32.
struct ItemLayout {
  unsigned keyBits = 32;
  /// Of the one word, 32 or 64; 0: two words.
  unsigned wordBits = 64;

  unsigned positionBits() const { return wordBits == 32 ? 32 - keyBits : 32; }
  int64_t bytes() const { return wordBits == 0 ? 12 : wordBits / 8; }
};

/// Sorted runs of each row, between two launches. All but the last of a row
/// have as many items.
struct SortRuns {
  int64_t count = 1; ///< of a row
  int64_t size = 0;  ///< items of a run
  int64_t items = 0; ///< of a row
};

struct SortLayout {
  repro::SortOp sort;
  ItemLayout item;
  /// Rows, their elements, results of each, and elements from one of a row to
  /// the next.
  llvm::SmallVector<int64_t> rowExtents;
  int64_t rows = 1, extent = 0, count = 0, stride = 1;
  /// Items that are sorted together, by `group` threads with `perThread` each:
  /// powers of two. A block has `groups` of them.
  int64_t chunk = 1, group = 1, perThread = 1, groups = 1;
  /// Runs that a merge joins.
  int64_t ways = 4;
  /// Runs after the first launch, and after each merge but the last; empty
  /// where rows are chunks.
  llvm::SmallVector<SortRuns> runs;

  int64_t threads() const { return group * groups; }
  int64_t chunks() const { return runs.empty() ? 1 : runs.front().count; }
  /// Chunks of all rows.
  int64_t units() const { return rows * chunks(); }
  /// Whether neighbouring threads read neighbouring rows.
  bool isAcross() const { return stride > 1 && groups > 1 && runs.empty(); }
  /// Slots of shared memory from one group to the next: one is left out after
  /// each thread's, so that threads' first slots are in different banks.
  int64_t pitch() const { return chunk + group + (stride > 1 ? 1 : 0); }
  int64_t slots() const { return groups * pitch(); }
};

/// Nothing where the kernel is no sort of at least one element.
std::optional<SortLayout> chooseSortLayout(repro::KernelOp kernel,
                                           const Target &target);

} // namespace gensyn::gpu

#endif
