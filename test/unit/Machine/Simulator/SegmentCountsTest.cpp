// Segments that are simulated in counts before they run.

#include "RepeatedBlocks.h"

#include <numeric>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// Blocks that repeat, a segment without repetitions before them, and one after
/// them that takes longer than all of them.
Mapped makeThree() {
  Mapped mapped = makeAhead();
  const mapping::Segment block = mapped.segment();
  mapping::Mapping &mapping = mapped.mapping;
  auto addAlone = [&](uint32_t copies) {
    const auto launch = uint32_t(mapped.plan.launches_size());
    mapped.plan.add_launches()->set_kernel("k" + std::to_string(launch));
    Mapped one = makeEmpty();
    for (uint32_t i = 0; i < copies; ++i)
      one.load(1, buffer(W), 0, kBytes);
    one.compute(1, 1, {local(0), local(0)}).after(copies - 1);
    for (mapping::Task &task : *one.segment().mutable_cores(1)->mutable_tasks())
      task.set_launch(launch);
    one.segment().set_launches(0, launch);
    *mapping.add_segments() = one.segment();
  };
  addAlone(1);
  addAlone(50);
  mapping.mutable_segments()->SwapElements(0, 1);
  return mapped;
}

std::vector<size_t> all(const Mapped &mapped) {
  std::vector<size_t> segments(size_t(mapped.mapping.segments_size()));
  std::iota(segments.begin(), segments.end(), 0);
  return segments;
}

/// With or without simulating some segments before they run, as often as given.
machine::Statistics simulate(const Mapped &mapped,
                             const std::vector<size_t> &before,
                             uint64_t mostEvents = ~uint64_t(0), int runs = 1) {
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  simulator.startCounting(before, mostEvents);
  for (int run = 0; run < runs; ++run)
    for (size_t segment : all(mapped))
      EXPECT_GT(simulator.run(segment), 0u);
  return simulator.statistics();
}

void expectSame(const machine::Statistics &found,
                const machine::Statistics &expected) {
  EXPECT_EQ(describe(found), describe(expected));
  EXPECT_EQ(found.handledEvents, expected.handledEvents);
  EXPECT_EQ(found.use.bytesRead, expected.use.bytesRead);
  EXPECT_EQ(found.use.bytesWritten, expected.use.bytesWritten);
  EXPECT_EQ(found.use.computations, expected.use.computations);
  EXPECT_EQ(found.use.signals, expected.use.signals);
  for (size_t i = 0; i < found.cores.size(); ++i)
    EXPECT_EQ(found.cores[i].energy, expected.cores[i].energy);
}

} // namespace

TEST(SegmentCounts, AreThoseOfRunsOneAfterTheOther) {
  const Mapped mapped = makeThree();
  const machine::Statistics expected = simulate(mapped, {});
  expectSame(simulate(mapped, all(mapped)), expected);
  expectSame(simulate(mapped, {1}), expected);
  // No further one is begun after an event, so that they are when they run.
  expectSame(simulate(mapped, all(mapped), 0), expected);
}

TEST(SegmentCounts, OfSeveralRuns) {
  const Mapped mapped = makeThree();
  expectSame(simulate(mapped, all(mapped), ~uint64_t(0), 3),
             simulate(mapped, {}, 0, 3));
}

TEST(SegmentCounts, FailuresAreThoseOfTheSegmentThatRuns) {
  Mapped mapped = makeThree();
  // Core 1 waits for a signal of its own later task.
  mapping::Segment &last = *mapped.mapping.mutable_segments(2);
  last.set_counters(1);
  auto &tasks = *last.mutable_cores(1)->mutable_tasks();
  mapping::Await &await = *tasks[0].add_awaits();
  await.set_counter(0);
  await.set_value(1);
  tasks.rbegin()->add_signals(0);
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  simulator.startCounting(all(mapped), ~uint64_t(0));
  simulator.run(0);
  simulator.run(1);
  std::string found;
  try {
    simulator.run(2);
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::Bug);
    found = failure.what();
  }
  EXPECT_NE(found.find("deadlock"), std::string::npos) << found;
}

TEST(SegmentCounts, NotTaken) {
  const Mapped mapped = makeThree();
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  simulator.startCounting(all(mapped), ~uint64_t(0));
  EXPECT_EQ(simulator.statistics().time, 0);
}

/// All together take longer than what a simulation can count.
TEST(SegmentCounts, TooLongInAll) {
  Mapped mapped = makeRepeated();
  mapped.mapping.mutable_bodies(0)->mutable_work(0)->set_count(~0ull);
  for (int i = 0; i < 5; ++i)
    *mapped.segment().mutable_cores(0)->add_tasks() = mapped.task(0, 2);
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  simulator.startCounting(all(mapped), ~uint64_t(0));
  EXPECT_THROW(simulator.run(0), Failure);
}
