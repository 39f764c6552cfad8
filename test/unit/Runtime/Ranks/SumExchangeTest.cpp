// Sums of several ranks in the order of the tree, and who gets them when.

#include "Ranks/SumExchange.h"
#include "../../Executable/PlanBuilder.h"
#include "../ForRanks.h"
#include "Ranks/SumBuckets.h"
#include "gensyn/Executable/Support/Error.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <functional>

namespace gensyn::runtime {
namespace {

using communication::Communicator;

// More than a page each, but for two.
const std::vector<std::vector<int64_t>> kShapes = {
    {}, {40, 200}, {777}, {3, 5000}, {9000}, {4097}};
constexpr int64_t kMicrobatches = 11;
constexpr int64_t kPiece = 256;
const std::vector<size_t> kOrder = {5, 3, 4, 0, 1, 2};

/// Adds two tensors of 256 elements.
class Adder final : public Program {
public:
  Adder() : Program(describe()) {}

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    for (size_t i = 0; i < size_t(kPiece); ++i)
      outputs[0].as<float>()[i] =
          inputs[0]->as<float>()[i] + inputs[1]->as<float>()[i];
  }

private:
  static std::shared_ptr<plan::Executable> describe() {
    auto executable = std::make_shared<plan::Executable>();
    executable->set_version(1);
    plan::Plan &plan = *executable->mutable_plan();
    test::addInput(plan, "left", "input", {kPiece});
    test::addInput(plan, "right", "input", {kPiece});
    test::addOutput(plan, "sum", "output", {kPiece});
    return executable;
  }
};

/// Numbers whose sum depends on the order.
float termAt(int step, size_t sum, int64_t microbatch, int64_t i) {
  const auto word = uint32_t((i + 1) * 2654435761U) ^
                    uint32_t((microbatch + 3 * step + 1) * 40503U) ^
                    uint32_t(sum * 97);
  return std::ldexp(float(word % 65521) - 32760.0f, int(word / 65521 % 24));
}

/// The sum of the microbatches of a node.
float nodeAt(int step, size_t sum, TreeNode node, int64_t i) {
  if (node.count == 1)
    return termAt(step, sum, node.first, i);
  const auto [left, right] = node.children();
  return nodeAt(step, sum, left, i) + nodeAt(step, sum, right, i);
}

Tensor makeNode(int step, size_t sum, TreeNode node) {
  Tensor tensor(ElementType::F32, kShapes[sum]);
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.as<float>()[size_t(i)] = nodeAt(step, sum, node, i);
  return tensor;
}

std::vector<Port> makePorts() {
  std::vector<Port> ports;
  for (size_t sum = 0; sum < kShapes.size(); ++sum)
    ports.push_back({"gensyn.sum." + std::to_string(sum), Role::Output,
                     ElementType::F32, kShapes[sum], nullptr});
  return ports;
}

/// A rank that adds up whole sums.
struct Rank {
  /// `known` says who adds what of sums that are not shared.
  Rank(Communicator &ranks, const TensorCuts &known, bool releases)
      : phase(makePhase()),
        layout({}, std::span(&phase, 1), {{}, ranks.size(), ranks.rank()},
               kMicrobatches),
        addition(makeAdders()),
        cuts(layout, kOrder, known, findIslands(ranks, 1), 40000),
        exchange(ranks, layout, cuts, addition, releases) {}

  /// Exchanges the sums of a step, the last one first.
  void run(int step) {
    const auto nodes = nodesIn(layout.range(), kMicrobatches);
    std::vector<Sums> sums(nodes.size(), Sums(kShapes.size()));
    exchange.begin();
    for (size_t node = 0; node < nodes.size(); ++node)
      for (size_t sum = kShapes.size(); sum-- > 0;) {
        sums[node][sum] = makeNode(step, sum, nodes[node]);
        exchange.offer(node, sum, sums[node][sum].data());
        exchange.progress();
      }
    exchange.finish();
    for (size_t sum = 0; sum < kShapes.size(); ++sum)
      check(step, sum,
            exchange.isShared(sum) && !exchange.isInOffered(sum)
                ? exchange.takeTotal(sum)
            : nodes.empty() ? Tensor()
                            : std::move(sums.front()[sum]));
  }

