// Assigns the rows of a sort to threads, and their runs to launches.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTSIZES_H
#define GENSYN_LIB_CODEGEN_GPU_SORTSIZES_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Layout of a sort item: a key, as an unsigned number, above a position. Items
/// are distinct. They are one word if it holds both, else a key of 64 bits and
/// a position of 32.
struct ItemLayout {
  unsigned keyBits = 32;
  /// Of the one word, 32 or 64; 0: two words.
  unsigned wordBits = 64;

  unsigned positionBits() const { return wordBits == 32 ? 32 - keyBits : 32; }
  /// Bytes of each word.
  llvm::SmallVector<int64_t, 2> words() const;
  int64_t bytes() const { return wordBits == 0 ? 12 : wordBits / 8; }
};

/// Sorted runs of each row, between two launches. All but the last of a row
/// have as many items.
struct SortRuns {
  int64_t count = 1; ///< of a row
  int64_t size = 0;  ///< items of a run
  int64_t items = 0; ///< of a row
};

/// A sort of rows: a launch for chunks of them (SortNetwork), which may be the
/// whole rows, then one for each merge (MergeRuns).
struct SortSizes {
  ItemLayout item;
  /// Rows, items of each, and how many of those are wanted.
  int64_t rows = 1, extent = 0, count = 0;
  /// Items that are sorted together, by `group` threads with `perThread` each:
  /// powers of two. A block has `groups` of them.
  int64_t chunk = 1, group = 1, perThread = 1, groups = 1;
  /// Slots of shared memory that are left out behind a group's.
  int64_t gap = 0;
  /// Runs that a merge joins.
  int64_t ways = 4;
  /// Runs before each merge; empty where rows are chunks.
  llvm::SmallVector<SortRuns> runs;

  int64_t threads() const { return group * groups; }
  int64_t chunks() const { return runs.empty() ? 1 : runs.front().count; }
  /// Chunks of all rows.
  int64_t units() const { return rows * chunks(); }
  /// Slots of shared memory from one group to the next: one is left out after
  /// each thread's, so that threads' first slots are in different banks.
  int64_t pitch() const { return chunk + group + gap; }
  int64_t slots() const { return groups * pitch(); }
  /// Of shared memory.
  int64_t bytes() const { return slots() * item.bytes(); }
  /// Runs after launch `launch`; after the last one each row is one.
  SortRuns runsAfter(size_t launch) const {
    return launch < runs.size() ? runs[launch] : SortRuns{1, count, count};
  }

  /// Sets `runs` by the other sizes.
  void listRuns();
  /// Appends the launches, and the workspaces of what is between them. Their
  /// words are buffers, and launches write one set and the other in turns; the
  /// last one too where the items are `kept`.
  void addTo(KernelPlan &plan, bool kept) const;
};

/// Of a block that merges.
inline constexpr int64_t kMergeThreads = 256;

/// Returns the number of runs that a merge joins, so that few launches join
/// `chunks`.
int64_t chooseWays(int64_t chunks);

} // namespace gensyn::gpu

#endif
