// Common bytes of strided regions, against sets of their bytes.

#include "Simulator/Region.h"

#include "gensyn/Numerics/SplitMix64.h"

#include <set>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::machine;

namespace {

Region makeRegion(int64_t base, int64_t row,
                  std::initializer_list<Region::Dimension> dimensions) {
  Region region;
  region.base = base;
  region.row = row;
  for (const auto &[stride, count] : dimensions)
    region.add(stride, count);
  return region;
}

std::set<int64_t> bytesOf(const Region &region) {
  std::set<int64_t> bytes;
  forEachRow(region, region.base, 0, [&](int64_t begin) {
    for (int64_t i = 0; i < region.row; ++i)
      bytes.insert(begin + i);
    return true;
  });
  return bytes;
}

TEST(Region, NormalFormHasTheSameBytes) {
  // Two planes of whole rows, backwards, and a row that is repeated.
  Region region = makeRegion(300, 4, {{-100, 2}, {20, 3}, {0, 7}, {4, 5}});
  const std::set<int64_t> bytes = bytesOf(region);
  region.normalize();
  EXPECT_EQ(bytesOf(region), bytes);
  EXPECT_EQ(region.rank, 1);
  EXPECT_EQ(region.row, 60);
  EXPECT_EQ(region.begin(), 200);
  EXPECT_EQ(region.end(), 360);
}

TEST(Region, DimensionsThatContinueEachOtherAreOne) {
  Region region = makeRegion(0, 4, {{48, 5}, {16, 3}});
  region.normalize();
  ASSERT_EQ(region.rank, 1);
  EXPECT_EQ(region.dimensions[0].stride, 16);
  EXPECT_EQ(region.dimensions[0].count, 15);
}

TEST(Region, NeighbouringTilesHaveNoCommonByte) {
  // Columns 0 to 15 and 16 to 31 of 64 rows, and one that begins a byte early.
  Region left = makeRegion(0, 16, {{128, 64}});
  Region right = makeRegion(16, 16, {{128, 64}});
  Region early = makeRegion(15, 16, {{128, 64}});
  for (Region *region : {&left, &right, &early})
    region->normalize();
  EXPECT_FALSE(findCommonByte(left, right));
  EXPECT_EQ(findCommonByte(left, early), 15);
  EXPECT_TRUE(findCommonByte(early, right));
}

TEST(Region, RandomRegions) {
  SplitMix64 random(7);
  auto draw = [&](uint64_t below) {
    return static_cast<int64_t>(random() % below);
  };
  int common = 0;
  for (int i = 0; i < 20'000; ++i) {
    auto make = [&] {
      Region region;
      region.base = draw(200);
      region.row = 1 + draw(6);
      for (int64_t rank = draw(4); rank--;)
        region.add(draw(2) ? 1 + draw(40) : 8 << draw(3), 1 + draw(4));
      return region;
    };
    Region first = make(), second = make();
    const std::set<int64_t> bytes = bytesOf(first), others = bytesOf(second);
    first.normalize();
    second.normalize();
    ASSERT_EQ(bytesOf(first), bytes);
    bool expected = false;
    for (int64_t byte : others)
      expected |= bytes.count(byte) > 0;
    const auto found = findCommonByte(first, second);
    ASSERT_EQ(found.has_value(), expected) << "regions " << i;
    if (found) {
      ASSERT_TRUE(bytes.count(*found) && others.count(*found));
    }
    common += expected;
  }
  // Both answers are frequent.
  EXPECT_GT(common, 4'000);
  EXPECT_LT(common, 16'000);
}

} // namespace
