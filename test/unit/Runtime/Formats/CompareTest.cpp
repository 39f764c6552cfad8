// Positions and sizes of differences between tensors.

#include "gensyn/Runtime/Formats/Compare.h"
#include "../../Executable/TestFiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

static std::vector<Difference> compareMaps(const TensorMap &a,
                                           const TensorMap &b) {
  ScratchFolder scratch;
  writeSafeTensors(scratch / "a", a);
  writeSafeTensors(scratch / "b", b);
  return compareTensors(SafeTensors(scratch / "a"), SafeTensors(scratch / "b"));
}

static TensorMap floats(const std::vector<float> &values) {
  TensorMap map;
  map.emplace("x", Tensor::of<float>({int64_t(values.size()) / 2, 2}, values));
  return map;
}

TEST(Compare, equalIsEqual) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(compareMaps(floats({1, nan}), floats({1, nan})).empty());
}

TEST(Compare, firstPlaceAndUlps) {
  auto found =
      compareMaps(floats({1, 2, 3, 4}),
                  floats({1, 2, std::nextafter(3.0f, 9.0f), 4.0000019f}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "x");
  EXPECT_EQ(found[0].different, 2);
  EXPECT_EQ(found[0].elements, 4);
  EXPECT_EQ(found[0].index, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(found[0].first, "3");
  EXPECT_EQ(found[0].second, "3.00000024");
  EXPECT_EQ(found[0].maxUlps, 4u);
}

TEST(Compare, zerosAndSignsAndNan) {
  EXPECT_EQ(compareMaps(floats({0, 1}), floats({-0.0f, 1}))[0].maxUlps, 1u);
  float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(compareMaps(floats({least, 1}), floats({-least, 1}))[0].maxUlps,
            2u);
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compareMaps(floats({nan, 1}), floats({0, 1}))[0].maxUlps,
            std::numeric_limits<uint64_t>::max());
}

TEST(Compare, narrowFloats) {
  TensorMap a, b;
  a.emplace("f8", Tensor::of<F8E4M3FN>({3}, {{0x38}, {0x00}, {0x01}}));
  b.emplace("f8", Tensor::of<F8E4M3FN>({3}, {{0x3A}, {0x80}, {0x81}}));
  a.emplace("scale", Tensor::of<F8E8M0FNU>({1}, {{0x7F}}));
  b.emplace("scale", Tensor::of<F8E8M0FNU>({1}, {{0x82}}));
  a.emplace("nan", Tensor::of<F8E4M3FNUZ>({1}, {{0x80}}));
  b.emplace("nan", Tensor::of<F8E4M3FNUZ>({1}, {{0x00}}));
  auto found = compareMaps(a, b);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].different, 3);
  EXPECT_EQ(found[0].first, "1");
  EXPECT_EQ(found[0].second, "1.25");
  EXPECT_EQ(found[0].maxUlps, 2u);
  EXPECT_EQ(found[1].maxUlps, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(found[2].first, "1");
  EXPECT_EQ(found[2].second, "8");
  EXPECT_EQ(found[2].maxUlps, 3u);
}

TEST(Compare, integersAndDoubles) {
  TensorMap a, b;
  a.emplace("i", Tensor::of<int8_t>({2}, {-128, 5}));
  b.emplace("i", Tensor::of<int8_t>({2}, {127, 5}));
  a.emplace("d", Tensor::scalar<double>(1.0));
  b.emplace("d", Tensor::scalar<double>(std::nextafter(1.0, 0.0)));
  auto found = compareMaps(a, b);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].second, "0.99999999999999989");
  EXPECT_EQ(found[0].maxUlps, 1u);
  EXPECT_EQ(found[1].maxUlps, 255u);
}

TEST(Compare, whatCannotBeCompared) {
  TensorMap a, b;
  a.emplace("left", Tensor::scalar<float>(1));
  b.emplace("right", Tensor::scalar<float>(1));
  a.emplace("s", Tensor(ElementType::F32, {2}));
  b.emplace("s", Tensor(ElementType::F32, {3}));
  a.emplace("t", Tensor(ElementType::F32, {2}));
  b.emplace("t", Tensor(ElementType::F64, {2}));
  auto found = compareMaps(a, b);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].reason, "only in the first");
  EXPECT_EQ(found[1].reason, "only in the second");
  EXPECT_EQ(found[2].reason, "[2] against [3]");
  EXPECT_EQ(found[3].reason, "float32 against float64");
}
