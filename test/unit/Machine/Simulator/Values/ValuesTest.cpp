// Simulations with values: results, and the faults that they find.

#include "../MappingBuilder.h"

#include <numeric>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// Runs a mapping on an arena whose bytes are 0, 1, 2, ... Every body writes to
/// its results the bytes of its first operand plus 1.
struct ValueRun {
  Mapped &mapped;
  std::vector<uint8_t> arena;
  std::vector<Place> places;
  FaultWords faults;
  /// A body's first fault word gets this element.
  uint64_t fault = ~uint64_t(0);
  bool hasFaults = true;

  explicit ValueRun(Mapped &mapped)
      : mapped(mapped), arena(mapped.plan.arena_bytes()), faults(mapped.plan) {
    std::iota(arena.begin(), arena.end(), uint8_t(0));
    for (const plan::Buffer &buffer : mapped.plan.buffers())
      places.push_back({arena.data() + buffer.arena(), buffer.bytes(), true});
  }

  void run() {
    machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
    machine::Values values;
    values.places = places;
    values.faults = hasFaults ? &faults : nullptr;
    values.call = [&](const mapping::Body &body,
                      std::span<uint8_t *const> arguments) {
      const auto results = uint32_t(body.arguments_size());
      for (uint32_t i = body.operands(); i < results; ++i)
        for (uint64_t byte = 0; byte < body.arguments(int(i)); ++byte)
          arguments[i][byte] = uint8_t(arguments[0][byte] + 1);
      if (body.faults())
        std::memcpy(arguments[results], &fault, sizeof(fault));
    };
    for (int i = 0; i < mapped.mapping.segments_size(); ++i)
      simulator.run(size_t(i), &values);
  }
  /// The line of the fault that it finds; empty if there is none.
  std::string findFault() {
    try {
      run();
    } catch (const Failure &failure) {
      return failure.code == ExitCode::Bug
                 ? failure.what()
                 : "another code: " + std::string(failure.what());
    }
    return "";
  }
};

/// Buffer 1 = buffer 0 + 1, in two tiles of 64 bytes on one core whose memory
/// has two places for operands and two for results.
Mapped makeTiles() {
  Mapped mapped(1, {128, 128});
  const uint32_t body = mapped.body(100, {64, 64}, 1);
  for (uint32_t tile = 0; tile < 2; ++tile) {
    mapped.load(0, buffer(0, 64 * tile), 64 * tile, 64);
    mapped.compute(0, body, {local(64 * tile), local(128 + 64 * tile)})
        .after(3 * tile);
    mapped.store(0, 128 + 64 * tile, buffer(1, 64 * tile), 64)
        .after(3 * tile + 1);
  }
  return mapped;
}

TEST(SimulatedValues, Tiles) {
  Mapped mapped = makeTiles();
  ValueRun run(mapped);
  run.run();
  for (size_t i = 0; i < 128; ++i)
    EXPECT_EQ(run.arena[128 + i], uint8_t(i + 1));
}

TEST(SimulatedValues, SameTimesAsInCounts) {
  Mapped mapped = makeTiles();
  ValueRun run(mapped);
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  machine::Values values;
  values.places = run.places;
  values.call = [](const mapping::Body &, std::span<uint8_t *const>) {};
  simulator.run(0, &values);
  const machine::Statistics counted = mapped.simulate();
  EXPECT_EQ(simulator.statistics().time, counted.time);
  EXPECT_EQ(simulator.statistics().energy.total(), counted.energy.total());
  EXPECT_EQ(simulator.statistics().events, counted.events);
}

TEST(SimulatedValues, StridedCopyAndItsTransposition) {
  Mapped mapped(1, {64, 64});
  // 8 x 8 bytes to the core, and back with rows and columns exchanged.
  mapped.load(0, buffer(0), 0, 8).rows(8, 8, 16);
  mapped.store(0, 0, buffer(1), 1).rows(8, 16, 1).rows(8, 1, 8).after(0);
  ValueRun run(mapped);
  run.run();
  for (size_t i = 0; i < 8; ++i)
    for (size_t k = 0; k < 8; ++k)
      EXPECT_EQ(run.arena[64 + 8 * k + i], 8 * i + k);
}

