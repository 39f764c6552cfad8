// Places blocks of memory with known lifetimes in one arena.

#ifndef GENSYN_CODEGEN_PLAN_ARENA_H
#define GENSYN_CODEGEN_PLAN_ARENA_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gensyn::codegen {

/// Memory that is needed during the launches [first, last].
struct ArenaBlock {
  uint64_t bytes = 0;
  int64_t first = 0, last = 0;
  /// Set by packArena: a multiple of 64.
  uint64_t offset = 0;
};

/// Gives every block an offset so that no two that live at once overlap, and
/// returns the bytes of the arena. Blocks are placed one after another, each
/// into a gap that holds it; several orders and rules of choosing the gap are
/// tried, the best of them is improved by exchanges as long as that is quick,
/// and the smallest arena is kept. The result depends on the blocks alone.
uint64_t packArena(std::vector<ArenaBlock> &blocks);

/// The blocks that live at one time, where they are the most bytes.
struct LiveSet {
  /// Each block's bytes rounded up to 64: what no arena can be smaller than.
  uint64_t bytes = 0;
  /// The first time at which it is reached.
  int64_t time = 0;
  /// Numbers of blocks, the largest first.
  std::vector<size_t> blocks;
};
LiveSet findLargestLiveSet(const std::vector<ArenaBlock> &blocks);

/// The size of an arena without any reuse.
uint64_t sumBlocks(const std::vector<ArenaBlock> &blocks);

} // namespace gensyn::codegen

#endif
