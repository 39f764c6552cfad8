// Allocates blocks of memory with known lifetimes in one arena.

#ifndef GENSYN_CODEGEN_PLAN_ARENA_H
#define GENSYN_CODEGEN_PLAN_ARENA_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gensyn::codegen {

/// Memory that is live during the launches [first, last].
struct ArenaBlock {
  uint64_t bytes = 0;
  int64_t first = 0, last = 0;
  /// Set by packArena: a multiple of 64.
  uint64_t offset = 0;
};

/// Assigns an offset to every block so that no two live blocks overlap, and
/// returns the size of the arena in bytes. Blocks are placed one after another,
/// each into a gap that holds it. Several orders and placement rules are tried,
/// a bounded local search improves the best result, and the smallest arena is
/// kept. The result depends on the blocks alone.
uint64_t packArena(std::vector<ArenaBlock> &blocks);

/// The blocks that are live when their total size is largest.
struct LiveSet {
  /// Total size with each block rounded up to 64 bytes: a lower bound of any
  /// arena.
  uint64_t bytes = 0;
  /// The first time at which it is reached.
  int64_t time = 0;
  /// Indices of the blocks, largest first.
  std::vector<size_t> blocks;
};
LiveSet findLargestLiveSet(const std::vector<ArenaBlock> &blocks);

/// Returns the size of an arena without any reuse.
uint64_t sumBlocks(const std::vector<ArenaBlock> &blocks);

} // namespace gensyn::codegen

#endif
