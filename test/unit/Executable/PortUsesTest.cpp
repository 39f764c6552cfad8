#include "gensyn/Executable/PortUses.h"

#include "gensyn/Executable/plan.pb.h"

#include "gtest/gtest.h"

namespace gensyn {
namespace {

using Ports = std::vector<uint32_t>;

/// Input 0 and output 0 are buffers 0 and 1; the arena is buffer 2.
plan::Plan makePlan(const std::vector<Ports> &launches) {
  plan::Plan plan;
  plan.add_inputs();
  plan.add_outputs();
  plan.add_buffers()->set_input(0);
  plan.add_buffers()->set_output(0);
  plan.add_buffers()->set_arena(0);
  for (const Ports &buffers : launches)
    for (plan::Launch &launch = *plan.add_launches(); uint32_t buffer : buffers)
      launch.add_buffers(buffer);
  return plan;
}

TEST(PortUses, AnInputIsUsedFromItsFirstReadToItsLast) {
  const auto changes =
      findPortChanges(makePlan({{2}, {0, 2}, {2}, {0, 1}, {1, 2}, {2}}), 2);
  ASSERT_EQ(changes.size(), 6U);
  EXPECT_EQ(changes[1].begins, Ports{0});
  EXPECT_EQ(changes[3].ends, Ports{0});
  // It is complete when nothing reads it any more either.
  EXPECT_EQ(changes[4].complete, Ports{0});
  for (size_t i : {0, 2, 3, 4, 5})
    EXPECT_TRUE(changes[i].begins.empty()) << i;
  for (size_t i : {0, 1, 2, 4, 5})
    EXPECT_TRUE(changes[i].ends.empty()) << i;
  for (size_t i : {0, 1, 2, 3, 5})
    EXPECT_TRUE(changes[i].complete.empty()) << i;
}

TEST(PortUses, ReadsFarApartAreSeveralUses) {
  const auto changes = findPortChanges(makePlan({{0}, {2}, {2}, {0, 1}}), 2);
  ASSERT_EQ(changes.size(), 4U);
  EXPECT_EQ(changes[0].begins, Ports{0});
  EXPECT_EQ(changes[0].ends, Ports{0});
  EXPECT_EQ(changes[3].begins, Ports{0});
  EXPECT_EQ(changes[3].ends, Ports{0});
}

TEST(PortUses, PreparationRunsFirst) {
  plan::Plan plan = makePlan({{2}, {0, 2}, {0, 1}});
  plan.mutable_launches(2)->set_prepares(true);
  const auto changes = findPortChanges(plan, 9);
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[2].begins, Ports{0});
  EXPECT_EQ(changes[1].ends, Ports{0});
}

TEST(PortUses, StepsSayTheOrder) {
  plan::Plan plan = makePlan({{0, 1}, {0, 2}});
  plan.add_steps()->set_launch(1);
  plan.add_steps()->set_launch(0);
  const auto changes = findPortChanges(plan, 9);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[1].begins, Ports{0});
  EXPECT_EQ(changes[0].ends, Ports{0});
}

TEST(PortUses, OutputsAreOrderedByTheirLastUse) {
  plan::Plan plan = makePlan({{3, 4}, {3, 1}, {1}, {4, 2}, {2, 3, 1}});
  // Buffers 3 and 4 are outputs 1 and 2, and no launch writes output 3.
  for (uint32_t output : {1, 2, 3}) {
    plan.add_outputs();
    plan.add_buffers()->set_output(output);
  }
  EXPECT_EQ(orderOutputs(plan), (Ports{3, 2, 0, 1}));
  for (uint32_t launch : {4, 0, 1, 3, 2})
    plan.add_steps()->set_launch(launch);
  EXPECT_EQ(orderOutputs(plan), (Ports{3, 1, 2, 0}));
}

TEST(PortUses, BranchesSayNothing) {
  plan::Plan plan = makePlan({{0, 1}});
  plan.add_steps()->mutable_branch();
  EXPECT_TRUE(findPortChanges(plan, 9).empty());
  EXPECT_TRUE(orderOutputs(plan).empty());
}

} // namespace
} // namespace gensyn
