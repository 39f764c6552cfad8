#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace gensyn::runtime {
namespace {

Port makePort(ElementType type, std::vector<int64_t> shape) {
  return {"", Role::State, type, std::move(shape), nullptr};
}

/// Each element is one rank's, and ranges are in the order of ranks.
void checkCuts(const std::vector<Port> &tensors, int ranks) {
  const std::vector<Cut> cuts = cutEvenly(tensors, ranks);
  ASSERT_EQ(cuts.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    ASSERT_EQ(cuts[i].size(), size_t(ranks));
    int64_t end = 0;
    for (const Range &range : cuts[i]) {
      if (range.count) {
        EXPECT_EQ(range.begin, end);
        EXPECT_EQ(range.begin * byteWidth(tensors[i].type) % 64, 0);
      }
      end += range.count;
    }
    EXPECT_EQ(end, countElements(tensors[i].shape).value());
  }
}

TEST(TensorCuts, HasEachElementOnce) {
  const std::vector<Port> tensors = {
      makePort(ElementType::F32, {}), makePort(ElementType::F32, {1000, 7}),
      makePort(ElementType::F64, {3}), makePort(ElementType::F32, {0, 4}),
      makePort(ElementType::F32, {12345})};
  for (int ranks : {1, 2, 3, 7, 16, 500})
    checkCuts(tensors, ranks);
}

TEST(TensorCuts, GivesRanksTheSame) {
  const std::vector<Port> tensors = {makePort(ElementType::F32, {1 << 20}),
                                     makePort(ElementType::F32, {768}),
                                     makePort(ElementType::F32, {3 << 18})};
  for (int ranks : {2, 3, 8, 64}) {
    const std::vector<Cut> cuts = cutEvenly(tensors, ranks);
    const int64_t fair = ((7 << 18) + 768) / ranks;
    for (size_t rank = 0; rank < size_t(ranks); ++rank) {
      int64_t own = 0;
      for (const Cut &cut : cuts)
        own += cut[rank].count;
      EXPECT_LE(std::abs(own - fair), 32);
    }
  }
}

} // namespace
} // namespace gensyn::runtime
