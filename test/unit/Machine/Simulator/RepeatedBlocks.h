// Blocks of a program whose segments repeat, and everything that a simulation
// counts.

#ifndef GENSYN_TEST_UNIT_MACHINE_SIMULATOR_REPEATEDBLOCKS_H
#define GENSYN_TEST_UNIT_MACHINE_SIMULATOR_REPEATEDBLOCKS_H

#include "MappingBuilder.h"

#include <string>

namespace gensyn::test {

/// Numbers of buffers: values x0 to x3, weights w0 to w2 of a block each, and
/// one that all blocks use.
inline constexpr uint32_t X = 0, W = 4, Between = 7;
inline constexpr uint32_t kBlocks = 3;
inline constexpr uint64_t kBytes = 128;

inline void addLaunches(Mapped &mapped) {
  mapped.plan.clear_launches();
  for (uint32_t i = 0; i < 2 * kBlocks; ++i)
    mapped.plan.add_launches()->set_kernel("k" + std::to_string(i));
}

/// The tasks of a block: core 0 adds a weight to a value, and core 1 doubles
/// what it gets from there.
inline void addTasks(Mapped &mapped, uint32_t block, uint32_t first) {
  mapped.segment().set_counters(1);
  mapped.load(0, buffer(X + block), 0, kBytes);
  mapped.load(0, buffer(W + block), 128, kBytes);
  mapped.compute(0, 0, {local(0), local(128), local(256)}).after(0).after(1);
  mapped.store(0, 256, buffer(Between), kBytes).after(2).signals(0);
  mapped.load(1, buffer(Between), 0, kBytes).awaits(0);
  mapped.compute(1, 1, {local(0), local(0)}).after(0);
  mapped.store(1, 0, buffer(X + block + 1), kBytes).after(1);
  for (uint32_t core = 0; core < 2; ++core)
    for (mapping::Task &task :
         *mapped.segment().mutable_cores(int(core))->mutable_tasks())
      task.set_launch(first + core);
  mapped.segment().clear_launches();
  mapped.segment().add_launches(first);
  mapped.segment().add_launches(first + 1);
}

inline Mapped makeEmpty() {
  Mapped mapped(2, std::vector<uint64_t>(8, kBytes));
  addLaunches(mapped);
  mapped.body(100, {kBytes, kBytes, kBytes}, 2);
  mapped.body(60, {kBytes, kBytes}, 1);
  return mapped;
}

/// All blocks as one segment.
inline Mapped makeRepeated() {
  Mapped mapped = makeEmpty();
  addTasks(mapped, 0, 0);
  for (uint32_t number : {X, X + 1, W})
    mapped.segment().add_buffers(number);
  for (uint32_t block = 1; block < kBlocks; ++block) {
    mapping::Repetition &repetition = *mapped.segment().add_repetitions();
    repetition.add_launches(2 * block);
    repetition.add_launches(2 * block + 1);
    for (uint32_t number : {X + block, X + block + 1, W + block})
      repetition.add_buffers(number);
  }
  return mapped;
}

/// The same, and core 0 fetches weights ahead, on a channel of their own.
inline Mapped makeAhead() {
  Mapped mapped = makeRepeated();
  for (machine::CopyEngine &engine : mapped.machine.engines)
    engine.channels = quantity(2);
  auto &tasks = *mapped.segment().mutable_cores(0)->mutable_tasks();
  mapping::Task fetch = tasks[1];
  tasks.DeleteSubrange(1, 1);
  tasks[1].clear_after();
  tasks[1].add_after(0);
  tasks[2].set_after(0, 1);
  fetch.set_ahead(true);
  fetch.add_after(1);
  fetch.mutable_copy()->set_channel(1);
  *tasks.Add() = fetch;
  return mapped;
}

/// Each block as a segment of its own.
inline Mapped makeUnrolled() {
  Mapped all = makeEmpty();
  all.mapping.clear_segments();
  for (uint32_t block = 0; block < kBlocks; ++block) {
    Mapped one = makeEmpty();
    addTasks(one, block, 2 * block);
    *all.mapping.add_segments() = one.segment();
  }
  return all;
}

/// Everything that a simulation counts.
inline std::string describe(const machine::Statistics &found) {
  std::string text;
  auto add = [&](auto... values) {
    ((text += std::to_string(values) + " "), ...);
  };
  add(found.time, found.events, found.energy.units, found.energy.coreMemories,
      found.energy.sharedMemories, found.energy.links, found.energy.signals,
      found.energy.standby);
  text += "cores ";
  for (const machine::CoreStatistics &core : found.cores) {
    for (const machine::QueueTime *queue : {&core.compute, &core.copy})
      add(queue->busy, queue->waiting, queue->waitingForOthers);
    add(core.bytesIn, core.bytesOut, core.memoryPeak);
  }
  for (const machine::LaunchStatistics &launch : found.launches) {
    text += "launch ";
    add(launch.runs, launch.span, launch.compute, launch.copy, launch.linkWait,
        launch.memoryWait, launch.bytesRead, launch.bytesWritten, launch.energy,
        launch.cores);
    const machine::PathTime &path = launch.path;
    add(path.work, path.issue, path.inPlace, path.engine, path.memories,
        path.links, path.latencies, path.signals);
  }
  text += "resources ";
  for (const auto *bytes : {&found.linkBytes, &found.memoryBytes})
    for (uint64_t each : *bytes)
      add(each);
  for (const auto *busy : {&found.linkBusy, &found.memoryBusy})
    for (int64_t each : *busy)
      add(each);
  return text;
}

} // namespace gensyn::test

#endif
