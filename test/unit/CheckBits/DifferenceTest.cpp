// The first difference and its message.

#include "gensyn/CheckBits/Difference.h"

#include <gtest/gtest.h>

namespace gensyn::checkbits {
namespace {

TEST(Difference, NamesResultElementAndBits) {
  Tensor same = Tensor::of<int32_t>({2}, std::vector<int32_t>{1, 2});
  Tensor a = Tensor::of<float>({2, 2}, std::vector<float>{1, 2, 0.0f, 4});
  Tensor b = Tensor::of<float>({2, 2}, std::vector<float>{1, 2, -0.0f, 5});
  auto found = findDifference({same, a}, {same, b});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->result, 1u);
  EXPECT_EQ(found->index, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(found->describe(),
            "result 1, element [1, 0] of f32: expected 0x00000000 (0x0p+0), "
            "found 0x80000000 (-0x0p+0)");
  EXPECT_FALSE(findDifference({same, a}, {same, a}));
}

} // namespace
} // namespace gensyn::checkbits
