#include "gensyn/Executable/LaunchGraph.h"

#include "gensyn/Executable/plan.pb.h"

#include "gtest/gtest.h"

namespace gensyn {
namespace {

using Numbers = std::vector<uint32_t>;
using Graph = std::vector<Numbers>;

/// A launch of a kernel, and its buffers.
struct TestLaunch {
  std::string kernel;
  Numbers buffers;
};

/// Buffers 0 to 7 are 64 bytes each in the arena, 8 the first two of them. 9
/// and 10 are inputs, 11 and 12 outputs of which the first is written over the
/// second input, 13 a constant, 14 a fault word and 15 a prepared value.
plan::Plan makePlan(const std::vector<TestLaunch> &launches) {
  plan::Plan plan;
  for (const char *name : {"x", "w"})
    plan.add_inputs()->set_name(name);
  for (const char *name : {"w", "y"})
    plan.add_outputs()->set_name(name);
  for (int replaced : {1, -1}) {
    plan.add_donated(replaced);
    plan.add_in_place(replaced >= 0);
  }
  plan.add_constants(std::string(64, '\0'));
  plan.add_faults();
  for (int i = 0; i < 16; ++i)
    plan.add_buffers()->set_bytes(i == 8 ? 128 : i == 14 ? 8 : 64);
  for (int i = 0; i < 9; ++i)
    plan.mutable_buffers(i)->set_arena(i == 8 ? 0 : uint64_t(i) * 64);
  plan.mutable_buffers(9)->set_input(0);
  plan.mutable_buffers(10)->set_input(1);
  plan.mutable_buffers(11)->set_output(0);
  plan.mutable_buffers(12)->set_output(1);
  plan.mutable_buffers(13)->set_constant(0);
  plan.mutable_buffers(14)->set_fault(0);
  plan.mutable_buffers(15)->set_prepared(0);
  for (const TestLaunch &each : launches) {
    plan::Launch &launch = *plan.add_launches();
    launch.set_kernel("code_of_" + each.kernel);
    launch.set_source_kernel(each.kernel);
    for (uint32_t buffer : each.buffers)
      launch.add_buffers(buffer);
  }
  return plan;
}

Graph orderOf(const plan::Plan &plan, Reuse reuse = Reuse::Counts) {
  const LaunchGraph graph = findLaunchGraph(plan, reuse);
  EXPECT_EQ(findConflict(plan, findLaunchGraph(plan)), "");
  return graph.predecessors;
}

TEST(LaunchGraph, ReadersOfOneValueRunSideBySide) {
  const plan::Plan plan =
      makePlan({{"a", {9, 0}}, {"b", {0, 1}}, {"c", {0, 2}}, {"d", {1, 2, 3}}});
  EXPECT_EQ(orderOf(plan), (Graph{{}, {0}, {0}, {1, 2}}));
  EXPECT_EQ(findDepths(findLaunchGraph(plan)), (Numbers{1, 2, 2, 3}));
}

// d reads what a wrote too, which has ended when b has.
TEST(LaunchGraph, NothingWaitsTwice) {
  EXPECT_EQ(orderOf(makePlan({{"a", {9, 0}}, {"b", {0, 1}}, {"d", {0, 1, 2}}})),
            (Graph{{}, {0}, {1}}));
}

// c needs nothing of a and b, but is written to the memory of both.
TEST(LaunchGraph, MemoryThatIsUsedAgainOrders) {
  const plan::Plan plan = makePlan({{"a", {9, 0}},
                                    {"b", {9, 1}},
                                    {"b2", {0, 2}},
                                    {"c", {9, 8}},
                                    {"d", {9, 3}}});
  EXPECT_EQ(orderOf(plan), (Graph{{}, {}, {0}, {1, 2}, {}}));
  EXPECT_EQ(orderOf(plan, Reuse::Ignored), (Graph{{}, {}, {0}, {}, {}}));
}

// Of a memory that is used again partly, the rest still has the old value.
TEST(LaunchGraph, ValuesAreSplit) {
  EXPECT_EQ(orderOf(makePlan({{"a", {9, 8}}, {"b", {9, 1}}, {"c", {8, 2}}})),
            (Graph{{}, {0}, {1}}));
}

// b is written to memory that nobody has used, and to that of a.
TEST(LaunchGraph, ValuesBehindFreeMemoryAreFound) {
  EXPECT_EQ(orderOf(makePlan({{"a", {9, 1}}, {"b", {9, 8}}, {"c", {9, 0}}})),
            (Graph{{}, {0}, {1}}));
}

TEST(LaunchGraph, AnOutputOverAnInputWaitsForItsReaders) {
  EXPECT_EQ(orderOf(makePlan({{"a", {10, 0}},
                              {"b", {10, 1}},
                              {"update", {10, 11}},
                              {"c", {10, 12}}})),
            (Graph{{}, {}, {0, 1}, {2}}));
}

TEST(LaunchGraph, AResultOverAnOperandIsWritten) {
  EXPECT_EQ(orderOf(makePlan(
                {{"a", {9, 0}}, {"b", {0, 1}}, {"c", {0, 0}}, {"d", {0, 2}}})),
            (Graph{{}, {0}, {1}, {2}}));
}

TEST(LaunchGraph, TheLaunchesOfAKernelAreAChain) {
  EXPECT_EQ(orderOf(makePlan({{"a", {9, 0, 1}},
                              {"a", {9, 0, 1}},
                              {"b", {9, 2}},
                              {"a", {9, 0, 1}},
                              {"c", {0, 3}}})),
            (Graph{{}, {0}, {}, {1}, {3}}));
}

// Constants, prepared values and fault words order nothing.
TEST(LaunchGraph, WhatRunsDoNotWriteOrdersNothing) {
  EXPECT_EQ(orderOf(makePlan({{"a", {13, 14, 15, 0}}, {"b", {13, 14, 15, 1}}})),
            (Graph{{}, {}}));
}

TEST(LaunchGraph, PreparationIsNoStep) {
  plan::Plan plan = makePlan({{"p", {9, 15}}, {"a", {15, 0}}, {"b", {0, 1}}});
  plan.mutable_launches(0)->set_prepares(true);
  const LaunchGraph graph = findLaunchGraph(plan);
  EXPECT_EQ(graph.launches, (std::vector<int>{1, 2}));
  EXPECT_EQ(graph.predecessors, (Graph{{}, {0}}));
  EXPECT_EQ(findWrites(plan)[0], (std::vector<bool>{false, true}));
  EXPECT_EQ(findWrites(plan)[1], (std::vector<bool>{false, true}));
}

// Older programs do not tell which launches are those of one kernel.
TEST(LaunchGraph, KernelsWithoutNamesWriteAll) {
  EXPECT_EQ(orderOf(makePlan({{"", {9, 0}}, {"", {0, 1}}, {"", {0, 9, 2}}})),
            (Graph{{}, {0}, {1}}));
}

/// a, then a loop that carries buffers 0 and 1, then launches that read them.
plan::Plan makeLoop() {
  plan::Plan plan = makePlan({{"a", {9, 2}},
                              {"body", {0, 9, 1}},
                              {"b", {0, 3}},
                              {"c", {1, 4}},
                              {"d", {2, 6}}});
  plan.add_steps()->set_launch(0);
  plan::Step::Loop &loop = *plan.add_steps()->mutable_loop();
  loop.set_trips(3);
  loop.set_index(5);
  loop.add_body()->set_launch(1);
  loop.add_carries()->set_current(0);
  loop.mutable_carries(0)->set_next(1);
  for (uint32_t launch : {2, 3, 4})
    plan.add_steps()->set_launch(launch);
  return plan;
}

TEST(LaunchGraph, ALoopIsOneStep) {
  const LaunchGraph graph = findLaunchGraph(makeLoop());
  EXPECT_EQ(graph.launches, (std::vector<int>{0, -1, 2, 3, 4}));
  EXPECT_EQ(orderOf(makeLoop()), (Graph{{}, {}, {1}, {1}, {0}}));
}

// After an odd number of iterations buffer 0 has the memory of buffer 1: what
// is written to that of buffer 1 waits for the reader of buffer 0.
TEST(LaunchGraph, CarriedBuffersHaveEachOthersMemory) {
  plan::Plan plan = makeLoop();
  plan::Buffer &again = *plan.add_buffers();
  again.set_arena(64);
  again.set_bytes(64);
  plan.mutable_launches(4)->set_buffers(1, 16);
  EXPECT_EQ(orderOf(plan), (Graph{{}, {}, {1}, {1}, {0, 2, 3}}));
}

TEST(LaunchGraph, CopiesAndBranchesAreSteps) {
  plan::Plan plan = makePlan({{"a", {9, 0}},
                              {"then", {1, 3}},
                              {"else", {2, 3}},
                              {"b", {3, 4}},
                              {"c", {0, 5}}});
  plan.add_steps()->set_launch(0);
  plan::Step::Copy &copy = *plan.add_steps()->mutable_copy();
  copy.set_from(0);
  copy.set_to(1);
  plan::Step::If &branch = *plan.add_steps()->mutable_branch();
  branch.set_predicate(9);
  branch.add_then_steps()->set_launch(1);
  branch.add_else_steps()->set_launch(2);
  plan.add_steps()->set_launch(3);
  plan.add_steps()->set_launch(4);
  plan.add_steps()->mutable_check()->set_ok(3);
  EXPECT_EQ(orderOf(plan), (Graph{{}, {0}, {1}, {2}, {0}, {2}}));
}

TEST(LaunchGraph, VeryManyStepsAreAChain) {
  std::vector<TestLaunch> launches;
  for (int i = 0; i < (1 << 14); ++i)
    launches.push_back({"k" + std::to_string(i), {9, uint32_t(i) % 8}});
  EXPECT_EQ(findLaunchGraph(makePlan(launches)).predecessors[8], Numbers{0});
  launches.push_back({"last", {9, 0}});
  const Graph order = findLaunchGraph(makePlan(launches)).predecessors;
  EXPECT_EQ(order[0], Numbers{});
  EXPECT_EQ(order[8], Numbers{7});
}

/// The conflict of a plan whose step waits for nothing.
std::string conflictWithout(const plan::Plan &plan, size_t step) {
  LaunchGraph graph = findLaunchGraph(plan);
  graph.predecessors[step].clear();
  return findConflict(plan, graph);
}

TEST(LaunchGraph, EachKindOfConflictIsFound) {
  const std::string both = " may run side by side: the first ";
  // A read after a write, a write after a read, two writes.
  EXPECT_EQ(conflictWithout(makePlan({{"a", {9, 0}}, {"b", {0, 1}}}), 1),
            "step 0 ('code_of_a') and step 1 ('code_of_b')" + both +
                "writes and the second reads bytes 0 to 63 of the arena");
  EXPECT_EQ(conflictWithout(makePlan({{"a", {10, 0}}, {"b", {9, 11}}}), 1),
            "step 0 ('code_of_a') and step 1 ('code_of_b')" + both +
                "reads and the second writes bytes 0 to 63 of input 'w'");
  EXPECT_EQ(conflictWithout(makePlan({{"a", {9, 12}}, {"b", {12, 1}}}), 1),
            "step 0 ('code_of_a') and step 1 ('code_of_b')" + both +
                "writes and the second reads bytes 0 to 63 of output 'y'");
  EXPECT_EQ(conflictWithout(makePlan({{"a", {9, 1}}, {"b", {9, 8}}}), 1),
            "step 0 ('code_of_a') and step 1 ('code_of_b')" + both +
                "writes and the second writes bytes 64 to 127 of the arena");
  // A loop has no kernel.
  EXPECT_EQ(conflictWithout(makeLoop(), 2),
            "step 1 and step 2 ('code_of_b')" + both +
                "writes and the second reads bytes 0 to 63 of the arena");
  // A path by way of others is enough.
  LaunchGraph graph;
  const plan::Plan plan =
      makePlan({{"a", {9, 0}}, {"b", {9, 1}}, {"c", {0, 2}}});
  graph.launches = {0, 1, 2};
  graph.predecessors = {{}, {0}, {1}};
  EXPECT_EQ(findConflict(plan, graph), "");
  EXPECT_EQ(findConflict(plan, makeChain(plan)), "");
}

} // namespace
} // namespace gensyn
