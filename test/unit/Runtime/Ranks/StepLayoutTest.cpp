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

/// A model of two stages, each with a parameter, whose first one is read by the
/// second stage, too.
std::vector<Signature> makeSegments() {
  return {makeSignature({"x", "first"}, {"gensyn.cut.0", "gensyn.cut.1"}),
          makeSignature({"gensyn.cut.0", "first", "second", "gensyn.sum.0",
                         "gensyn.sum.2"},
                        {"gensyn.sum.0", "gensyn.sum.2", "gensyn.cut.2"}),
          makeSignature({"gensyn.cut.1", "gensyn.cut.2", "gensyn.sum.1"},
                        {"gensyn.sum.1", "gensyn.contribution.0"})};
}

const Signature step = makeSignature({"x", "first", "second", "rate"}, {});

TEST(StepLayout, KnowsWhatEachStageMakesAndReads) {
  const StepLayout layout(step, makeSegments(), {2, 4, 1}, 4);
  EXPECT_EQ(layout.stageOfSegment(0), 0);
  EXPECT_EQ(layout.stageOfSegment(1), 1);
  EXPECT_EQ(layout.stageOfSegment(2), 0);
  ASSERT_EQ(layout.sums.size(), 3u);
  EXPECT_EQ(layout.sums[0].stage, 1);
  EXPECT_EQ(layout.sums[1].stage, 0);
  EXPECT_EQ(layout.sums[2].stage, 1);
  ASSERT_EQ(layout.contributions.size(), 1u);
  EXPECT_EQ(layout.contributions[0].stage, 0);
  ASSERT_EQ(layout.cuts.size(), 3u);
  EXPECT_EQ(layout.cuts[0].stage, 0);
  EXPECT_EQ(layout.cuts[0].readers, std::vector<int64_t>{1});
  EXPECT_EQ(layout.cuts[1].readers, std::vector<int64_t>{0});
  EXPECT_EQ(layout.cuts[1].segments, std::vector<size_t>{2});
  EXPECT_EQ(layout.cuts[2].stage, 1);
  EXPECT_EQ(layout.cuts[2].readers, std::vector<int64_t>{0});
  EXPECT_EQ(layout.isRead, (std::vector<bool>{true, true, true, false}));
}

TEST(StepLayout, GroupsTakeAdjacentMicrobatches) {
  const StepLayout layout(step, makeSegments(), {2, 6, 3}, 4);
  EXPECT_EQ(layout.grid.groups(), 3);
  EXPECT_EQ(layout.grid.group(), 1);
  EXPECT_EQ(layout.grid.stage(), 1);
  EXPECT_EQ(layout.grid.rankOf(2, 1), 5);
  int64_t next = 0;
  for (int group = 0; group < 3; ++group) {
    EXPECT_EQ(layout.rangeOfGroup(group).begin, next);
    next = layout.rangeOfGroup(group).end;
  }
  EXPECT_EQ(next, 4);
  EXPECT_EQ(layout.range().begin, layout.rangeOfGroup(1).begin);
}

/// Plans may come from files.
TEST(StepLayout, RefusesSegmentsThatDoNotFit) {
  auto layOut = [](std::vector<Signature> segments) {
    StepLayout(step, segments, {2, 2, 0}, 4);
  };
  std::vector<Signature> segments = makeSegments();
  segments.pop_back();
  EXPECT_THROW(layOut(segments), Failure);

  segments = makeSegments();
  std::swap(segments[0], segments[2]); // reads what is not made yet
  EXPECT_THROW(layOut(segments), Failure);

  segments = makeSegments();
  segments[2].outputs.push_back(makePort("gensyn.cut.0"));
  EXPECT_THROW(layOut(segments), Failure);

  segments = makeSegments();
  segments[2].outputs[0].name = "gensyn.sum.3"; // there is no 1
  EXPECT_THROW(layOut(segments), Failure);

  segments = makeSegments();
  segments[2].inputs.push_back(makePort("other"));
  EXPECT_THROW(layOut(segments), Failure);

  EXPECT_THROW(StepLayout(step, makeSegments(), {2, 2, 0}, 1), Failure);
}

} // namespace
} // namespace gensyn::runtime