TEST(SimulatedValues, CopiesBetweenCores) {
  Mapped mapped(2, {64, 64});
  mapped.segment().set_counters(2);
  mapping::Path &path = *mapped.mapping.add_paths();
  path.add_links(linkFrom(0));
  path.add_links(linkTo(1));
  mapped.load(0, buffer(0), 0, 64);
  mapped.copy(0, local(0), remote(1, 256), 64, 4).after(0).signals(0);
  mapped.store(1, 256, buffer(1), 64).awaits(0);
  ValueRun run(mapped);
  run.run();
  EXPECT_EQ(run.arena[64 + 63], 63);
  // Core 1 does not wait.
  mapped.task(1, 0).clear_awaits();
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(1, 0) +
                "it reads byte 256 of core 1's memory, which no task wrote");
}

/// Core 0 brings bytes to all three, and the others store them.
Mapped makeMulticast() {
  Mapped mapped(3, {64, 192});
  mapped.segment().set_counters(2);
  mapped.multicast(buffer(0), 128, 64).signals(0);
  for (uint32_t core : {1u, 2u})
    mapped.store(core, 128, buffer(1, 64 * core), 64).awaits(0);
  return mapped;
}

TEST(SimulatedValues, Multicast) {
  Mapped mapped = makeMulticast();
  ValueRun run(mapped);
  run.run();
  EXPECT_EQ(run.arena[64 + 64 + 63], 63);
  EXPECT_EQ(run.arena[64 + 128], 0);
  mapped.task(2, 0).clear_awaits();
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(2, 0) +
                "it reads byte 128 of core 2's memory, which no task wrote");
}

TEST(SimulatedValues, MulticastOverWhatACoreUses) {
  // Core 1 stores from the memory that the multicast fills, and nothing keeps
  // them apart.
  Mapped mapped = makeMulticast();
  mapped.load(1, buffer(0), 128, 32);
  mapped.store(1, 128, buffer(1, 0), 32).after(1);
  mapped.segment().mutable_cores(1)->mutable_tasks()->SwapElements(0, 1);
  mapped.segment().mutable_cores(1)->mutable_tasks()->SwapElements(1, 2);
  mapped.task(1, 1).set_after(0, 0);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(1, 0) + "it writes byte 128 of core 1's memory while core "
                             "0, task 0 writes it");
  mapped.task(1, 1).add_signals(1);
  mapping::Await &await = *mapped.task(0, 0).add_awaits();
  await.set_counter(1);
  await.set_value(1);
  ValueRun run(mapped);
  run.run();
  EXPECT_EQ(run.arena[64 + 31], 31);
}

TEST(SimulatedValues, MissingWaitForALoad) {
  Mapped mapped = makeTiles();
  mapped.task(0, 1).clear_after();
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(0, 1) + "it reads byte 0 of core 0's memory (byte 0 of "
                             "argument 0), which no task wrote");
}

TEST(SimulatedValues, PartOfAnOperandThatNoTaskWrote) {
  Mapped mapped = makeTiles();
  mapped.task(0, 3).mutable_copy()->set_row_bytes(40);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(0, 4) + "it reads byte 104 of core 0's memory (byte 40 of "
                             "argument 0), which no task wrote");
}

/// The second tile's load is in front of the first one's store.
Mapped makeEarlyTiles() {
  Mapped mapped = makeTiles();
  mapped.task(0, 2).Swap(&mapped.task(0, 3));
  mapped.task(0, 4).set_after(0, 2);
  return mapped;
}

TEST(SimulatedValues, MissingWaitForAStore) {
  // The second computation writes where the first one did, while that is
  // stored.
  Mapped mapped = makeEarlyTiles();
  mapped.task(0, 4).mutable_compute()->mutable_arguments(1)->set_local(128);
  mapped.task(0, 5).mutable_copy()->mutable_from()->set_local(128);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(0, 4) +
                "it writes byte 128 of core 0's memory (byte 0 of argument 1) "
                "while core 0, task 3 reads it");
  mapped.task(0, 4).add_after(3);
  ValueRun run(mapped);
  run.run();
  EXPECT_EQ(run.arena[128 + 100], 101);
}

