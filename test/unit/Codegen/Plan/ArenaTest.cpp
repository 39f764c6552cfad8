// Lifetimes in one arena: no overlap, ever, and how far from the bound.

#include "gensyn/Codegen/Plan/Arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

using namespace gensyn::codegen;

namespace {

void expectDisjoint(const std::vector<ArenaBlock> &blocks, uint64_t total) {
  for (const ArenaBlock &a : blocks) {
    EXPECT_EQ(a.offset % 64, 0u);
    EXPECT_LE(a.offset + a.bytes, total);
    for (const ArenaBlock &b : blocks)
      if (&a != &b && a.first <= b.last && b.first <= a.last && a.bytes &&
          b.bytes) {
        EXPECT_TRUE(a.offset + a.bytes <= b.offset ||
                    b.offset + b.bytes <= a.offset);
      }
  }
}

TEST(Arena, MemoryIsUsedAgain) {
  std::vector<ArenaBlock> blocks = {{100, 0, 1}, {100, 1, 2}, {100, 2, 3}};
  EXPECT_EQ(packArena(blocks), 256u);
  EXPECT_EQ(blocks[0].offset, blocks[2].offset);
}

TEST(Arena, NothingToPlace) {
  std::vector<ArenaBlock> none, empty = {{0, 0, 3}, {0, 1, 2}};
  EXPECT_EQ(packArena(none), 0u);
  EXPECT_EQ(packArena(empty), 0u);
  EXPECT_EQ(findLargestLiveSet(none).bytes, 0u);
}

TEST(Arena, LargestLiveSet) {
  std::vector<ArenaBlock> blocks = {
      {100, 0, 4}, {64, 2, 2}, {1000, 3, 3}, {10, 3, 9}, {1100, 5, 5}};
  const LiveSet set = findLargestLiveSet(blocks);
  EXPECT_EQ(set.bytes, 128u + 1024 + 64);
  EXPECT_EQ(set.time, 3);
  EXPECT_EQ(set.blocks, (std::vector<size_t>{2, 0, 3}));
  EXPECT_EQ(sumBlocks(blocks), 128u + 64 + 1024 + 64 + 1152);
}

/// Packs, checks every pair of blocks, and gives the arena in percent of the
/// largest live set.
double packedPercent(std::vector<ArenaBlock> blocks) {
  const uint64_t total = packArena(blocks);
  expectDisjoint(blocks, total);
  const uint64_t least = findLargestLiveSet(blocks).bytes;
  EXPECT_GE(total, least);
  return 100.0 * double(total) / double(least);
}

TEST(Arena, SmallestGap) {
  // Two holes at launch 5, of 256 and 128 bytes: the smaller one is taken.
  std::vector<ArenaBlock> blocks = {{1024, 0, 9}, {256, 0, 1}, {512, 0, 9},
                                    {128, 0, 1},  {640, 0, 9}, {128, 5, 5}};
  EXPECT_EQ(packedPercent(blocks), 100);
}

TEST(Arena, AdversarialSets) {
  // A staircase: each block is slightly larger than the previous one and its
  // lifetime overlaps only the adjacent ones. In order of time no freed range
  // fits the next block.
  std::vector<ArenaBlock> stairs;
  for (int64_t i = 0; i < 60; ++i)
    stairs.push_back({uint64_t(64 * (i + 1)), i, i + 1});
  EXPECT_EQ(packedPercent(stairs), 100);
  // Small blocks that stay, made between large ones that go: placed by time
  // they cut the arena into pieces.
  std::vector<ArenaBlock> pins;
  for (int64_t i = 0; i < 40; ++i) {
    pins.push_back({4096, 2 * i, 2 * i + 1});
    pins.push_back({64, 2 * i, 200});
  }
  EXPECT_EQ(packedPercent(pins), 100);
  // A forward pass that keeps its values for a backward pass: brackets.
  std::vector<ArenaBlock> brackets;
  for (int64_t i = 0; i < 50; ++i) {
    brackets.push_back({uint64_t(1000 + 977 * i % 5000), i, 200 - i});
    brackets.push_back({uint64_t(1000 + 613 * i % 9000), 200 - i, 201 - i});
  }
  EXPECT_LE(packedPercent(brackets), 110);
  // Known to be hard for first fit: odd and even sizes that never fit.
  std::vector<ArenaBlock> odd;
  for (int64_t i = 0; i < 64; ++i)
    odd.push_back({uint64_t(64 * (1 + i * i % 17)), i * 3 % 40,
                   i * 3 % 40 + 1 + i * 7 % 11});
  EXPECT_LE(packedPercent(odd), 110);
}

TEST(Arena, ManyBlocksAreQuick) {
  std::mt19937 random(3);
  std::vector<ArenaBlock> blocks;
  for (int64_t i = 0; i < 4000; ++i)
    blocks.push_back(
        {random() % 1000000, i, i + static_cast<int64_t>(random() % 100)});
  EXPECT_LE(packedPercent(blocks), 110);
}

TEST(Arena, RandomLifetimes) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<ArenaBlock> blocks;
    for (int i = 0; i < 60; ++i) {
      const int64_t first = random() % 40;
      blocks.push_back({random() % 5000, first,
                        first + static_cast<int64_t>(random() % 10)});
    }
    EXPECT_LE(packedPercent(blocks), 110);
    std::vector<ArenaBlock> once = blocks, again = blocks;
    packArena(once);
    packArena(again);
    for (size_t i = 0; i < once.size(); ++i)
      EXPECT_EQ(once[i].offset, again[i].offset);
  }
}

/// More overlapping pairs than the limit: blocks are placed in order of time.
TEST(Arena, ManyAtOnce) {
  std::vector<ArenaBlock> blocks;
  std::mt19937 random(7);
  constexpr int64_t count = 20000;
  for (int64_t i = 0; i < count; ++i)
    blocks.push_back({1 + random() % 1000, i, 2 * count - i}); // as activations
  for (int64_t i = 0; i < count; ++i)
    blocks.push_back({1 + random() % 1000, count + i, count + i + 1});
  const uint64_t total = packArena(blocks);
  EXPECT_LE(total, findLargestLiveSet(blocks).bytes * 11 / 10);
  // No two at once overlap: a walk over the events, live blocks by offset.
  std::vector<std::tuple<int64_t, bool, size_t>> events; // ends before begins
  for (size_t i = 0; i < blocks.size(); ++i) {
    events.emplace_back(blocks[i].first, true, i);
    events.emplace_back(blocks[i].last + 1, false, i);
  }
  std::sort(events.begin(), events.end());
  std::map<uint64_t, uint64_t> live;
  for (auto [time, begins, number] : events) {
    const ArenaBlock &block = blocks[number];
    if (!begins) {
      live.erase(block.offset);
      continue;
    }
    ASSERT_EQ(block.offset % 64, 0u);
    ASSERT_LE(block.offset + block.bytes, total);
    auto next = live.lower_bound(block.offset);
    ASSERT_TRUE(next == live.end() ||
                block.offset + block.bytes <= next->first);
    ASSERT_TRUE(next == live.begin() ||
                std::prev(next)->first + std::prev(next)->second <=
                    block.offset);
    live.emplace(block.offset, block.bytes);
  }
}

} // namespace
