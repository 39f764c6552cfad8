// Assigns the rows of a sort to threads, and their runs to launches.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTSIZES_H
#define GENSYN_LIB_CODEGEN_GPU_SORTSIZES_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Layout of a sort item: an unsigned key above a position. Items are distinct.
/// An item is one word if both fit, else a key of 64 bits and a position of 32.
struct ItemLayout {
  unsigned keyBits = 32;
  /// Bits of the single word, 32 or 64; 0 if there are two words.
  unsigned wordBits = 64;

  unsigned positionBits() const { return wordBits == 32 ? 32 - keyBits : 32; }
  /// Returns the bytes of each word.
  llvm::SmallVector<int64_t, 2> words() const;
  int64_t bytes() const { return wordBits == 0 ? 12 : wordBits / 8; }
};

/// The sorted runs of each row between two launches. All but the last of a row
/// have the same length.
struct SortRuns {
  int64_t count = 1; ///< of a row
  int64_t size = 0;  ///< items per run
  int64_t items = 0; ///< of a row
};

/// A sort of rows: one launch sorts chunks of rows, or whole rows
/// (SortNetwork), and one follows for each merge (MergeRuns).
struct SortSizes {
  ItemLayout item;
  /// The number of rows, of items per row, and of items that are returned.
  int64_t rows = 1, extent = 0, count = 0;
  /// Items that are sorted together by `group` threads with `perThread` items
  /// each, all powers of two. A block has `groups` such groups.
  int64_t chunk = 1, group = 1, perThread = 1, groups = 1;
  /// Unused slots of shared memory after those of a group.
  int64_t gap = 0;
  /// Runs that a merge joins into one.
  int64_t ways = 4;
  /// The runs before each merge; empty if each row is one chunk.
  llvm::SmallVector<SortRuns> runs;

  int64_t threads() const { return group * groups; }
  int64_t chunks() const { return runs.empty() ? 1 : runs.front().count; }
  /// Returns the number of chunks of all rows.
  int64_t units() const { return rows * chunks(); }
  /// Returns the slots of shared memory per group. One slot is unused after
  /// those of each thread, so that the first slots of threads are in different
  /// banks.
  int64_t pitch() const { return chunk + group + gap; }
  int64_t slots() const { return groups * pitch(); }
  /// Returns the bytes of shared memory.
  int64_t bytes() const { return slots() * item.bytes(); }
  /// Returns the runs after launch `launch`; after the last one each row is one
  /// run.
  SortRuns runsAfter(size_t launch) const {
    return launch < runs.size() ? runs[launch] : SortRuns{1, count, count};
  }

  /// Computes `runs` from the other sizes.
  void listRuns();
  /// Appends the launches and the workspaces between them. There is a buffer
  /// per word, and launches write two sets of buffers alternately. The last
  /// launch writes a set only if the items are `kept`.
  void addTo(KernelPlan &plan, bool kept) const;
};

/// Threads of a block that merges.
inline constexpr int64_t kMergeThreads = 256;

/// Returns the number of runs per merge, so that few launches merge `chunks`.
int64_t chooseWays(int64_t chunks);

} // namespace gensyn::gpu

#endif
