// Estimates of small mappings: where nothing is shared, and where all shares
// are equal, they are the simulation's times. See Simulator/TimesTest.cpp for
// the figures of the machine.

#include "gensyn/Machine/EstimateMapping.h"

#include "../MappingBuilder.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// The plan's steps are its launches, once each.
machine::Statistics estimate(Mapped &mapped) {
  mapped.plan.clear_steps();
  for (int i = 0; i < mapped.plan.launches_size(); ++i)
    mapped.plan.add_steps()->set_launch(uint32_t(i));
  return machine::estimateMapping(mapped.machine, mapped.plan, mapped.mapping);
}

/// Everything that does not depend on the time is the same.
void expectSameCounts(const machine::Statistics &found,
                      const machine::Statistics &simulated) {
  EXPECT_EQ(found.memoryBytes, simulated.memoryBytes);
  EXPECT_EQ(found.linkBytes, simulated.linkBytes);
  EXPECT_EQ(found.memoryBusy, simulated.memoryBusy);
  EXPECT_EQ(found.linkBusy, simulated.linkBusy);
  EXPECT_EQ(found.energy.units, simulated.energy.units);
  EXPECT_EQ(found.energy.coreMemories, simulated.energy.coreMemories);
  EXPECT_EQ(found.energy.sharedMemories, simulated.energy.sharedMemories);
  EXPECT_EQ(found.energy.links, simulated.energy.links);
  EXPECT_EQ(found.energy.signals, simulated.energy.signals);
  ASSERT_EQ(found.launches.size(), simulated.launches.size());
  for (size_t i = 0; i < found.launches.size(); ++i) {
    EXPECT_EQ(found.launches[i].runs, simulated.launches[i].runs);
    EXPECT_EQ(found.launches[i].cores, simulated.launches[i].cores);
    EXPECT_EQ(found.launches[i].bytesRead, simulated.launches[i].bytesRead);
    EXPECT_EQ(found.launches[i].bytesWritten,
              simulated.launches[i].bytesWritten);
    EXPECT_EQ(found.launches[i].energy, simulated.launches[i].energy);
  }
}

void expectSame(const machine::Statistics &found,
                const machine::Statistics &simulated) {
  expectSameCounts(found, simulated);
  EXPECT_EQ(found.time, simulated.time);
  EXPECT_EQ(found.energy.standby, simulated.energy.standby);
  EXPECT_EQ(found.launches[0].span, simulated.launches[0].span);
  EXPECT_EQ(found.launches[0].compute, simulated.launches[0].compute);
}

