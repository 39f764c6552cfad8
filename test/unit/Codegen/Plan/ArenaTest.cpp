#include "gensyn/Codegen/Plan/Arena.h"

#include <gtest/gtest.h>
#include <random>

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

TEST(Arena, SmallestGap) {
  // Two holes at launch 5, of 256 and 128 bytes: the smaller one is taken.
  std::vector<ArenaBlock> blocks = {{1024, 0, 9}, {256, 0, 1}, {512, 0, 9},
                                    {128, 0, 1},  {640, 0, 9}, {128, 5, 5}};
  const uint64_t total = packArena(blocks);
  expectDisjoint(blocks, total);
  EXPECT_EQ(total, 1024u + 512 + 640 + 256 + 128);
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
    const uint64_t total = packArena(blocks);
    expectDisjoint(blocks, total);
  }
}

} // namespace
