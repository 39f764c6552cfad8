// Exact times of small mappings. A cycle is 1000 ps; a copy starts in 10 ns and
// takes 1 ns a row and 62.5 ps a byte in its engine, 62.5 ps a byte on a link,
// and 125 ps a byte in the shared memory; latencies are 50 ns in the memory and
// 1 ns on a link.

#include "../MappingBuilder.h"

#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/EstimateMapping.h"

#include <algorithm>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

TEST(SimulatedTimes, Copy) {
  Mapped mapped(1, {4096});
  mapped.load(0, buffer(0), 0, 1024);
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.time, 10'000 + 50'000 + 1'000 + 128'000);
  const std::vector<uint32_t> path = {linkTo(0)};
  EXPECT_EQ(found.time,
            machine::estimateCopy(mapped.machine, 0, 1, 1024, 1, 1, path));
  // 4 packets on two resources, and the end.
  EXPECT_EQ(found.events, 9u);
  EXPECT_EQ(found.cores[0].copy.busy, found.time);
  EXPECT_EQ(found.cores[0].bytesIn, 1024u);
  EXPECT_EQ(found.cores[0].bytesOut, 0u);
  EXPECT_EQ(found.cores[0].memoryPeak, 1024u);
  EXPECT_EQ(found.linkBytes[linkTo(0)], 1024u);
  EXPECT_EQ(found.linkBusy[linkTo(0)], 64'000);
  EXPECT_EQ(found.memoryBytes[1], 1024u);
  EXPECT_EQ(found.memoryBusy[1], 128'000);
  EXPECT_EQ(found.launches[0].bytesRead, 1024u);
  EXPECT_EQ(found.launches[0].span, found.time);
  EXPECT_EQ(found.launches[0].copy, found.time);
  EXPECT_EQ(found.launches[0].linkWait, 0);
  // The engine has the last packet ready after three times 16.25 ns, and the
  // memory begins to read it after 96 ns.
  EXPECT_EQ(found.launches[0].memoryWait, 96'000 - 48'750);
}

TEST(SimulatedTimes, MulticastTakesEachLinkOnce) {
  Mapped mapped(3, {4096});
  mapped.multicast(buffer(0), 0, 1024);
  const machine::Statistics found = mapped.simulate();
  // As to one core: packets leave the memory more slowly than links take them.
  EXPECT_EQ(found.time, 10'000 + 50'000 + 1'000 + 128'000);
  EXPECT_EQ(found.memoryBytes[1], 1024u);
  for (uint32_t core : {0u, 1u, 2u}) {
    EXPECT_EQ(found.linkBytes[linkTo(core)], 1024u);
    EXPECT_EQ(found.linkBusy[linkTo(core)], 64'000);
    EXPECT_EQ(found.cores[core].bytesIn, 1024u);
    EXPECT_EQ(found.cores[core].memoryPeak, 1024u);
  }
  EXPECT_EQ(found.launches[0].bytesRead, 1024u);
  EXPECT_EQ(found.energy.sharedMemories, 10 * 1024);
  EXPECT_EQ(found.energy.coreMemories, 3 * 2 * 1024);
  EXPECT_EQ(found.energy.links, 3 * 3 * 1024);
  const machine::Statistics estimated =
      machine::estimateMapping(mapped.machine, mapped.plan, mapped.mapping);
  EXPECT_EQ(estimated.time, found.time);
  EXPECT_EQ(estimated.energy.total(), found.energy.total());
}

TEST(SimulatedTimes, MulticastWaitsForABusyLink) {
  // The link to core 2 is slower than the others, and the farthest end counts.
  Mapped mapped(3, {4096});
  mapped.multicast(buffer(0), 0, 1024);
  mapped.machine.network.links[linkTo(2)].bandwidth = quantity(4'000'000'000);
  const machine::Statistics found = mapped.simulate();
  // The first packet is at the link after 60 ns, and 1024 bytes take 256 ns.
  EXPECT_EQ(found.time, 10'000 + 50'000 + 256'000 + 1'000);
  EXPECT_EQ(found.linkBusy[linkTo(2)], 256'000);
  EXPECT_EQ(found.linkBusy[linkTo(1)], 64'000);
  // The last of four packets comes after 156 ns and waits for the third.
  EXPECT_EQ(found.launches[0].linkWait, 60'000 + 3 * 64'000 - 156'000);
}

// Links behind a long one are free until its packets come.
TEST(SimulatedTimes, MulticastTakesALinkWhenItGetsThere) {
  Mapped mapped(3, {4096});
  mapped.machine.network.hasMulticast = true;
  mapped.machine.network.links[linkFrom(0)].latency = quantity(1'000'000);
  mapping::Path &path = *mapped.mapping.add_paths();
  for (uint32_t link : {linkFrom(0), linkTo(1), linkTo(2)})
    path.add_links(link);
  *mapped.copy(0, local(0), remote(1, 0), 64, 6)
       .task->mutable_copy()
       ->add_others() = remote(2, 0);
  mapped.load(1, buffer(0), 1024, 64);
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.cores[1].copy.busy, 10'000 + 50'000 + 1'000 + 8'000);
  EXPECT_EQ(found.launches[0].linkWait, 0);
}

TEST(SimulatedTimes, ChannelsCopyAtTheSameTime) {
  // The first copy waits for another core; the second one is behind it, unless
  // it has a channel of its own.
  auto make = [](uint32_t channel) {
    Mapped mapped(2, {4096});
    mapped.machine.engines[0].channels = quantity(2);
    mapped.segment().set_counters(1);
    mapped.load(0, buffer(0), 0, 64).awaits(0);
    mapped.load(0, buffer(0, 64), 64, 64)
        .task->mutable_copy()
        ->set_channel(channel);
    mapped.load(1, buffer(0), 0, 1024).signals(0);
    return mapped.simulate();
  };
  // A copy of 64 bytes takes 69 ns, and the first one begins after 209 ns.
  const int64_t one = 10'000 + 50'000 + 1'000 + 8'000;
  const int64_t before = 10'000 + 50'000 + 1'000 + 128'000 + 20'000;
  EXPECT_EQ(make(0).time, before + 2 * one);
  // The memory reads its bytes before the last ones of core 1's.
  EXPECT_EQ(make(1).time, before + 8'000 + one);
}

TEST(SimulatedTimes, StoreOfRowsMovesWholeBursts) {
  Mapped mapped(1, {4096});
  // 8 rows of 16 bytes at 24 bytes' distance from byte 56 on: the first, the
  // fourth and the sixth lie in two bursts, 128 to 143 does not.
  mapped.store(0, 0, buffer(0, 56), 16).rows(8, 16, 24);
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.launches[0].bytesWritten, 9u * 64);
  EXPECT_EQ(found.linkBytes[linkFrom(0)], 128u);
  EXPECT_EQ(found.time, 10'000 + 51'000 + 9 * 64 * 125);
}

TEST(SimulatedTimes, EngineMayBeTheSlowestPart) {
  Mapped mapped(1, {1 << 16});
  mapped.machine.engines[0].row = quantity(20'000);
  mapped.load(0, buffer(0), 0, 64).rows(32, 128, 64);
  EXPECT_EQ(mapped.simulate().time, 10'000 + 51'000 + 32 * (20'000 + 4'000));
}

TEST(SimulatedTimes, CopyWithinACoreTakesItsEngineAlone) {
  Mapped mapped(1);
  mapped.copy(0, local(0), local(1024), 512, 99);
  EXPECT_EQ(mapped.simulate().time, 10'000 + 1'000 + 32'000);
}

TEST(SimulatedTimes, CopiesShareAPort) {
  Mapped mapped(2, {4096});
  mapped.load(0, buffer(0), 0, 1024);
  mapped.load(1, buffer(0), 0, 1024);
  const machine::Statistics found = mapped.simulate();
  // Packets of 32 ns take turns; the last one of core 1 is the last of all.
  EXPECT_EQ(found.time, 61'000 + 256'000);
  EXPECT_EQ(found.cores[0].copy.busy, 61'000 + 256'000 - 32'000);
  EXPECT_EQ(found.launches[0].linkWait, 0);
  EXPECT_GT(found.launches[0].memoryWait, 0);
  EXPECT_EQ(found.memoryBusy[1], 256'000);
}

TEST(SimulatedTimes, LongCopyLetsShortOneIn) {
  Mapped mapped(2, {4096});
  const uint32_t body = mapped.body(100, {}, 0);
  mapped.load(0, buffer(0), 0, 2048);
  mapped.compute(1, body, {});
  mapped.load(1, buffer(0), 0, 256).after(0);
  const machine::Statistics found = mapped.simulate();
  // Issued after 117 ns, when the memory reads the fourth of eight packets, and
  // the fifth, which ends after 170 ns, waits: no other one does.
  EXPECT_EQ(found.cores[1].copy.busy, 170'000 + 32'000 + 51'000 - 107'000);
}

TEST(SimulatedTimes, CopiesShareALink) {
  // Both cores read the memory of core 2, over its one link.
  Mapped mapped(3);
  for (uint32_t core : {0u, 1u}) {
    mapping::Path &path = *mapped.mapping.add_paths();
    path.add_links(linkFrom(2));
    path.add_links(linkTo(core));
    mapped.copy(core, remote(2, 0), local(0), 1024, 6 + core);
  }
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.time, 10'000 + 2'000 + 128'000);
  EXPECT_EQ(found.linkBusy[linkFrom(2)], 128'000);
  EXPECT_GT(found.launches[0].linkWait, 0);
  EXPECT_EQ(found.launches[0].memoryWait, 0);
  EXPECT_EQ(found.cores[2].bytesOut, 2048u);
}

TEST(SimulatedTimes, PortsTakeTurns) {
  Mapped mapped(2, {4096});
  mapped.machine.memories[1].nodes = {0, 0};
  mapped.machine.memories[1].bandwidth = quantity(4'000'000'000);
  mapped.load(0, buffer(0), 0, 512);
  mapped.load(1, buffer(0, 256), 0, 512);
  // Each port has 2 GB/s: 128 ns for a packet. The packets of the first core
  // begin at port 0, those of the second at port 1.
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.time, 61'000 + 256'000);
  EXPECT_EQ(found.memoryBytes[1], 1024u);
  EXPECT_EQ(found.memoryBusy[1], 256'000);
}

TEST(SimulatedTimes, EveryPortHasItsWay) {
  Mapped mapped(2, {4096});
  // The second port is at the node of core 1.
  mapped.machine.memories[1].nodes = {0, 2};
  mapped.load(0, buffer(0, 512), 0, 700);
  const machine::Statistics found = mapped.simulate();
  // Three packets, of which the second comes over the node of core 1.
  EXPECT_EQ(found.linkBytes[linkTo(0)], 700u);
  EXPECT_EQ(found.linkBytes[linkFrom(1)], 233u);
  EXPECT_EQ(found.energy.links, 3 * (700 + 233));
  EXPECT_EQ(found.memoryBytes[1], 704u);
  // Stores take the same ways back.
  Mapped stores(2, {4096});
  stores.machine.memories[1].nodes = {0, 2};
  stores.store(0, 0, buffer(0, 256), 700);
  const machine::Statistics stored = stores.simulate();
  EXPECT_EQ(stored.linkBytes[linkFrom(0)], 700u);
  EXPECT_EQ(stored.linkBytes[linkTo(1)], 467u);
}

TEST(SimulatedTimes, Compute) {
  Mapped mapped(1);
  const uint32_t body = mapped.body(10, {16, 16}, 1);
  mapped.compute(0, body, {local(0), local(16)});
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.time, 5'000 + 2'000 + 10'000);
  EXPECT_EQ(found.cores[0].compute.busy, found.time);
  EXPECT_EQ(found.launches[0].compute, found.time);
}

TEST(SimulatedTimes, ArgumentInPlaceIsReadBurstByBurst) {
  Mapped mapped(1, {4096});
  const uint32_t body = mapped.body(10, {128, 16}, 1);
  mapped.compute(0, body, {buffer(0), local(0)});
  // Two bursts of 8 ns, each after the latency; or one for each element that
  // the body reads.
  EXPECT_EQ(mapped.simulate().time, 17'000 + 2 * 58'000);
  mapped.mapping.mutable_bodies(0)->add_accesses(32);
  mapped.mapping.mutable_bodies(0)->add_accesses(4);
  EXPECT_EQ(mapped.simulate().time, 17'000 + 32 * 58'000);
  // The path's latency is added to each.
  mapped.task(0, 0).mutable_compute()->mutable_paths()->Add(0);
  mapped.task(0, 0).mutable_compute()->mutable_paths()->Add(0);
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.time, 17'000 + 32 * 59'000);
  EXPECT_EQ(found.launches[0].bytesRead, 32u * 64);
  EXPECT_EQ(found.linkBytes[linkTo(0)], 32u * 64);
}

/// Loads of tiles, each followed by a computation of its bytes.
machine::Statistics simulateTiles(bool isDouble) {
  Mapped mapped(1, {4096});
  const uint32_t body = mapped.body(200, {1024}, 1);
  for (uint32_t tile = 0; tile < 4; ++tile) {
    const uint64_t address = isDouble ? tile % 2 * 1024 : 0;
    auto load = mapped.load(0, buffer(0, 1024 * tile), address, 1024);
    const uint32_t back = isDouble ? 2 : 1;
    if (tile >= back)
      load.after(2 * (tile - back) + 1);
    mapped.compute(0, body, {local(address)}).after(2 * tile);
  }
  return mapped.simulate();
}

TEST(SimulatedTimes, DoubleBufferingOverlaps) {
  constexpr int64_t load = 189'000, compute = 207'000;
  EXPECT_EQ(simulateTiles(false).time, 4 * (load + compute));
  const machine::Statistics found = simulateTiles(true);
  EXPECT_EQ(found.time, load + 4 * compute);
  const machine::QueueTime &copies = found.cores[0].copy;
  EXPECT_EQ(copies.busy, 4 * load);
  // The third and the fourth load wait for a computation, and the queue for the
  // last two of them.
  EXPECT_EQ(copies.waiting, 2 * (compute - load) + compute + (compute - load));
  EXPECT_EQ(copies.busy + copies.waiting, found.time);
  EXPECT_EQ(copies.waitingForOthers, 0);
  EXPECT_EQ(found.cores[0].compute.waiting, load);
  EXPECT_EQ(found.cores[0].compute.waitingForOthers, 0);
}

TEST(SimulatedTimes, CountersOfOtherCores) {
  Mapped mapped(3);
  mapped.segment().set_counters(2);
  const uint32_t body = mapped.body(10, {}, 0);
  mapped.compute(0, body, {}).signals(0);
  mapped.compute(1, body, {}).signals(0);
  mapped.compute(1, body, {}).signals(0).signals(1);
  mapped.compute(2, body, {}).awaits(0, 2);
  mapped.compute(2, body, {}).awaits(0, 3).awaits(1);
  const machine::Statistics found = mapped.simulate();
  // Two tasks of 17 ns, the signal, and core 2's second task, for which its
  // first one has made it wait.
  EXPECT_EQ(found.time, 17'000 + 20'000 + 2 * 17'000);
  EXPECT_EQ(found.cores[2].compute.waitingForOthers, 37'000);
  EXPECT_EQ(found.cores[2].compute.waiting, 0);
  EXPECT_EQ(found.cores[0].compute.waitingForOthers, found.time - 17'000);
  EXPECT_EQ(found.energy.signals, 400);
  EXPECT_EQ(found.launches[0].cores, 3u);
}

TEST(SimulatedTimes, SegmentsFollowEachOther) {
  Mapped mapped(2, {4096});
  mapped.load(0, buffer(0), 0, 1024);
  *mapped.plan.add_launches() = mapped.plan.launches(0);
  mapping::Segment &second = *mapped.mapping.add_segments();
  second = mapped.mapping.segments(0);
  second.set_launches(0, 1);
  second.mutable_cores(0)->mutable_tasks(0)->set_launch(1);
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  simulator.run(0);
  simulator.run(1);
  simulator.run(1);
  const machine::Statistics &found = simulator.statistics();
  EXPECT_EQ(found.time, 3 * 189'000);
  EXPECT_EQ(found.launches[0].runs, 1u);
  EXPECT_EQ(found.launches[1].runs, 2u);
  EXPECT_EQ(found.launches[1].span, 2 * 189'000);
}

TEST(SimulatedTimes, TraceHasEveryTask) {
  Mapped mapped(1, {4096});
  mapped.load(0, buffer(0), 0, 1024);
  const uint32_t body = mapped.body(10, {1024}, 1);
  mapped.compute(0, body, {local(0)}).after(0);
  machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
  std::vector<machine::TraceEvent> trace;
  simulator.setTrace(
      [&](const machine::TraceEvent &event) { trace.push_back(event); });
  simulator.run(0);
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_TRUE(trace[0].isCopy);
  EXPECT_EQ(trace[0].end, 189'000);
  EXPECT_FALSE(trace[1].isCopy);
  EXPECT_EQ(trace[1].begin, 189'000);
  EXPECT_EQ(trace[1].end, 206'000);
}

/// Everything that depends on the order of events, as text.
std::string describe(const machine::Statistics &found) {
  std::string text =
      std::to_string(found.time) + " " + std::to_string(found.energy.total());
  for (const machine::CoreStatistics &core : found.cores)
    for (const machine::QueueTime *queue : {&core.compute, &core.copy})
      text += " " + std::to_string(queue->busy) + "/" +
              std::to_string(queue->waiting) + "/" +
              std::to_string(queue->waitingForOthers);
  return text + " " + std::to_string(found.launches[0].linkWait) + " " +
         std::to_string(found.launches[0].memoryWait);
}

TEST(SimulatedTimes, OrderOfCoresDoesNotMatter) {
  Mapped mapped(5, {4096});
  mapped.segment().set_counters(1);
  const uint32_t body = mapped.body(40, {512}, 1);
  for (uint32_t core = 0; core < 5; ++core) {
    mapped.load(core, buffer(0, 64 * core), 0, 512);
    mapped.compute(core, body, {local(0)}).after(0).signals(0);
    mapped.store(core, 0, buffer(0), 512).awaits(0, core + 1);
  }
  const std::string expected = describe(mapped.simulate());
  auto &cores = *mapped.segment().mutable_cores();
  std::reverse(cores.begin(), cores.end());
  EXPECT_EQ(describe(mapped.simulate()), expected);
  cores.SwapElements(0, 3);
  EXPECT_EQ(describe(mapped.simulate()), expected);
}

TEST(SimulatedEnergy, PartsAndLaunchesAddUp) {
  Mapped mapped(2, {4096});
  mapped.segment().set_counters(1);
  const uint32_t body = mapped.body(10, {80}, 1);
  mapping::Work &stores = *mapped.mapping.mutable_bodies(0)->add_work();
  stores.set_operation("store");
  stores.set_type("i8");
  stores.set_count(7);
  mapped.load(0, buffer(0), 0, 80);
  mapped.compute(0, body, {local(0)}).after(0).signals(0);
  mapped.store(1, 0, buffer(0), 40).awaits(0);
  const machine::Statistics found = mapped.simulate();
  const machine::Energy &energy = found.energy;
  EXPECT_EQ(energy.units, 70);
  EXPECT_EQ(energy.coreMemories, 80 * 2 + 7 * 2 + 40 * 1);
  EXPECT_EQ(energy.sharedMemories, 128 * 10 + 64 * 20);
  EXPECT_EQ(energy.links, 80 * 3 + 40 * 3);
  EXPECT_EQ(energy.signals, 100);
  // Two cores of 3 + 1 mW and 5 mW of the shared memory: 13 fJ a picosecond.
  EXPECT_EQ(energy.standby, 13 * found.time);
  EXPECT_EQ(energy.total(), found.launches[0].energy + energy.standby);
}

} // namespace