TEST(EstimatedMapping, Copy) {
  Mapped mapped(1, {4096});
  mapped.load(0, buffer(0), 0, 1024);
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.time, 10'000 + 50'000 + 1'000 + 128'000);
  EXPECT_EQ(found.memoryBytes[1], 1024u);
  EXPECT_EQ(found.launches[0].bytesRead, 1024u);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, StoreOfRowsMovesWholeBursts) {
  Mapped mapped(1, {4096});
  mapped.store(0, 0, buffer(0, 56), 16).rows(8, 16, 24);
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.launches[0].bytesWritten, 9u * 64);
  EXPECT_EQ(found.time, 10'000 + 51'000 + 9 * 64 * 125);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, EngineMayBeTheSlowestPart) {
  Mapped mapped(1, {1 << 16});
  mapped.machine.engines[0].row = quantity(20'000);
  mapped.load(0, buffer(0), 0, 64).rows(32, 128, 64);
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.time, 10'000 + 51'000 + 32 * (20'000 + 4'000));
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, CopyWithinACoreTakesItsEngineAlone) {
  Mapped mapped(1);
  mapped.copy(0, local(0), local(1024), 512, 99);
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.time, 10'000 + 1'000 + 32'000);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, CopiesShareAPort) {
  Mapped mapped(3, {4096});
  for (uint32_t core : {0u, 1u, 2u})
    mapped.load(core, buffer(0), 0, 1024);
  const machine::Statistics found = estimate(mapped);
  // All begin together, and each waits for the others, but the first one not
  // for their last packets, and the second one not for one.
  EXPECT_EQ(found.time, 61'000 + 3 * 128'000);
  EXPECT_EQ(found.launches[0].copy, 3 * found.time - (2 + 1) * 32'000);
  const machine::Statistics simulated = mapped.simulate();
  EXPECT_EQ(found.launches[0].copy, simulated.launches[0].copy);
  expectSame(found, simulated);
}

TEST(EstimatedMapping, CopiesShareALink) {
  // Both cores read the memory of core 2, over its one link.
  Mapped mapped(3);
  for (uint32_t core : {0u, 1u}) {
    mapping::Path &path = *mapped.mapping.add_paths();
    path.add_links(linkFrom(2));
    path.add_links(linkTo(core));
    mapped.copy(core, remote(2, 0), local(0), 1024, 6 + core);
  }
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.time, 10'000 + 2'000 + 128'000);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, LongCopyLetsShortOneIn) {
  Mapped mapped(2, {4096});
  const uint32_t body = mapped.body(100, {}, 0);
  mapped.load(0, buffer(0), 0, 2048);
  mapped.compute(1, body, {});
  mapped.load(1, buffer(0), 0, 256).after(0);
  const machine::Statistics found = estimate(mapped);
  // The short one waits as long as it takes itself, and the long one for all
  // of it.
  EXPECT_EQ(found.time, 61'000 + 256'000 + 32'000);
  EXPECT_EQ(found.launches[0].copy, found.time + 61'000 + 64'000);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, LateCopyTakesTheRestOfAnEarlierOne) {
  Mapped mapped(2, {4096});
  const uint32_t body = mapped.body(100, {}, 0);
  mapped.load(0, buffer(0), 0, 1024);
  mapped.compute(1, body, {});
  mapped.load(1, buffer(0), 0, 2048).after(0);
  const machine::Statistics found = estimate(mapped);
  // 107 of 128 ns later: the last packet of the first one waits already, and
  // the late one waits for it.
  EXPECT_EQ(found.time, 107'000 + 61'000 + 256'000 + 21'000);
  EXPECT_EQ(found.launches[0].copy,
            (61'000 + 128'000) + (61'000 + 256'000 + 21'000));
  expectSameCounts(found, mapped.simulate());
}

TEST(EstimatedMapping, PacketsWaitInOrderBeforeASlowLink) {
  // Two cores write to the memory of core 2, whose link has 1 GB/s: a short
  // copy comes after all packets of a long one, since they are on their way.
  Mapped mapped(3);
  mapped.machine.network.links[linkTo(2)].bandwidth = quantity(1'000'000'000);
  for (uint32_t core : {0u, 1u}) {
    mapping::Path &path = *mapped.mapping.add_paths();
    path.add_links(linkFrom(core));
    path.add_links(linkTo(2));
  }
  const uint32_t body = mapped.body(200, {}, 0);
  mapped.copy(0, local(0), remote(2, 0), 2048, 6);
  mapped.compute(1, body, {});
  mapped.copy(1, local(0), remote(2, 2048), 256, 7).after(0);
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.time, 10'000 + 2'000 + 2'048'000 + 256'000);
  EXPECT_EQ(found.launches[0].copy, 2'060'000 + found.time - 207'000);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, PacketsOnTheirWayDoNotTakeTurns) {
  // Seven cores write to the memory of core 8, whose link is as fast as theirs,
  // so that most of what has come waits before it. A short copy comes after all
  // of that, not after as much of each as it takes itself.
  Mapped mapped(9);
  for (uint32_t core = 0; core < 8; ++core) {
    mapping::Path &path = *mapped.mapping.add_paths();
    path.add_links(linkFrom(core));
    path.add_links(linkTo(8));
  }
  for (uint32_t core = 0; core < 7; ++core)
    mapped.copy(core, local(0), remote(8, 0), 2048, 18 + core);
  mapped.compute(7, mapped.body(60, {}, 0), {});
  mapped.copy(7, local(0), remote(8, 2048), 64, 25).after(0);
  mapped.compute(7, mapped.body(1000, {}, 0), {}).after(1);
  const machine::Statistics found = estimate(mapped);
  const machine::Statistics simulated = mapped.simulate();
  // Of each copy that has begun, up to one packet of 16 ns more has come.
  EXPECT_LT(found.time, simulated.time);
  EXPECT_GT(found.time, simulated.time - 7 * 16'000);
  expectSameCounts(found, simulated);
}

TEST(EstimatedMapping, EveryPortHasItsWay) {
  Mapped mapped(2, {4096});
  mapped.machine.memories[1].nodes = {0, 2};
  mapped.load(0, buffer(0, 512), 0, 700);
  const machine::Statistics found = estimate(mapped);
  // Three packets, of which the second comes over the node of core 1.
  EXPECT_EQ(found.linkBytes[linkTo(0)], 700u);
  EXPECT_EQ(found.linkBytes[linkFrom(1)], 233u);
  EXPECT_EQ(found.memoryBytes[1], 704u);
  expectSameCounts(found, mapped.simulate());
}

/// Loads of tiles into as many buffers by turns, each followed by computing.
Mapped makeTiles(uint32_t buffers) {
  Mapped mapped(1, {4096});
  const uint32_t body = mapped.body(200, {512}, 1);
  for (uint32_t tile = 0; tile < 8; ++tile) {
    TaskBuilder load =
        mapped.load(0, buffer(0, 512 * tile), 512 * (tile % buffers), 512);
    if (tile >= buffers)
      load.after(2 * (tile - buffers) + 1);
    mapped.compute(0, body, {local(512 * (tile % buffers))}).after(2 * tile);
  }
  return mapped;
}

TEST(EstimatedMapping, CopiesOverlapComputing) {
  // 125 ns for a copy, 207 for computing.
  Mapped single = makeTiles(1), twice = makeTiles(2);
  const machine::Statistics found = estimate(single);
  EXPECT_EQ(found.time, 8 * (125'000 + 207'000));
  expectSame(found, single.simulate());
  const machine::Statistics overlapped = estimate(twice);
  EXPECT_EQ(overlapped.time, 125'000 + 8 * 207'000);
  expectSame(overlapped, twice.simulate());
}

TEST(EstimatedMapping, SignalsTakeTime) {
  Mapped mapped(2, {4096});
  mapped.segment().set_counters(1);
  const uint32_t body = mapped.body(10, {}, 0);
  mapped.compute(0, body, {}).signals(0);
  mapped.compute(1, body, {}).awaits(0);
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.time, 17'000 + 20'000 + 17'000);
  EXPECT_EQ(found.energy.signals, 100);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, ArgumentInPlace) {
  Mapped mapped(1, {4096});
  const uint32_t body = mapped.body(10, {128, 16}, 1);
  mapped.compute(0, body, {buffer(0), local(0)});
  const machine::Statistics found = estimate(mapped);
  EXPECT_EQ(found.time, 17'000 + 2 * 58'000);
  expectSame(found, mapped.simulate());
}

TEST(EstimatedMapping, LoopsMultiply) {
  Mapped mapped(1, {4096});
  mapped.load(0, buffer(0), 0, 1024);
  plan::Step::Loop &loop = *mapped.plan.add_steps()->mutable_loop();
  loop.set_trips(5);
  loop.add_body()->set_launch(0);
  const machine::Statistics once = mapped.simulate();
  const machine::Statistics found =
      machine::estimateMapping(mapped.machine, mapped.plan, mapped.mapping);
  EXPECT_EQ(found.time, 5 * once.time);
  EXPECT_EQ(found.launches[0].runs, 5u);
  EXPECT_EQ(found.launches[0].bytesRead, 5u * 1024);
  EXPECT_EQ(found.memoryBytes[1], 5u * 1024);
  EXPECT_EQ(found.energy.total(), 5 * once.energy.total());
}

TEST(EstimatedMapping, DeadlockIsABug) {
  Mapped mapped(1, {4096});
  mapped.segment().set_counters(1);
  const uint32_t body = mapped.body(10, {}, 0);
  mapped.compute(0, body, {}).awaits(0).signals(0);
  try {
    estimate(mapped);
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::Bug);
    EXPECT_STREQ(failure.what(),
                 "mapping: segment 0: deadlock: tasks wait for each other");
  }
}

} // namespace