TEST(SimulatedValues, OverwrittenWhileItIsRead) {
  // The places for operands overlap, and nothing keeps the second load from
  // writing what the first computation reads.
  Mapped mapped = makeEarlyTiles();
  mapped.task(0, 2).mutable_copy()->mutable_to()->set_local(32);
  mapped.task(0, 4).mutable_compute()->mutable_arguments(0)->set_local(32);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(0, 2) + "it writes byte 32 of core 0's memory while core "
                             "0, task 1 reads it");
}

TEST(SimulatedValues, OverwrittenBeforeItIsRead) {
  // The first computation starts after both loads, into one place: the result
  // is that of the second tile.
  Mapped mapped = makeEarlyTiles();
  mapped.task(0, 2).mutable_copy()->mutable_to()->set_local(0);
  mapped.task(0, 4).mutable_compute()->mutable_arguments(0)->set_local(0);
  mapped.segment().mutable_cores(0)->mutable_tasks()->SwapElements(1, 2);
  mapped.task(0, 2).set_after(0, 1);
  mapped.task(0, 3).set_after(0, 2);
  ValueRun run(mapped);
  run.run();
  EXPECT_EQ(run.arena[128], 65);
}

TEST(SimulatedValues, TilesOfATensorAreNoConflict) {
  // Two cores store columns 0 to 15 and 16 to 31 of the same rows at once.
  Mapped mapped(2, {64, 32 * 16});
  for (uint32_t core : {0u, 1u}) {
    mapped.load(core, buffer(0), 0, 16).rows(16, 0, 16);
    mapped.store(core, 0, buffer(1, 16 * core), 16).rows(16, 16, 32).after(0);
  }
  EXPECT_EQ(ValueRun(mapped).findFault(), "");
  // A column more of the first core's.
  mapped.task(1, 1).mutable_copy()->mutable_to()->set_offset(15);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(1, 1) + "it writes byte 15 of buffer 1 while core 0, task "
                             "1 writes it");
}

TEST(SimulatedValues, BuffersMayShareTheArena) {
  Mapped mapped(2, {64, 64, 64});
  for (uint32_t core : {0u, 1u}) {
    mapped.load(core, buffer(0), 0, 64);
    mapped.store(core, 0, buffer(1 + core), 64).after(0);
  }
  ValueRun run(mapped);
  EXPECT_EQ(run.findFault(), "");
  run.places[2].begin = run.places[1].begin + 60;
  EXPECT_EQ(run.findFault(), taskName(1, 1) +
                                 "it writes byte 0 of buffer 2 while core 0, "
                                 "task 1 writes it");
}

TEST(SimulatedValues, WaitThatIsMissingThoughTimesFit) {
  // Core 1 computes for so long that what it reads then is there.
  Mapped mapped(3, {64, 64, 64});
  mapped.segment().set_counters(2);
  const uint32_t body = mapped.body(1000, {}, 0);
  mapped.load(0, buffer(0), 0, 64);
  mapped.store(0, 0, buffer(1), 64).after(0).signals(0);
  mapped.compute(1, body, {});
  mapped.load(1, buffer(1), 0, 64).after(0);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(1, 1) + "it reads byte 0 of buffer 1 without waiting for "
                             "core 0, task 1, which writes it");
  // A third core that waits for core 1, which waits for core 0, waits for both.
  mapped.task(1, 0).add_awaits()->set_counter(0);
  mapped.task(1, 0).mutable_awaits(0)->set_value(1);
  mapped.task(1, 1).add_signals(1);
  mapped.load(2, buffer(1), 0, 64).awaits(1);
  mapped.store(2, 0, buffer(0), 64).after(0);
  EXPECT_EQ(ValueRun(mapped).findFault(), "");
}

TEST(SimulatedValues, CopyOverWhatWasReadBefore) {
  // A single place for operands; the second load starts after the computation
  // ends, but only since a copy in between takes long.
  Mapped mapped(1, {128});
  mapped.machine.engines[0].start = quantity(1'000'000);
  const uint32_t body = mapped.body(100, {64}, 1);
  mapped.load(0, buffer(0), 0, 64);
  mapped.compute(0, body, {local(0)}).after(0);
  mapped.load(0, buffer(0), 1024, 64);
  mapped.load(0, buffer(0, 64), 0, 64);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(0, 3) + "it writes byte 0 of core 0's memory without "
                             "waiting for core 0, task 1, which reads it");
  mapped.task(0, 3).add_after(1);
  EXPECT_EQ(ValueRun(mapped).findFault(), "");
}

