// Segments that are repeated with other launches and buffers.

#include "RepeatedBlocks.h"

#include "gensyn/Machine/EstimateMapping.h"
#include "gensyn/Machine/Writers.h"

#include <cstring>
#include <functional>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// A run with values on an arena in which values are 1, weights 1, 2 and 3.
struct ValueRun {
  std::vector<uint8_t> arena;
  FaultWords faults;
  machine::Simulator simulator;
  machine::Values values;
  std::vector<Place> places;
  std::vector<machine::TraceEvent> trace;

  explicit ValueRun(const Mapped &mapped)
      : arena(mapped.plan.arena_bytes(), 1), faults(mapped.plan),
        simulator(mapped.machine, mapped.plan, mapped.mapping) {
    for (const plan::Buffer &buffer : mapped.plan.buffers())
      places.push_back({arena.data() + buffer.arena(), buffer.bytes(), true});
    for (uint32_t block = 0; block < kBlocks; ++block)
      std::memset(places[W + block].begin, int(block) + 1, kBytes);
    values.places = places;
    values.faults = &faults;
    values.call = [](const mapping::Body &body,
                     std::span<uint8_t *const> arguments) {
      for (uint64_t i = 0; i < kBytes; ++i)
        if (body.operands() == 2)
          arguments[2][i] = uint8_t(arguments[0][i] + arguments[1][i]);
        else
          arguments[1][i] = uint8_t(2 * arguments[0][i]);
    };
    simulator.setTrace(
        [this](const machine::TraceEvent &event) { trace.push_back(event); });
    for (int i = 0; i < mapped.mapping.segments_size(); ++i)
      simulator.run(size_t(i), &values);
  }
};

