// Best fit by size.

#include "gensyn/Codegen/Plan/Arena.h"

#include <algorithm>
#include <numeric>

namespace gensyn::codegen {

static uint64_t aligned(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

/// The offset of the smallest gap between `busy` that holds `bytes`; the end of
/// all of them where no gap does. `busy` is sorted by offset.
static uint64_t placeBetween(const std::vector<const ArenaBlock *> &busy,
                             uint64_t bytes) {
  uint64_t end = 0, best = 0, bestGap = UINT64_MAX;
  for (const ArenaBlock *block : busy) {
    if (block->offset > end) {
      const uint64_t gap = block->offset - end;
      if (gap >= bytes && gap < bestGap) {
        best = end;
        bestGap = gap;
      }
    }
    end = std::max(end, block->offset + aligned(block->bytes));
  }
  return bestGap == UINT64_MAX ? end : best;
}

uint64_t packArena(std::vector<ArenaBlock> &blocks) {
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return blocks[a].bytes > blocks[b].bytes;
  });
  std::vector<const ArenaBlock *> placed, busy;
  uint64_t total = 0;
  for (size_t number : order) {
    ArenaBlock &block = blocks[number];
    busy.clear();
    for (const ArenaBlock *other : placed)
      if (other->first <= block.last && block.first <= other->last)
        busy.push_back(other);
    std::sort(busy.begin(), busy.end(),
              [](const ArenaBlock *a, const ArenaBlock *b) {
                return a->offset < b->offset;
              });
    block.offset = placeBetween(busy, aligned(block.bytes));
    total = std::max(total, block.offset + aligned(block.bytes));
    placed.push_back(&block);
  }
  return total;
}

} // namespace gensyn::codegen
