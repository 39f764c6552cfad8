// Packs blocks by several rules, and searches from the best result.

#include "gensyn/Codegen/Plan/Arena.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace gensyn::codegen {

static uint64_t aligned(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

uint64_t sumBlocks(const std::vector<ArenaBlock> &blocks) {
  uint64_t sum = 0;
  for (const ArenaBlock &block : blocks)
    sum += aligned(block.bytes);
  return sum;
}

LiveSet findLargestLiveSet(const std::vector<ArenaBlock> &blocks) {
  // The live set grows only when a block begins.
  std::vector<std::pair<int64_t, int64_t>> changes; // time, bytes
  for (const ArenaBlock &block : blocks) {
    changes.emplace_back(block.first, aligned(block.bytes));
    changes.emplace_back(block.last + 1, -int64_t(aligned(block.bytes)));
  }
  std::sort(changes.begin(), changes.end());
  LiveSet set;
  int64_t live = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    live += changes[i].second;
    const bool isWhole =
        i + 1 == changes.size() || changes[i + 1].first != changes[i].first;
    if (isWhole && uint64_t(live) > set.bytes) {
      set.bytes = uint64_t(live);
      set.time = changes[i].first;
    }
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    if (set.bytes && blocks[i].first <= set.time && set.time <= blocks[i].last)
      set.blocks.push_back(i);
  std::stable_sort(
      set.blocks.begin(), set.blocks.end(),
      [&](size_t a, size_t b) { return blocks[a].bytes > blocks[b].bytes; });
  return set;
}

namespace {

using Order = std::vector<size_t>;

/// The rule that selects one of the gaps that hold a block.
enum class Fit { Smallest, Lowest };

/// Packs one set of blocks repeatedly.
class Packer {
public:
  explicit Packer(const std::vector<ArenaBlock> &blocks)
      : blocks(blocks), neighbors(blocks.size()), offsets(blocks.size()),
        best(blocks.size()), isPlaced(blocks.size()) {
    Order byTime = identity();
    std::stable_sort(byTime.begin(), byTime.end(), [&](size_t a, size_t b) {
      return blocks[a].first < blocks[b].first;
    });
    std::vector<size_t> live;
    for (size_t i : byTime) {
      std::erase_if(live,
                    [&](size_t j) { return blocks[j].last < blocks[i].first; });
      for (size_t j : live) {
        neighbors[i].push_back(j);
        neighbors[j].push_back(i);
      }
      live.push_back(i);
    }
  }

  uint64_t pack();
  const std::vector<uint64_t> &bestOffsets() const { return best; }

private:
  Order identity() const {
    Order order(blocks.size());
    std::iota(order.begin(), order.end(), size_t{0});
    return order;
  }
  std::vector<Order> makeOrders() const;
  uint64_t findGap(size_t number, Fit fit);
  void attempt(const Order &order, Fit fit);
  void search();

  const std::vector<ArenaBlock> &blocks;
  /// For each block, the blocks that are live at the same time.
  std::vector<std::vector<size_t>> neighbors;
  std::vector<uint64_t> offsets, best;
  std::vector<bool> isPlaced;
  std::vector<size_t> busy;
  uint64_t bestTotal = UINT64_MAX, lowerBound = 0;
  Order bestOrder;
  Fit bestFit = Fit::Smallest;
  /// Of the last attempt.
  uint64_t total = 0;
  /// Remaining visits of neighbors for the search.
  int64_t budget = 8'000'000;
};

} // namespace

/// Returns an offset for a block between its placed neighbors.
uint64_t Packer::findGap(size_t number, Fit fit) {
  busy.clear();
  for (size_t other : neighbors[number])
    if (isPlaced[other])
      busy.push_back(other);
  budget -= static_cast<int64_t>(neighbors[number].size()) + 1;
  std::sort(busy.begin(), busy.end(),
            [&](size_t a, size_t b) { return offsets[a] < offsets[b]; });
  const uint64_t bytes = aligned(blocks[number].bytes);
  uint64_t end = 0, found = 0, smallest = UINT64_MAX;
  for (size_t other : busy) {
    if (offsets[other] > end) {
      const uint64_t gap = offsets[other] - end;
      if (gap >= bytes && fit == Fit::Lowest)
        return end;
      if (gap >= bytes && gap < smallest) {
        found = end;
        smallest = gap;
      }
    }
    end = std::max(end, offsets[other] + aligned(blocks[other].bytes));
  }
  return smallest == UINT64_MAX ? end : found;
}

/// Places the blocks in that order; keeps the result if it is the best so far.
void Packer::attempt(const Order &order, Fit fit) {
  std::fill(isPlaced.begin(), isPlaced.end(), false);
  total = 0;
  for (size_t number : order) {
    offsets[number] = findGap(number, fit);
    isPlaced[number] = true;
    total = std::max(total, offsets[number] + aligned(blocks[number].bytes));
  }
  if (total >= bestTotal)
    return;
  bestTotal = total;
  best = offsets;
  bestOrder = order;
  bestFit = fit;
}

std::vector<Order> Packer::makeOrders() const {
  auto sorted = [&](auto key) {
    Order order = identity();
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return key(a) < key(b); });
    return order;
  };
  auto size = [&](size_t i) { return -double(aligned(blocks[i].bytes)); };
  auto life = [&](size_t i) {
    return -double(blocks[i].last - blocks[i].first + 1);
  };
  auto first = [&](size_t i) { return double(blocks[i].first); };
  using Key = std::pair<double, double>;
  return {
      sorted([&](size_t i) { return Key(size(i), life(i)); }),
      sorted([&](size_t i) { return Key(-size(i) * life(i), size(i)); }),
      sorted([&](size_t i) { return Key(life(i), size(i)); }),
      sorted([&](size_t i) { return Key(first(i), life(i)); }),
      sorted([&](size_t i) { return Key(-double(blocks[i].last), size(i)); })};
}

