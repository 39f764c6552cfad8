#include "Ranks/StepLayout.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gtest/gtest.h"

namespace gensyn::runtime {
namespace {

Port makePort(std::string name, Role role = Role::Input) {
  return {std::move(name), role, ElementType::F32, {2}, nullptr};
}

Signature makeSignature(std::vector<std::string> inputs,
                        std::vector<std::string> outputs) {
  Signature signature;
  for (std::string &name : inputs)
    signature.inputs.push_back(makePort(std::move(name)));
  for (std::string &name : outputs)
    signature.outputs.push_back(makePort(std::move(name)));
  return signature;
}

StepPhase makePhase(int64_t stage, int64_t tensor, int64_t segment,
                    std::vector<std::string> inputs,
                    std::vector<std::string> outputs) {
  StepPhase phase;
  phase.ports = makeSignature(std::move(inputs), std::move(outputs));
  phase.stage = stage;
  phase.tensor = tensor;
  phase.segment = segment;
  return phase;
}

/// A model of two stages, each with a parameter, whose first one is read by the
/// second stage, too.
std::vector<StepPhase> makeStages() {
  return {makePhase(0, 0, 0, {"x", "first"}, {"gensyn.cut.0", "gensyn.cut.1"}),
          makePhase(1, 0, 1,
                    {"gensyn.cut.0", "first", "second", "gensyn.sum.0",
                     "gensyn.sum.2"},
                    {"gensyn.sum.0", "gensyn.sum.2", "gensyn.cut.2"}),
          makePhase(0, 0, 2, {"gensyn.cut.1", "gensyn.cut.2", "gensyn.sum.1"},
                    {"gensyn.sum.1", "gensyn.contribution.0"})};
}

/// Two ranks that each compute half of a value and of a sum, in one stage.
std::vector<StepPhase> makeHalves() {
  std::vector<StepPhase> phases = {
      makePhase(0, 0, 0, {"x"}, {"gensyn.cut.0"}),
      makePhase(0, 1, 0, {"x"}, {"gensyn.cut.1"}),
      makePhase(0, 0, 0, {"gensyn.cut.0", "gensyn.cut.1", "gensyn.sum.0"},
                {"gensyn.sum.0", "gensyn.sum.1"}),
      makePhase(0, 1, 0, {"gensyn.cut.0", "gensyn.cut.1", "gensyn.sum.0"},
                {"gensyn.sum.0"})};
  phases[2].tiles.insert({0, TensorTile({2, 2}, {0, 0}, {2, 1})});
  phases[3].tiles.insert({0, TensorTile({2, 2}, {0, 1}, {2, 1})});
  for (StepPhase &phase : phases)
    for (auto *ports : {&phase.ports.inputs, &phase.ports.outputs})
      for (Port &port : *ports)
        if (port.name == "gensyn.sum.0")
          port.shape = {2, 1};
  return phases;
}

const Signature step = makeSignature({"x", "first", "second", "rate"}, {});
const ParallelRanks stages = {2, 1}, halves = {1, 2};

TEST(StepLayout, KnowsWhatEachStageMakesAndReads) {
  const StepLayout layout(step, makeStages(), {stages, 4, 1}, 4);
  EXPECT_EQ(layout.placeOfPhase, (std::vector<int>{0, 1, 0}));
  ASSERT_EQ(layout.sums.size(), 3u);
  for (auto [sum, place] : {std::pair(0, 1), {1, 0}, {2, 1}}) {
    EXPECT_TRUE(layout.sums[size_t(sum)].isWhole());
    EXPECT_TRUE(layout.sums[size_t(sum)].partOf(place));
    EXPECT_FALSE(layout.sums[size_t(sum)].partOf(1 - place));
  }
  ASSERT_EQ(layout.contributions.size(), 1u);
  EXPECT_EQ(layout.contributions[0].place, 0);
  ASSERT_EQ(layout.cuts.size(), 3u);
  EXPECT_EQ(layout.cuts[0].place, 0);
  EXPECT_EQ(layout.cuts[0].readers, std::vector<int>{1});
  EXPECT_EQ(layout.cuts[1].readers, std::vector<int>{0});
  EXPECT_EQ(layout.cuts[1].phases, std::vector<size_t>{2});
  EXPECT_EQ(layout.cuts[2].place, 1);
  EXPECT_EQ(layout.cuts[2].readers, std::vector<int>{0});
  EXPECT_EQ(layout.isRead, (std::vector<bool>{true, true, true, false}));
}

/// Two stages of two chunks.
TEST(StepLayout, ChunksAreDealtOutToStages) {
  std::vector<StepPhase> phases;
  for (int64_t segment = 0; segment < 7; ++segment)
    phases.push_back(makePhase(std::min(segment, 6 - segment) % 2, 0, segment,
                               {}, {"gensyn.sum." + std::to_string(segment)}));
  phases[2].ports.inputs.push_back(makePort("gensyn.cut.0"));
  phases[3].ports.inputs.push_back(makePort("gensyn.cut.0"));
  phases[0].ports.outputs.push_back(makePort("gensyn.cut.0"));
  const ParallelRanks parallel = {2, 1, 2};
  const StepLayout layout(step, phases, {parallel, 2, 1}, 4);
  EXPECT_EQ(layout.placeOfPhase, (std::vector<int>{0, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(layout.grid.places(), 2);
  EXPECT_EQ(layout.cuts[0].readers, (std::vector<int>{0, 1}));
  EXPECT_TRUE(layout.sums[4].partOf(0));
  EXPECT_THROW(StepLayout(step, phases, {{4, 1}, 4, 1}, 4), Failure);
  phases[4].segment = 8;
  EXPECT_THROW(StepLayout(step, phases, {parallel, 2, 1}, 4), Failure);
}

TEST(StepLayout, KnowsWhichPartOfASumARankHas) {
  const StepLayout layout(step, makeHalves(), {halves, 2, 1}, 4);
  EXPECT_EQ(layout.placeOfPhase, (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(layout.grid.stage(), 0);
  const StepLayout::Sum &sum = layout.sums[0];
  EXPECT_FALSE(sum.isWhole());
  EXPECT_EQ(sum.port.shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(sum.partOf(1)->tile.counts(), (std::vector<int64_t>{2, 1}));
  EXPECT_TRUE(layout.sums[1].isWhole());
  EXPECT_EQ(layout.cuts[0].readers, (std::vector<int>{0, 1}));
  EXPECT_EQ(layout.cuts[0].phases, (std::vector<size_t>{2, 3}));
}

TEST(StepLayout, GroupsTakeAdjacentMicrobatches) {
  const StepLayout layout(step, makeStages(), {stages, 6, 3}, 4);
  EXPECT_EQ(layout.grid.groups(), 3);
  EXPECT_EQ(layout.grid.group(), 1);
  EXPECT_EQ(layout.grid.stage(), 1);
  EXPECT_EQ(layout.grid.rankOf(2, 1), 5);
  EXPECT_EQ(layout.rankAt(0), 2);
  int64_t next = 0;
  for (int group = 0; group < 3; ++group) {
    EXPECT_EQ(layout.rangeOfGroup(group).begin, next);
    next = layout.rangeOfGroup(group).end;
  }
  EXPECT_EQ(next, 4);
  EXPECT_EQ(layout.range().begin, layout.rangeOfGroup(1).begin);
}

/// Plans may come from files.
TEST(StepLayout, RefusesPhasesThatDoNotFit) {
  auto layOut = [](const std::vector<StepPhase> &phases,
                   ParallelRanks parallel) {
    StepLayout(step, phases, {parallel, 2, 0}, 4);
  };
  std::vector<StepPhase> phases = makeStages();
  std::swap(phases[0], phases[2]); // reads what is not made yet
  EXPECT_THROW(layOut(phases, stages), Failure);

  phases = makeStages();
  phases[2].ports.outputs.push_back(makePort("gensyn.cut.0"));
  EXPECT_THROW(layOut(phases, stages), Failure);

  phases = makeStages();
  phases[2].ports.outputs[0].name = "gensyn.sum.3"; // there is no 1
  EXPECT_THROW(layOut(phases, stages), Failure);

  phases = makeStages();
  phases[2].ports.inputs.push_back(makePort("other"));
  EXPECT_THROW(layOut(phases, stages), Failure);

  phases = makeStages();
  phases[2].stage = 1;
  EXPECT_THROW(layOut(phases, stages), Failure);

  EXPECT_THROW(layOut(makeStages(), halves), Failure);
  EXPECT_THROW(layOut(makeHalves(), stages), Failure);
  EXPECT_THROW(layOut({}, stages), Failure);
  EXPECT_THROW(StepLayout(step, makeStages(), {stages, 3, 0}, 4), Failure);
  EXPECT_THROW(StepLayout(step, makeStages(), {stages, 2, 0}, 1), Failure);

  phases = makeHalves();
  phases.pop_back(); // half of the sum
  EXPECT_THROW(layOut(phases, halves), Failure);

  phases = makeHalves();
  phases[3].tiles = phases[2].tiles; // half of the sum twice
  EXPECT_THROW(layOut(phases, halves), Failure);

  phases = makeHalves();
  phases[3].tiles.clear(); // a sum of another shape
  EXPECT_THROW(layOut(phases, halves), Failure);
}

} // namespace
} // namespace gensyn::runtime