  void check(int step, size_t sum, const Tensor &first) {
    const Tensor whole = makeNode(step, sum, {0, kMicrobatches});
    const auto expected = std::as_const(whole).byteSpan();
    EXPECT_EQ(exchange.isShared(sum), cuts.shared[sum]);
    if (cuts.shared[sum]) {
      EXPECT_EQ(exchange.isInOffered(sum), layout.range().count() > 0);
      EXPECT_TRUE(first.bitEqual(whole)) << "sum " << sum;
    }
    const Range own = cuts.cuts[sum][size_t(layout.grid.rank)];
    if (own.count)
      EXPECT_EQ(0, std::memcmp(exchange.ownRange(sum),
                               expected.data() + own.begin * 4,
                               size_t(own.count * 4)))
          << "sum " << sum;
  }

  static StepPhase makePhase() {
    StepPhase phase;
    phase.ports.outputs = makePorts();
    return phase;
  }
  static std::vector<std::unique_ptr<Program>> makeAdders() {
    std::vector<std::unique_ptr<Program>> adders;
    adders.push_back(std::make_unique<Adder>());
    return adders;
  }

  StepPhase phase;
  StepLayout layout;
  Addition addition;
  SumCuts cuts;
  SumExchange exchange;
};

void forRanks(int count, int perHost,
              const std::function<void(Communicator &)> &body) {
  const auto errors = test::forRanks(
      count, [&](Communicator &ranks, size_t) { body(ranks); }, perHost);
  EXPECT_EQ(errors, std::vector<std::string>(size_t(count)));
}

/// With all of them on one machine, or so many on each.
void checkSteps(int count, int perHost) {
  forRanks(count, perHost, [&](Communicator &ranks) {
    const Islands islands = findIslands(ranks, 1);
    EXPECT_EQ(islands.size, perHost ? perHost : 1);
    EXPECT_EQ(islands.count * islands.size, count);
    Rank rank(ranks, {}, /*releases=*/false);
    for (int step = 0; step < 3; ++step)
      rank.run(step);
  });
}

TEST(SumExchange, AllHaveTheSumsOfTheTree) {
  for (int count : {2, 3, 5, 11})
    checkSteps(count, 0);
}

TEST(SumExchange, SomeRanksHaveNoMicrobatch) {
  checkSteps(13, 0);
  checkSteps(14, 2);
  // Nor have some islands.
  checkSteps(32, 2);
}

TEST(SumExchange, IslandsAddFirst) {
  for (auto [count, perHost] : std::vector<std::pair<int, int>>{
           {4, 2}, {6, 2}, {6, 3}, {8, 4}, {9, 3}, {10, 5}})
    checkSteps(count, perHost);
}

/// Cuts of the sums 0, 2, 4 and 5, each over the first two positions or, with
/// `isEven`, over all.
TensorCuts makeCuts(const Islands &islands, bool isEven) {
  const int ranks = islands.ranks();
  plan::SplitStep step;
  for (size_t sum : {0, 2, 4, 5}) {
    plan::Cut &cut = *step.add_cuts();
    cut.set_name("gensyn.sum." + std::to_string(sum));
    const int64_t elements = countElements(kShapes[sum]).value();
    const int parts = isEven ? ranks : 2;
    auto place = [&](int part) {
      return part >= parts ? elements : elements / (16 * parts) * 16 * part;
    };
    for (int position = 0; position < ranks; ++position) {
      cut.add_begins(place(position));
      cut.add_counts(place(position + 1) - place(position));
    }
  }
  return {step, islands};
}

TEST(SumExchange, SomeSumsAreShared) {
  // With islands of several ranks, these add first here, too.
  for (auto [count, perHost] : std::vector<std::pair<int, int>>{
           {2, 0}, {3, 0}, {4, 2}, {9, 3}, {14, 2}})
    for (bool isEven : {false, true})
      forRanks(count, perHost, [&](Communicator &ranks) {
        Rank rank(ranks, makeCuts(findIslands(ranks, 1), isEven),
                  /*releases=*/true);
        for (int step = 0; step < 2; ++step)
          rank.run(step);
      });
}

TEST(Islands, AreAsManyAdjacentRanksOfEachMachine) {
  const std::vector<std::tuple<int, int, int, int>> cases = {
      // Ranks, of a machine, of a group: ranks of an island.
      {8, 4, 1, 4}, {8, 4, 2, 4}, {8, 4, 4, 4}, {8, 2, 4, 1},
      {8, 3, 1, 1}, {8, 8, 1, 1}, {8, 1, 1, 1}, {1, 0, 1, 1}};
  for (auto [count, perHost, places, expected] : cases)
    forRanks(count, perHost, [&](Communicator &ranks) {
      EXPECT_EQ(findIslands(ranks, places).size, expected)
          << count << " " << perHost << " " << places;
    });
}

} // namespace
} // namespace gensyn::runtime