TEST(SimulatedValues, ResultOverAnOperand) {
  Mapped mapped(1, {64, 64});
  const uint32_t body = mapped.body(100, {64, 64}, 1);
  mapped.load(0, buffer(0), 0, 64);
  mapped.compute(0, body, {local(0), local(0)}).after(0);
  mapped.store(0, 0, buffer(1), 64).after(1);
  ValueRun run(mapped);
  run.run();
  EXPECT_EQ(run.arena[64 + 9], 10);
  mapped.task(0, 1).mutable_compute()->mutable_arguments(1)->set_local(4);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            taskName(0, 1) + "it writes byte 4 of core 0's memory (byte 0 of "
                             "argument 1), which it also reads");
}

TEST(SimulatedValues, ArgumentsInPlace) {
  Mapped mapped(1, {64, 64});
  const uint32_t body = mapped.body(100, {64, 64}, 1);
  mapped.compute(0, body, {buffer(0), buffer(1)});
  ValueRun run(mapped);
  run.run();
  EXPECT_EQ(run.arena[64 + 9], 10);
  run.places[1].writable = false;
  EXPECT_EQ(run.findFault(),
            taskName(0, 0) + "it writes buffer 1, which is only read");
}

TEST(SimulatedValues, SegmentsKeepNothingInCores) {
  Mapped mapped = makeTiles();
  *mapped.plan.add_launches() = mapped.plan.launches(0);
  mapping::Segment &second = *mapped.mapping.add_segments();
  second.add_launches(1);
  mapping::Core &core = *second.add_cores();
  *core.add_tasks() = mapped.task(0, 2);
  core.mutable_tasks(0)->clear_after();
  core.mutable_tasks(0)->set_launch(1);
  EXPECT_EQ(ValueRun(mapped).findFault(),
            "segment 1, core 0, task 0 (m.onnx: node 'fc' (Gemm), kernel "
            "contract_0): it reads byte 128 of core 0's memory, which no task "
            "wrote");
}

/// A body with a fault word that counts in 2 x 3 elements of 4 x 10 from [1,
/// 5].
Mapped makeFaulting() {
  Mapped mapped(1);
  mapped.plan.add_faults()->set_operation("m.onnx: node 'emb' (Gather)");
  mapped.plan.mutable_faults(0)->set_message("index out of range");
  mapped.plan.mutable_faults(0)->set_by_element(true);
  const uint32_t body = mapped.body(1, {}, 0);
  mapped.mapping.mutable_bodies(0)->set_faults(1);
  TaskBuilder task = mapped.compute(0, body, {});
  mapping::Fault &fault = *task.task->mutable_compute()->add_faults();
  for (auto [begin, size, extent] : {std::array{1, 2, 4}, {5, 3, 10}}) {
    mapping::Fault::Range &range = *fault.add_ranges();
    range.set_begin(begin);
    range.set_size(size);
    range.set_extent(extent);
  }
  return mapped;
}

TEST(SimulatedValues, FaultOfAPieceIsOneOfTheWhole) {
  Mapped mapped = makeFaulting();
  ValueRun run(mapped);
  run.run();
  run.faults.merge(0);
  EXPECT_EQ(run.faults.getPositions()[0], ~uint64_t(0));
  // Element [1, 1] of the piece is [2, 6] of the whole.
  run.fault = 4;
  run.run();
  run.faults.merge(0);
  EXPECT_EQ(run.faults.getPositions()[0], 26u);
}

TEST(SimulatedValues, LostFaultWord) {
  Mapped mapped = makeFaulting();
  ValueRun run(mapped);
  run.fault = 6;
  EXPECT_EQ(run.findFault(),
            taskName(0, 0) +
                "fault word 0 has element 6, which is not in its piece");
  run.fault = 5;
  run.hasFaults = false;
  EXPECT_EQ(run.findFault(),
            taskName(0, 0) +
                "fault word 0 is lost: the run has no fault words");
}

} // namespace
