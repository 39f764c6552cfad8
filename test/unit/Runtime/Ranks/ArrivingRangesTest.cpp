// Tensors that become whole on all ranks while these go on.

#include "Ranks/ArrivingRanges.h"
#include "../ForRanks.h"
#include "gensyn/Executable/Packages/InitialValues.h"

#include "gtest/gtest.h"

#include <numeric>

namespace gensyn::runtime {
namespace {

using communication::Communicator;

// Ranges of no elements, short ones and long ones.
const std::vector<int64_t> kSizes = {0, 1, 100, 5000, 60000};

/// Even ranges in the order of positions.
std::vector<Cut> makeCuts(const Islands &islands) {
  std::vector<Port> ports;
  for (int64_t size : kSizes)
    ports.push_back({"", Role::State, ElementType::F32, {size}, nullptr});
  std::vector<Cut> cuts;
  for (const Cut &even : cutEvenly(ports, islands.ranks())) {
    Cut &cut = cuts.emplace_back();
    for (int rank = 0; rank < islands.ranks(); ++rank)
      cut.push_back(even[size_t(islands.positionOf(rank))]);
  }
  return cuts;
}

/// With numbers in the elements of one rank, or of all.
Tensor makeTensor(int step, size_t number, const Cut *cut, int rank) {
  Tensor tensor(ElementType::F32, {kSizes[number]});
  fillTensor(tensor, -1.0);
  const Range range =
      cut ? (*cut)[size_t(rank)] : Range{0, tensor.numElements()};
  for (int64_t i = range.begin; i < range.begin + range.count; ++i)
    tensor.as<float>()[size_t(i)] = float(1000 * step + 7 * int(number)) + i;
  return tensor;
}

/// Calls `use` with each tensor of some steps on its way to all.
void forSteps(int count, int perHost,
              const std::function<void(Value &, const Tensor &)> &use) {
  const auto errors = test::forRanks(
      count,
      [&](Communicator &ranks, size_t) {
        const Islands islands = findIslands(ranks, 1);
        EXPECT_EQ(islands.size, perHost ? perHost : 1);
        const std::vector<Cut> cuts = makeCuts(islands);
        for (int step = 0; step < 3; ++step) {
          std::vector<Value> values;
          for (size_t i = 0; i < kSizes.size(); ++i)
            values.emplace_back(beginToArrive(
                ranks, islands, i, makeTensor(step, i, &cuts[i], ranks.rank()),
                cuts[i]));
          // In another order than they began.
          for (size_t i = kSizes.size(); i-- > 0;)
            use(values[i], makeTensor(step, i, nullptr, 0));
        }
      },
      perHost);
  EXPECT_EQ(errors, std::vector<std::string>(size_t(count)));
}

const std::vector<std::pair<int, int>> kRanks = {{2, 0}, {3, 0}, {4, 2},
                                                 {6, 2}, {6, 3}, {12, 4}};

TEST(ArrivingRanges, AreWholeWhenRead) {
  for (auto [count, perHost] : kRanks)
    forSteps(count, perHost, [](Value &value, const Tensor &expected) {
      const uint64_t version = value.version();
      EXPECT_TRUE(value.read().bitEqual(expected));
      EXPECT_EQ(value.version(), version);
    });
}

TEST(ArrivingRanges, AreWholeWhenWaitedFor) {
  for (auto [count, perHost] : kRanks)
    forSteps(count, perHost, [](Value &value, const Tensor &expected) {
      // As a program has it that waits between two launches.
      Tensor tensor;
      const std::unique_ptr<ArrivingTensor> arriving = value.takeArriving();
      ASSERT_TRUE(arriving);
      EXPECT_FALSE(value.takeArriving());
      tensor = std::move(arriving->tensor);
      arriving->wait();
      EXPECT_TRUE(tensor.bitEqual(expected));
    });
}

/// Nothing writes to memory that is in use again.
TEST(ArrivingRanges, NeedNotBeRead) {
  for (auto [count, perHost] : kRanks)
    forSteps(count, perHost, [](Value &value, const Tensor &expected) {
      if (expected.numElements() % 3)
        value.overwrite();
      else
        value = Value(ElementType::F32, {1});
    });
}

} // namespace
} // namespace gensyn::runtime
