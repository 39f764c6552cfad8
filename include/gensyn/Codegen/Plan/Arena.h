// Where blocks of memory with known lifetimes lie in one arena.

#ifndef GENSYN_CODEGEN_PLAN_ARENA_H
#define GENSYN_CODEGEN_PLAN_ARENA_H

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
/// returns the bytes of the arena. Larger blocks are placed first, each in the
/// smallest gap that holds it. The result depends on the blocks alone.
uint64_t packArena(std::vector<ArenaBlock> &blocks);

} // namespace gensyn::codegen

#endif