/// Places one of the topmost blocks earlier, or swaps two, and keeps the result
/// unless it is worse.
void Packer::search() {
  uint64_t state = 0x9e3779b97f4a7c15;
  auto draw = [&](size_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<size_t>(state % bound);
  };
  Order order = bestOrder;
  uint64_t current = bestTotal;
  std::vector<uint64_t> places = best;
  while (budget > 0 && bestTotal > lowerBound) {
    Order next = order;
    Order tops;
    for (size_t at = 0; at < order.size(); ++at)
      if (places[order[at]] + aligned(blocks[order[at]].bytes) == current)
        tops.push_back(at);
    if (draw(4) != 0) {
      const size_t at = tops[draw(tops.size())], to = draw(at + 1);
      std::rotate(next.begin() + static_cast<std::ptrdiff_t>(to),
                  next.begin() + static_cast<std::ptrdiff_t>(at),
                  next.begin() + static_cast<std::ptrdiff_t>(at + 1));
    } else {
      std::swap(next[draw(next.size())], next[draw(next.size())]);
    }
    attempt(next, bestFit);
    if (total > current)
      continue;
    current = total;
    places = offsets;
    order = std::move(next);
  }
}

uint64_t Packer::pack() {
  if (blocks.empty())
    return 0;
  lowerBound = findLargestLiveSet(blocks).bytes;
  for (const Order &order : makeOrders())
    for (Fit fit : {Fit::Smallest, Fit::Lowest})
      if (bestTotal > lowerBound)
        attempt(order, fit);
  search();
  return bestTotal;
}

/// Returns the number of pairs of blocks that are live at the same time, or
/// more than `most`.
static uint64_t countPairs(const std::vector<ArenaBlock> &blocks,
                           uint64_t most) {
  std::vector<int64_t> firsts, lasts;
  for (const ArenaBlock &block : blocks) {
    firsts.push_back(block.first);
    lasts.push_back(block.last);
  }
  std::sort(firsts.begin(), firsts.end());
  std::sort(lasts.begin(), lasts.end());
  uint64_t pairs = 0;
  for (size_t begun = 0, ended = 0; begun < firsts.size() && pairs <= most;
       ++begun) {
    while (lasts[ended] < firsts[begun])
      ++ended;
    pairs += begun - ended;
  }
  return pairs;
}

namespace {
/// Gaps of an arena by their offsets and by their sizes.
class Gaps {
public:
  /// Takes the smallest gap of at least that many bytes; otherwise grows the
  /// end.
  uint64_t take(uint64_t bytes) {
    auto found = bySize.lower_bound({bytes, 0});
    if (found == bySize.end()) {
      // Free memory at the end is part of it.
      uint64_t offset = end;
      if (!byOffset.empty()) {
        auto [last, size] = *byOffset.rbegin();
        if (last + size == end) {
          offset = last;
          erase(last, size);
        }
      }
      end = offset + bytes;
      return offset;
    }
    auto [size, offset] = *found;
    erase(offset, size);
    if (size > bytes)
      insert(offset + bytes, size - bytes);
    return offset;
  }

  void give(uint64_t offset, uint64_t bytes) {
    if (bytes == 0)
      return;
    auto next = byOffset.lower_bound(offset);
    if (next != byOffset.end() && offset + bytes == next->first) {
      bytes += next->second;
      erase(next->first, next->second);
    }
    next = byOffset.lower_bound(offset);
    if (next != byOffset.begin()) {
      auto [before, size] = *std::prev(next);
      if (before + size == offset) {
        erase(before, size);
        offset = before;
        bytes += size;
      }
    }
    insert(offset, bytes);
  }

  uint64_t size() const { return end; }

private:
  void insert(uint64_t offset, uint64_t bytes) {
    byOffset.emplace(offset, bytes);
    bySize.emplace(bytes, offset);
  }
  void erase(uint64_t offset, uint64_t bytes) {
    byOffset.erase(offset);
    bySize.erase({bytes, offset});
  }

  std::map<uint64_t, uint64_t> byOffset;
  std::set<std::pair<uint64_t, uint64_t>> bySize;
  uint64_t end = 0;
};
} // namespace

/// Packs in order of time, each block into the smallest free gap: for programs
/// whose pairs of neighbors do not fit in memory.
static uint64_t packInTime(std::vector<ArenaBlock> &blocks) {
  std::vector<size_t> begins(blocks.size());
  std::iota(begins.begin(), begins.end(), size_t{0});
  std::vector<size_t> ends = begins;
  std::stable_sort(begins.begin(), begins.end(), [&](size_t a, size_t b) {
    return blocks[a].first < blocks[b].first;
  });
  std::stable_sort(ends.begin(), ends.end(), [&](size_t a, size_t b) {
    return blocks[a].last < blocks[b].last;
  });
  Gaps gaps;
  size_t ended = 0;
  for (size_t number : begins) {
    for (; blocks[ends[ended]].last < blocks[number].first; ++ended)
      gaps.give(blocks[ends[ended]].offset, aligned(blocks[ends[ended]].bytes));
    blocks[number].offset = gaps.take(aligned(blocks[number].bytes));
  }
  return gaps.size();
}

uint64_t packArena(std::vector<ArenaBlock> &blocks) {
  constexpr uint64_t mostPairs = uint64_t{1} << 24;
  if (countPairs(blocks, mostPairs) > mostPairs)
    return packInTime(blocks);
  Packer packer(blocks);
  const uint64_t total = packer.pack();
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i].offset = packer.bestOffsets()[i];
  return total;
}

} // namespace gensyn::codegen
