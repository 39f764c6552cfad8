#include "Ranks/SumBuckets.h"
#include "../ForRanks.h"

#include "gtest/gtest.h"

namespace gensyn::runtime {
namespace {

Port makePort(std::string name, std::vector<int64_t> shape) {
  return {std::move(name), Role::Output, ElementType::F32, std::move(shape),
          nullptr};
}

TEST(SumBuckets, AreCutOneByOne) {
  // 4000 and 2000 bytes, 8000, and the rest.
  const std::vector<Port> sums = {makePort("", {1000}), makePort("", {500}),
                                  makePort("", {2000}), makePort("", {}),
                                  makePort("", {30, 30})};
  const std::vector<Cut> cuts = cutInBuckets(sums, 3, 5000);
  ASSERT_EQ(cuts.size(), sums.size());
  const std::vector<std::pair<size_t, size_t>> buckets = {
      {0, 2}, {2, 3}, {3, 5}};
  for (const auto &[begin, end] : buckets) {
    const auto alone =
        cutEvenly(std::span(sums).subspan(begin, end - begin), 3);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), cuts.begin() + begin));
  }
  // So each rank has some of each bucket.
  for (size_t rank = 0; rank < 3; ++rank)
    EXPECT_GT(cuts[2][rank].count, 600);
}

/// A model of two stages with four sums, of which the second has two.
StepLayout makeLayout(int ranks, int rank) {
  std::vector<StepPhase> phases(3);
  for (size_t i = 0; i < 3; ++i) {
    phases[i].segment = int64_t(i);
    phases[i].stage = i == 1;
  }
  phases[1].ports.outputs = {makePort("gensyn.sum.1", {8}),
                             makePort("gensyn.sum.2", {8})};
  phases[2].ports.outputs = {makePort("gensyn.sum.0", {8}),
                             makePort("gensyn.sum.3", {8})};
  return {{}, phases, {{2, 1}, ranks, rank}, 4};
}

/// What each of some ranks gets, and the errors.
struct Agreed {
  std::vector<std::vector<size_t>> orders;
  std::vector<std::string> errors;
};

Agreed agree(const std::vector<std::vector<size_t>> &own) {
  const int count = int(own.size());
  Agreed agreed{decltype(Agreed::orders)(own.size()), {}};
  agreed.errors = test::forRanks(
      count, [&](communication::Communicator &ranks, size_t rank) {
        agreed.orders[rank] =
            agreeOnOrder(makeLayout(count, int(rank)), own[rank], ranks);
      });
  return agreed;
}

using Order = std::vector<size_t>;

TEST(SumBuckets, OrderIsThatOfTheFirstRankOfEachPlace) {
  const Agreed agreed = agree({{3, 0}, {2, 1}, {0, 3}, {1, 2}});
  for (const Order &order : agreed.orders)
    EXPECT_EQ(order, (Order{3, 0, 2, 1}));
}

TEST(SumBuckets, ARankThatKnowsNoOrderFollowsOthers) {
  EXPECT_EQ(agree({{}, {}, {3, 0}, {2}}).orders[1], (Order{3, 0, 2, 1}));
  EXPECT_EQ(agree({{}, {}}).orders[0], (Order{0, 1, 2, 3}));
}

TEST(SumBuckets, OtherSumsAreAnError) {
  const Agreed agreed = agree({{0, 3}, {4}});
  EXPECT_NE(agreed.errors[0].find("of ranks have other sums"),
            std::string::npos)
      << agreed.errors[0];
}

} // namespace
} // namespace gensyn::runtime
