// See Placement.h.

#include "Placement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <numeric>

using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

namespace gensyn::mapping {

/// How many blocks are placed in other orders than that of their beginnings,
/// which takes the square of that.
static constexpr size_t kMostSorted = 2000;
/// How many pairs of blocks are looked at to change the best order.
static constexpr size_t kMostPairs = 200'000;

int64_t countMostLive(ArrayRef<LiveBlock> blocks) {
  SmallVector<std::pair<int64_t, int64_t>> changes; // what ends comes first
  for (const LiveBlock &block : blocks) {
    changes.push_back({block.begin, block.bytes});
    changes.push_back({block.end, -block.bytes});
  }
  llvm::sort(changes);
  int64_t live = 0, most = 0;
  for (auto [time, bytes] : changes)
    most = std::max(most, live += bytes);
  return most;
}

namespace {

class Placement {
public:
  Placement(MutableArrayRef<LiveBlock> best, int64_t first)
      : best(best), blocks(best.begin(), best.end()), order(best.size()),
        first(first), bound(first + countMostLive(best)) {
    std::iota(order.begin(), order.end(), size_t(0));
  }

  int64_t run() {
    sortBy([](const LiveBlock &block) { return -block.begin; });
    place(/*isByTime=*/true);
    if (blocks.size() > kMostSorted)
      return peak;
    SmallVector<size_t> bestOrder;
    auto placeBy = [&](auto keyOf) {
      if (peak <= bound)
        return;
      sortBy(keyOf);
      const int64_t before =
          std::exchange(least, std::min(least, place(/*isByTime=*/false)));
      if (least < before)
        bestOrder = order;
    };
    placeBy([](const LiveBlock &block) { return block.bytes; });
    placeBy([](const LiveBlock &block) { return block.end - block.begin; });
    placeBy([](const LiveBlock &block) {
      return static_cast<__int128>(block.end - block.begin) * block.bytes;
    });
    order = bestOrder;
    for (size_t pairs = 0; peak > bound && pairs < kMostPairs;
         pairs += blocks.size() * blocks.size())
      placeHighestFirst();
    return peak;
  }

private:
  template <class KeyOf> void sortBy(KeyOf keyOf) {
    llvm::stable_sort(order, [&](size_t a, size_t b) {
      return keyOf(blocks[a]) > keyOf(blocks[b]);
    });
  }

  /// Places blocks in an order, each at the lowest address that is free while
  /// it lives. Keeps the addresses if they are the best so far.
  int64_t place(bool isByTime) {
    int64_t end = first;
    SmallVector<size_t> placed;
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (size_t number : order) {
      LiveBlock &block = blocks[number];
      if (isByTime)
        llvm::erase_if(placed, [&](size_t other) {
          return blocks[other].end <= block.begin;
        });
      taken.clear();
      for (size_t other : placed)
        if (block.livesWith(blocks[other]))
          taken.push_back({blocks[other].address,
                           blocks[other].address + blocks[other].bytes});
      llvm::sort(taken);
      block.address = first;
      for (auto [from, to] : taken) {
        if (from >= block.address + block.bytes)
          break;
        block.address = std::max(block.address, to);
      }
      placed.push_back(number);
      end = std::max(end, block.address + block.bytes);
    }
    if (end < peak) {
      peak = end;
      llvm::copy(blocks, best.begin());
    }
    return end;
  }

  /// The block that lies highest is placed before all others.
  void placeHighestFirst() {
    auto endOf = [&](size_t number) {
      return blocks[number].address + blocks[number].bytes;
    };
    auto highest =
        std::max_element(order.begin(), order.end(), [&](size_t a, size_t b) {
          return endOf(a) < endOf(b);
        });
    std::rotate(order.begin(), highest, std::next(highest));
    place(/*isByTime=*/false);
  }

  MutableArrayRef<LiveBlock> best;
  SmallVector<LiveBlock> blocks;
  SmallVector<size_t> order;
  const int64_t first, bound;
  /// Of the best placement, and of the best order that is not of time.
  int64_t peak = std::numeric_limits<int64_t>::max(), least = peak;
};

} // namespace

int64_t placeBlocks(MutableArrayRef<LiveBlock> blocks, int64_t first) {
  return Placement(blocks, first).run();
}

} // namespace gensyn::mapping
