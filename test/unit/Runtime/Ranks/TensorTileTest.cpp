#include "gensyn/Runtime/Ranks/TensorTile.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gtest/gtest.h"

namespace gensyn::runtime {
namespace {

/// For each element of the tensor its number in the tile, or -1.
std::vector<int64_t> numberElements(const std::vector<int64_t> &shape,
                                    const std::vector<int64_t> &begins,
                                    const std::vector<int64_t> &counts) {
  std::vector<int64_t> numbers;
  std::vector<int64_t> index(shape.size(), 0);
  int64_t next = 0, elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  for (int64_t i = 0; i < elements; ++i) {
    int64_t rest = i;
    bool isIn = true;
    for (size_t k = shape.size(); k-- > 0; rest /= shape[k])
      isIn = isIn && rest % shape[k] >= begins[k] &&
             rest % shape[k] < begins[k] + counts[k];
    numbers.push_back(isIn ? next++ : -1);
  }
  return numbers;
}

void checkRuns(const std::vector<int64_t> &shape,
               const std::vector<int64_t> &begins,
               const std::vector<int64_t> &counts) {
  const TensorTile tile(shape, begins, counts);
  const std::vector<int64_t> numbers = numberElements(shape, begins, counts);
  const auto elements = int64_t(numbers.size());
  for (int64_t begin = 0; begin <= elements; ++begin)
    for (int64_t count = 0; count <= elements - begin; ++count) {
      std::vector<int64_t> found(numbers.size(), -1);
      int64_t next = -1;
      for (const TensorTile::Run &run : tile.runsIn({begin, count})) {
        EXPECT_GT(run.count, 0);
        EXPECT_TRUE(next < 0 || run.ofTile == next); // adjacent in the tile
        next = run.ofTile + run.count;
        for (int64_t i = 0; i < run.count; ++i)
          found[size_t(run.ofTensor + i)] = run.ofTile + i;
      }
      for (int64_t i = 0; i < elements; ++i)
        EXPECT_EQ(found[size_t(i)],
                  i >= begin && i < begin + count ? numbers[size_t(i)] : -1);
    }
}

TEST(TensorTile, RunsAreTheElementsInARange) {
  checkRuns({}, {}, {});
  checkRuns({7}, {2}, {3});
  checkRuns({4, 5}, {1, 0}, {2, 5}); // one run
  checkRuns({4, 5}, {0, 1}, {4, 3});
  checkRuns({3, 2, 4}, {1, 0, 1}, {2, 2, 2});
  checkRuns({3, 2, 4}, {0, 1, 0}, {3, 1, 4});
  checkRuns({3, 4}, {1, 2}, {0, 2});
  checkRuns({2, 1, 3}, {0, 0, 0}, {2, 1, 3});
}

TEST(TensorTile, OverlapsWhereEachDimensionDoes) {
  const TensorTile left({4, 4}, {0, 0}, {4, 2}), right({4, 4}, {0, 2}, {4, 2}),
      middle({4, 4}, {1, 1}, {1, 2}), none({4, 4}, {1, 1}, {0, 2});
  EXPECT_FALSE(left.overlaps(right));
  EXPECT_TRUE(left.overlaps(middle));
  EXPECT_TRUE(middle.overlaps(right));
  EXPECT_FALSE(left.overlaps(none));
}

TEST(TensorTile, IsWithinTheTensor) {
  EXPECT_EQ(TensorTile({4, 5}).elements(), 20);
  EXPECT_THROW(TensorTile({4}, {2}, {3}), Failure);
  EXPECT_THROW(TensorTile({4}, {-1}, {3}), Failure);
  EXPECT_THROW(TensorTile({4}, {0}, {-1}), Failure);
  EXPECT_THROW(TensorTile({4}, {0, 0}, {4, 1}), Failure);
}

} // namespace
} // namespace gensyn::runtime
