// Products of extents at the ends of their range.

#include "gensyn/Numerics/Sizes.h"

#include <gtest/gtest.h>

#include <vector>

using namespace gensyn;

namespace {
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

std::optional<int64_t> product(const std::vector<int64_t> &extents,
                               int64_t limit = kMost) {
  return boundedProduct(extents, limit);
}

TEST(Sizes, ProductsOfExtents) {
  EXPECT_EQ(product({}), 1);
  EXPECT_EQ(product({2, 3, 7}), 42);
  EXPECT_EQ(product({kMost}), kMost);
  EXPECT_EQ(product({int64_t{1} << 31, int64_t{1} << 31}), int64_t{1} << 62);
}

TEST(Sizes, ProductsThatOverflow) {
  EXPECT_EQ(product({int64_t{1} << 32, int64_t{1} << 31}), std::nullopt);
  EXPECT_EQ(product({int64_t{1} << 62, 4, 4}), std::nullopt);
  EXPECT_EQ(product({-1}), std::nullopt);
  EXPECT_EQ(product({-2, -3}), std::nullopt);
}

TEST(Sizes, ZeroExcusesNoOverflow) {
  EXPECT_EQ(product({0, 5}), 5);
  EXPECT_EQ(product({0, kMost, 2}), std::nullopt);
}

TEST(Sizes, TheLimitIsIncluded) {
  EXPECT_EQ(product({2, 4}, 8), 8);
  EXPECT_EQ(product({3, 3}, 8), std::nullopt);
  EXPECT_EQ(product({int64_t{1} << 20, int64_t{1} << 20}, kMaxElements),
            kMaxElements);
  EXPECT_EQ(product({(int64_t{1} << 40) + 1}, kMaxElements), std::nullopt);
}

TEST(Sizes, CostsStayAtTheLargestNumber) {
  EXPECT_EQ(saturatingAdd(3, 4), 7);
  EXPECT_EQ(saturatingAdd(kMost, 1), kMost);
  EXPECT_EQ(saturatingMultiply(3, 4), 12);
  EXPECT_EQ(saturatingMultiply(int64_t{1} << 40, int64_t{1} << 40), kMost);
  EXPECT_EQ(saturatingMultiply(0, kMost), 0);
}
} // namespace