std::string faultOf(const Mapped &mapped) {
  try {
    ValueRun run(mapped);
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "";
}

TEST(Repetitions, CountsAreThoseOfSegmentsOfTheirOwn) {
  const std::string expected = describe(makeUnrolled().simulate());
  EXPECT_EQ(describe(makeRepeated().simulate()), expected);
  EXPECT_EQ(describe(ValueRun(makeRepeated()).simulator.statistics()),
            expected);
}

/// Also of a memory with ports, at which buffers begin one after another.
TEST(Repetitions, CountsAreThoseOfEveryRepetition) {
  Mapped mapped = makeRepeated();
  mapped.machine.memories[1].nodes = {0, 0, 0};
  mapped.machine.network.packet = quantity(48);
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  const std::string first = describe(simulator.statistics());
  EXPECT_EQ(describe(mapped.simulate()),
            describe(ValueRun(mapped).simulator.statistics()));
  // After something else, as well.
  simulator.run(0);
  EXPECT_EQ(simulator.statistics().launches[4].runs, 1u);
  simulator.run(0);
  EXPECT_EQ(simulator.statistics().launches[4].runs, 2u);
  EXPECT_EQ(simulator.statistics().launches[4].span,
            simulator.statistics().launches[0].span);
}

TEST(Repetitions, Estimate) {
  auto estimate = [](Mapped mapped) {
    for (int i = 0; i < mapped.plan.launches_size(); ++i)
      mapped.plan.add_steps()->set_launch(uint32_t(i));
    return machine::estimateMapping(mapped.machine, mapped.plan,
                                    mapped.mapping);
  };
  EXPECT_EQ(describe(estimate(makeRepeated())),
            describe(estimate(makeUnrolled())));
}

/// The trace in counts, which is that of a run with values.
static std::vector<machine::TraceEvent> traceOf(const Mapped &mapped) {
  std::vector<machine::TraceEvent> trace;
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  simulator.setTrace(
      [&](const machine::TraceEvent &event) { trace.push_back(event); });
  simulator.run(0);
  const ValueRun run(mapped);
  EXPECT_EQ(run.trace.size(), trace.size());
  for (size_t i = 0; i < std::min(trace.size(), run.trace.size()); ++i) {
    EXPECT_EQ(trace[i].core, run.trace[i].core);
    EXPECT_EQ(trace[i].number, run.trace[i].number);
    EXPECT_EQ(trace[i].launch, run.trace[i].launch);
    EXPECT_EQ(trace[i].isCopy, run.trace[i].isCopy);
    EXPECT_EQ(trace[i].begin, run.trace[i].begin);
    EXPECT_EQ(trace[i].end, run.trace[i].end);
  }
  return trace;
}

TEST(Repetitions, Trace) {
  EXPECT_EQ(traceOf(makeRepeated()).size(), 7 * kBlocks);
}

TEST(Ahead, CountsAreThoseOfEveryRepetition) {
  const Mapped mapped = makeAhead();
  const std::string expected = describe(mapped.simulate());
  EXPECT_EQ(describe(ValueRun(mapped).simulator.statistics()), expected);
  const machine::Statistics ahead = mapped.simulate();
  const machine::Statistics others = makeRepeated().simulate();
  EXPECT_LT(ahead.time, others.time);
  EXPECT_EQ(ahead.memoryBytes, others.memoryBytes);
  for (size_t i = 0; i < ahead.launches.size(); ++i) {
    EXPECT_EQ(ahead.launches[i].runs, 1u);
    EXPECT_EQ(ahead.launches[i].bytesRead, others.launches[i].bytesRead);
    EXPECT_EQ(ahead.launches[i].energy, others.launches[i].energy);
  }
}

TEST(Ahead, TwoRepetitions) {
  Mapped mapped = makeAhead();
  mapped.segment().mutable_repetitions()->RemoveLast();
  mapped.plan.mutable_launches()->DeleteSubrange(4, 2);
  EXPECT_EQ(describe(mapped.simulate()),
            describe(ValueRun(mapped).simulator.statistics()));
  EXPECT_EQ(ValueRun(mapped).places[X + 2].begin[100], 12);
}

TEST(Ahead, Estimate) {
  Mapped mapped = makeAhead();
  for (int i = 0; i < mapped.plan.launches_size(); ++i)
    mapped.plan.add_steps()->set_launch(uint32_t(i));
  const machine::Statistics estimate =
      machine::estimateMapping(mapped.machine, mapped.plan, mapped.mapping);
  const machine::Statistics found = mapped.simulate();
  EXPECT_NEAR(double(estimate.time), double(found.time),
              0.02 * double(found.time));
  EXPECT_EQ(estimate.memoryBytes, found.memoryBytes);
  for (size_t i = 0; i < found.launches.size(); ++i)
    EXPECT_EQ(estimate.launches[i].energy, found.launches[i].energy);
}

TEST(Ahead, Trace) {
  const std::vector<machine::TraceEvent> trace = traceOf(makeAhead());
  ASSERT_EQ(trace.size(), 7 * kBlocks);
  // The first copy is for the first repetition.
  EXPECT_EQ(trace[0].number, 3u);
  EXPECT_EQ(trace[0].launch, 0u);
}

TEST(Ahead, Values) {
  EXPECT_EQ(ValueRun(makeAhead()).places[X + kBlocks].begin[100], 30);
}

/// Its memory is written while a computation of the repetition reads it.
TEST(Ahead, MissingWait) {
  Mapped mapped = makeAhead();
  mapped.task(0, 3).clear_after();
  EXPECT_EQ(faultOf(mapped),
            "segment 0, core 0, task 1 (kernel k0): it reads byte 128 of core "
            "0's memory (byte 0 of argument 1) while core 0, task 3 writes it");
}

/// Another task of the repetition writes where it has brought something.
TEST(Ahead, Overwritten) {
  Mapped mapped = makeAhead();
  mapped.task(0, 2).mutable_copy()->mutable_from()->set_local(192);
  EXPECT_EQ(faultOf(mapped),
            "segment 0, repetition 1, core 0, task 3 (kernel k2): it "
            "writes byte 192 of core 0's memory while core "
            "0, task 2 reads it");
}

/// What a repetition brings is not there in the next one, but for what is
/// ahead.
TEST(Ahead, OtherBytesAreLost) {
  Mapped mapped = makeAhead();
  mapped.task(0, 0).mutable_copy()->set_row_bytes(kBytes / 2);
  EXPECT_EQ(faultOf(mapped), "segment 0, core 0, task 1 (kernel k0): it reads "
                             "byte 64 of core 0's memory (byte 64 of argument "
                             "0), which no task wrote");
  // Half of the weights are there.
  mapped = makeAhead();
  mapped.task(0, 3).mutable_copy()->set_row_bytes(kBytes / 2);
  EXPECT_EQ(faultOf(mapped), "segment 0, core 0, task 1 (kernel k0): it reads "
                             "byte 192 of core 0's memory (byte 64 of "
                             "argument 1), which no task wrote");
}

TEST(Ahead, Wrong) {
  struct Wrong {
    const char *line;
    std::function<void(Mapped &)> change;
  };
  const Wrong cases[] = {
      {"task 3 (kernel k0): it is ahead, and its segment has no repetitions",
       [](Mapped &m) {
         m.segment().clear_repetitions();
         m.segment().clear_buffers();
       }},
      {"task 1 (kernel k0): it is ahead, and is no copy from a buffer to the "
       "core's memory alone",
       [](Mapped &m) { m.task(0, 1).set_ahead(true); }},
      {"task 2 (kernel k0): it is ahead, and is no copy from a buffer to the "
       "core's memory alone",
       [](Mapped &m) { m.task(0, 2).set_ahead(true); }},
      {"task 3 (kernel k0): it is ahead, and has counters",
       [](Mapped &m) { m.task(0, 3).add_signals(0); }},
      {"task 4 (kernel k0): it waits for task 3, which is ahead",
       [](Mapped &m) {
         *m.segment().mutable_cores(0)->add_tasks() = m.task(0, 0);
         m.task(0, 4).add_after(3);
       }},
      {"task 4 (kernel k0): it follows a copy that is ahead in its queue",
       [](Mapped &m) {
         *m.segment().mutable_cores(0)->add_tasks() = m.task(0, 3);
         m.task(0, 4).set_ahead(false);
       }},
  };
  for (const Wrong &wrong : cases) {
    Mapped mapped = makeAhead();
    wrong.change(mapped);
    EXPECT_EQ(mapped.failure(),
              "mapping: segment 0, core 0, " + std::string(wrong.line));
  }
}

TEST(Repetitions, TooLongInAll) {
  // Six computations of 20 hours in each repetition.
  Mapped mapped = makeRepeated();
  mapped.mapping.mutable_bodies(0)->mutable_work(0)->set_count(~0ull);
  for (int i = 0; i < 5; ++i)
    *mapped.segment().mutable_cores(0)->add_tasks() = mapped.task(0, 2);
  EXPECT_EQ(mapped.failure(ExitCode::Unsupported),
            "mapping: segment 0 ends more than 13 days after the beginning");
}

TEST(Repetitions, Values) {
  // ((1 + 1) * 2 + 2) * 2 ...
  EXPECT_EQ(ValueRun(makeRepeated()).places[X + kBlocks].begin[100], 30);
  EXPECT_EQ(ValueRun(makeUnrolled()).places[X + kBlocks].begin[100], 30);
  // A wrong weight.
  Mapped mapped = makeRepeated();
  mapped.segment().mutable_repetitions(0)->set_buffers(2, W + 2);
  EXPECT_NE(ValueRun(mapped).places[X + kBlocks].begin[100], 30);
}

/// An order that the first repetition does not need, but another one does.
TEST(Repetitions, ConflictInOneRepetition) {
  Mapped mapped = makeRepeated();
  mapping::Task read = mapped.task(1, 0);
  read.clear_awaits();
  mapped.segment().mutable_cores(1)->clear_tasks();
  *mapped.segment().mutable_cores(1)->add_tasks() = read;
  mapped.task(1, 0).mutable_copy()->mutable_from()->set_buffer(X + 1);
  EXPECT_EQ(faultOf(mapped), "");
  // What core 1 reads is now what core 0 writes.
  mapped.segment().mutable_repetitions(1)->set_buffers(1, Between);
  EXPECT_EQ(faultOf(mapped),
            "segment 0, repetition 2, core 0, task 3 (kernel k4): it writes "
            "byte 0 of buffer 7 without waiting for core 1, task 0, which "
            "reads it");
}

TEST(Repetitions, ReadOnlyBuffer) {
  Mapped mapped = makeRepeated();
  ASSERT_EQ(faultOf(mapped), "");
  mapped.plan.mutable_buffers(X + 3)->set_input(0);
  EXPECT_EQ(faultOf(mapped),
            "mapping: segment 0, repetition 2: buffer 3 in place of buffer 1 "
            "is only read, and tasks write it");
}

TEST(Repetitions, FaultWords) {
  Mapped mapped = makeRepeated();
  for (uint32_t slot = 0; slot < kBlocks; ++slot) {
    mapped.plan.add_faults()->set_operation("op");
    plan::Buffer &word = *mapped.plan.add_buffers();
    word.set_fault(slot);
    word.set_bytes(8);
    mapped.mapping.add_memory_of_buffer(1);
  }
  mapped.segment().add_buffers(8);
  for (uint32_t block = 1; block < kBlocks; ++block)
    mapped.segment()
        .mutable_repetitions(int(block) - 1)
        ->add_buffers(8 + block);
  mapped.mapping.mutable_bodies(0)->set_faults(1);
  mapping::Fault::Range &range =
      *mapped.task(0, 2).mutable_compute()->add_faults()->add_ranges();
  range.set_size(100);
  range.set_extent(100);
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  ValueRun run(makeRepeated());
  FaultWords faults(mapped.plan);
  std::vector<Place> places = run.places;
  places.resize(11, places.front());
  machine::Values values;
  values.places = places;
  values.faults = &faults;
  uint64_t next = 50;
  values.call = [&](const mapping::Body &body,
                    std::span<uint8_t *const> arguments) {
    if (!body.faults())
      return;
    std::memcpy(arguments.back(), &next, sizeof(next));
    ++next;
  };
  simulator.run(0, &values);
  faults.merge(0);
  for (uint64_t slot = 0; slot < kBlocks; ++slot)
    EXPECT_EQ(faults.getPositions()[slot], 50 + slot);
  EXPECT_EQ(machine::findFaultCounters(mapped.machine, mapped.plan,
                                       mapped.mapping, 2, 7),
            std::vector<std::string>{
                "segment 0, repetition 2, core 0, task 2 (kernel k4)"});
}

TEST(Repetitions, Writers) {
  const Mapped mapped = makeRepeated();
  auto find = [&](uint32_t buffer) {
    return machine::findWriter(mapped.machine, mapped.plan, mapped.mapping,
                               buffer, 5);
  };
  EXPECT_EQ(find(X), "");
  EXPECT_EQ(find(X + 1), "segment 0, core 1, task 2 (kernel k1)");
  EXPECT_EQ(find(X + 2), "segment 0, repetition 1, core 1, task 2 (kernel k3)");
  EXPECT_EQ(find(Between),
            "segment 0, repetition 2, core 0, task 3 (kernel k4)");
}

TEST(Repetitions, WrongBindings) {
  struct Wrong {
    const char *line;
    std::function<void(Mapped &, mapping::Repetition &)> change;
  };
  using Changed = mapping::Repetition;
  const Wrong cases[] = {
      {"segment 0 has buffer 8, expected one of 8",
       [](Mapped &m, Changed &) { m.segment().set_buffers(2, 8); }},
      {"segment 0 has buffer 1 after 1",
       [](Mapped &m, Changed &) { m.segment().set_buffers(0, 1); }},
      {"segment 0, repetition 2 has 1 launches, its segment has 2",
       [](Mapped &, Changed &r) { r.mutable_launches()->RemoveLast(); }},
      {"segment 0, repetition 2 has 4 buffers, its segment has 3",
       [](Mapped &, Changed &r) { r.add_buffers(0); }},
      {"segment 0, repetition 2 has launch 6, expected one of 6",
       [](Mapped &, Changed &r) { r.set_launches(1, 6); }},
      {"segment 0, repetition 2 has launch 3, which another one has, too",
       [](Mapped &, Changed &r) { r.set_launches(0, 3); }},
      {"segment 0, repetition 2 has launch 4 after 5",
       [](Mapped &, Changed &r) {
         r.set_launches(0, 5);
         r.set_launches(1, 4);
       }},
      {"segment 0, repetition 2 has buffer 9, expected one of 8",
       [](Mapped &, Changed &r) { r.set_buffers(1, 9); }},
      {"segment 0, repetition 2: buffer 6 in place of buffer 4 has 127 bytes, "
       "expected 128",
       [](Mapped &m, Changed &) { m.plan.mutable_buffers(6)->set_bytes(127); }},
      {"segment 0, repetition 2: buffer 6 in place of buffer 4 is a fault word",
       [](Mapped &m, Changed &) { m.plan.mutable_buffers(6)->set_fault(0); }},
      {"segment 0, repetition 2: buffer 6 in place of buffer 4 is in memory 0, "
       "expected 1",
       [](Mapped &m, Changed &) { m.mapping.set_memory_of_buffer(6, 0); }},
      {"segment 0, repetition 2: buffer 6 in place of buffer 4 has another "
       "layout",
       [](Mapped &m, Changed &) {
         m.mapping.add_layouts()->add_parts(0);
         m.machine.memories[1].parts = 1;
         for (uint32_t number = 0; number < 8; ++number)
           m.mapping.add_layout_of_buffer(number == 6);
       }},
      {"launch 4 is in no segment",
       [](Mapped &m, Changed &) {
         m.segment().mutable_repetitions()->RemoveLast();
       }},
  };
  for (const Wrong &wrong : cases) {
    Mapped mapped = makeRepeated();
    wrong.change(mapped, *mapped.segment().mutable_repetitions(1));
    EXPECT_EQ(mapped.failure(), "mapping: " + std::string(wrong.line));
  }
}

} // namespace
