#include "Ranks/SumLayout.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace gensyn::runtime {
namespace {

Port makePort(ElementType type, std::vector<int64_t> shape) {
  return {"", Role::State, type, std::move(shape), nullptr};
}

/// Each element is in one piece of one slice, and pieces do not overlap.
void checkSlices(const std::vector<Port> &sums, int ranks) {
  const std::vector<Slice> slices = makeSlices(sums, ranks);
  ASSERT_EQ(slices.size(), size_t(ranks));
  std::vector<int64_t> done(sums.size(), 0);
  for (const Slice &slice : slices) {
    int64_t end = 0;
    for (const SlicePiece &piece : slice.pieces) {
      EXPECT_EQ(piece.first, done[piece.sum]);
      EXPECT_GT(piece.count, 0);
      EXPECT_EQ(piece.offset % 64, 0);
      EXPECT_EQ(piece.first * byteWidth(piece.type) % 64, 0);
      EXPECT_GE(piece.offset, end);
      end = piece.offset + piece.bytes();
      done[piece.sum] += piece.count;
    }
    EXPECT_LE(end, slice.bytes);
  }
  for (size_t i = 0; i < sums.size(); ++i)
    EXPECT_EQ(done[i], countElements(sums[i].shape).value());
}

TEST(SumLayout, HasEachElementOnce) {
  const std::vector<Port> sums = {
      makePort(ElementType::F32, {}), makePort(ElementType::F32, {1000, 7}),
      makePort(ElementType::F64, {3}), makePort(ElementType::F32, {0, 4}),
      makePort(ElementType::F32, {12345})};
  for (int ranks : {1, 2, 3, 7, 16, 500})
    checkSlices(sums, ranks);
}

TEST(SumLayout, SlicesAreOfOneSize) {
  const std::vector<Port> sums = {makePort(ElementType::F32, {1 << 20}),
                                  makePort(ElementType::F32, {768}),
                                  makePort(ElementType::F32, {3 << 18})};
  for (int ranks : {2, 3, 8, 64}) {
    const std::vector<Slice> slices = makeSlices(sums, ranks);
    const int64_t fair = ((7 << 18) + 768) * 4 / ranks;
    for (const Slice &slice : slices)
      EXPECT_LE(std::abs(slice.bytes - fair), 128);
  }
}

} // namespace
} // namespace gensyn::runtime
