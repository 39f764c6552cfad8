// Tiles of tensors as runs of bytes.

#include "TileBytes.h"

#include <gtest/gtest.h>

#include <random>

using namespace gensyn;
using namespace gensyn::proof;

namespace {

using Range = TileBytes::Range;

plan::EvaluateResponse::Tile write(const std::string &type,
                                   const std::vector<int64_t> &shape,
                                   const std::vector<Range> &ranges) {
  plan::EvaluateResponse::Tile tile;
  tile.set_element_type(type);
  tile.mutable_shape()->Add(shape.begin(), shape.end());
  for (const Range &range : ranges) {
    plan::EvaluateResponse::Range &to = *tile.add_ranges();
    to.set_begin(range.begin);
    to.set_size(range.size);
    to.set_stride(range.stride);
  }
  return tile;
}

bool isRead(const std::vector<int64_t> &shape,
            const std::vector<Range> &ranges) {
  return readTile(write("f32", shape, ranges)).has_value();
}

/// The bytes of the tile, one element after the other.
std::vector<uint64_t> enumerate(const TileBytes &tile) {
  const auto width = uint64_t(byteWidth(tile.type));
  std::vector<uint64_t> elements = {0};
  for (size_t d = 0; d < tile.shape.size(); ++d) {
    std::vector<uint64_t> inner;
    for (uint64_t outer : elements)
      for (int64_t i = 0; i < tile.ranges[d].size; ++i)
        inner.push_back(
            outer * uint64_t(tile.shape[d]) +
            uint64_t(tile.ranges[d].begin + i * tile.ranges[d].stride));
    elements = std::move(inner);
  }
  std::vector<uint64_t> bytes;
  for (uint64_t element : elements)
    for (uint64_t i = 0; i < width; ++i)
      bytes.push_back(element * width + i);
  return bytes;
}

std::vector<uint64_t> visited(const TileBytes &tile) {
  std::vector<uint64_t> bytes;
  tile.visitRuns([&](uint64_t begin, uint64_t size) {
    for (uint64_t i = 0; i < size; ++i)
      bytes.push_back(begin + i);
  });
  return bytes;
}

TileBytes makeTile(std::mt19937 &random) {
  std::vector<int64_t> shape;
  std::vector<Range> ranges;
  for (uint32_t rank = random() % 5; rank > 0; --rank) {
    const int64_t extent = 1 + random() % (rank > 2 ? 4 : 40);
    Range range;
    if (random() % 3 == 0) {
      range = {0, extent, 1};
    } else {
      range.stride = 1 + random() % 3;
      range.begin = random() % uint32_t(extent);
      const int64_t most = (extent - 1 - range.begin) / range.stride + 1;
      range.size = random() % 8 == 0 ? 0 : 1 + random() % uint32_t(most);
    }
    shape.push_back(extent);
    ranges.push_back(range);
  }
  const char *types[] = {"i1", "bf16", "f32", "f64"};
  const auto tile = readTile(write(types[random() % 4], shape, ranges));
  EXPECT_TRUE(tile);
  return tile.value_or(TileBytes());
}

} // namespace

TEST(TileBytes, RunsAreTheElementsOfTheTile) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const TileBytes tile = makeTile(random);
    const std::vector<uint64_t> expected = enumerate(tile);
    EXPECT_EQ(tile.tileBytes, expected.size());
    ASSERT_EQ(visited(tile), expected) << round;
    std::vector<LeafRange> chunks;
    for (uint64_t byte : expected)
      chunks.push_back({byte / kChunkBytes, byte / kChunkBytes + 1});
    const uint64_t count = countChunks(tile.bytes);
    chunks.push_back({count - 1, count});
    ASSERT_EQ(tile.findChunks(), normalize(std::move(chunks))) << round;
  }
}

TEST(TileBytes, ARunIsAsLongAsItCanBe) {
  const auto tile = readTile(
      write("f32", {3, 4, 5, 6}, {{1, 2, 1}, {1, 2, 1}, {0, 5, 1}, {0, 6, 1}}));
  ASSERT_TRUE(tile);
  std::vector<std::pair<uint64_t, uint64_t>> runs;
  tile->visitRuns(
      [&](uint64_t begin, uint64_t size) { runs.emplace_back(begin, size); });
  EXPECT_EQ(runs, (std::vector<std::pair<uint64_t, uint64_t>>{
                      {4 * (120 + 30), 4 * 60}, {4 * (240 + 30), 4 * 60}}));
}

TEST(TileBytes, WhatIsNotInTheTensorIsRefused) {
  constexpr int64_t most = INT64_MAX, least = INT64_MIN;
  EXPECT_TRUE(isRead({4, 5}, {{3, 1, 1}, {0, 3, 2}}));
  EXPECT_TRUE(isRead({}, {}));
  EXPECT_TRUE(isRead({0}, {{0, 0, 1}}));
  EXPECT_FALSE(readTile(write("f31", {4}, {{0, 4, 1}})));
  EXPECT_FALSE(isRead({4, 5}, {{0, 4, 1}}));
  EXPECT_FALSE(isRead({4}, {{0, 4, 1}, {0, 1, 1}}));
  EXPECT_FALSE(isRead({-4}, {{0, 1, 1}}));
  EXPECT_FALSE(isRead({most, most}, {{0, 1, 1}, {0, 1, 1}}));
  EXPECT_FALSE(isRead({0}, {{0, 1, 1}}));
  for (const Range &wrong : {Range{-1, 1, 1},
                             {4, 1, 1},
                             {0, 5, 1},
                             {1, 4, 1},
                             {0, -1, 1},
                             {0, 1, 0},
                             {0, 1, -1},
                             {0, 3, 2},
                             {3, 2, most},
                             {0, most, most},
                             {most, most, 1},
                             {least, 1, 1},
                             {0, least, 1},
                             {1, most, 4}})
    EXPECT_FALSE(isRead({4}, {wrong})) << wrong.begin << " " << wrong.size;
  EXPECT_TRUE(isRead({4}, {{3, 1, most}}));
}

TEST(TileBytes, AnElementOfABatchIsOneOfASample) {
  const SampleElement found =
      findSampleElement(ElementType::BF16, {7, 3, 5}, 2 * 15 + 1 * 5 + 4);
  EXPECT_EQ(found.row, 2u);
  EXPECT_EQ(found.tile.shape, (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(found.tile.bytes, 30u);
  EXPECT_EQ(found.tile.tileBytes, 2u);
  EXPECT_EQ(visited(found.tile), (std::vector<uint64_t>{18, 19}));
  EXPECT_EQ(found.tile.findChunks(), (std::vector<LeafRange>{{0, 1}}));
  // Each sample is one number.
  const SampleElement scalar = findSampleElement(ElementType::F32, {7}, 6);
  EXPECT_EQ(scalar.row, 6u);
  EXPECT_EQ(visited(scalar.tile), (std::vector<uint64_t>{0, 1, 2, 3}));
}
