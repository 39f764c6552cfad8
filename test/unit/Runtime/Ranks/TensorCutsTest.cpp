#include "gensyn/Runtime/Ranks/TensorCuts.h"
#include "../ForRanks.h"

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

/// Ranges of none, few and many elements of several tensors.
TEST(TensorCuts, GathersRangesInFewMessages) {
  const std::vector<Port> tensors = {
      makePort(ElementType::F32, {5}), makePort(ElementType::F32, {4000}),
      makePort(ElementType::F32, {40000}), makePort(ElementType::F32, {100})};
  auto valueOf = [](size_t tensor, int64_t i) {
    return float(100000 * int64_t(tensor) + i);
  };
  for (int count : {2, 3, 7}) {
    // End to end, and each by itself.
    std::vector<Cut> cuts = cutEvenly(tensors, count);
    for (size_t i = 1; i < tensors.size(); ++i)
      cuts[i] = cutEvenly(std::span(tensors).subspan(i, 1), count)[0];
    const auto errors =
        test::forRanks(count, [&](communication::Communicator &ranks, size_t) {
          std::vector<std::vector<float>> values;
          std::vector<CutBytes> bytes;
          for (size_t i = 0; i < tensors.size(); ++i) {
            const Range own = cuts[i][size_t(ranks.rank())];
            auto &made = values.emplace_back(size_t(tensors[i].shape[0]), -1.f);
            for (int64_t j = own.begin; j < own.begin + own.count; ++j)
              made[size_t(j)] = valueOf(i, j);
            bytes.push_back(
                {reinterpret_cast<std::byte *>(made.data()), 4, &cuts[i]});
          }
          const uint64_t before = ranks.statistics().messagesSent;
          gatherRanges(ranks, 5, bytes);
          for (size_t i = 0; i < tensors.size(); ++i)
            for (size_t j = 0; j < values[i].size(); ++j)
              ASSERT_EQ(values[i][j], valueOf(i, int64_t(j))) << i << " " << j;
          // The last tensor's ranges are always short, the second's of seven
          // ranks.
          EXPECT_EQ(ranks.statistics().messagesSent - before,
                    (count == 7 ? 2u : 3u) * uint64_t(count - 1));
        });
    EXPECT_EQ(errors, std::vector<std::string>(size_t(count)));
  }
}

} // namespace
} // namespace gensyn::runtime
