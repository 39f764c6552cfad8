// The critical path: its parts add up to the time. Numbers as in TimesTest.

#include "../MappingBuilder.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

TEST(CriticalPath, LeadsThroughCopyComputationAndSignal) {
  Mapped mapped(2, {4096, 4096});
  mapped.segment().set_counters(1);
  const uint32_t body = mapped.body(100, {1024, 1024}, 1);
  // Core 0 loads, computes and signals; core 1 waits for it and stores.
  mapped.load(0, buffer(0), 0, 1024);
  mapped.compute(0, body, {local(0), local(1024)}).after(0).signals(0);
  mapped.compute(1, mapped.body(1, {}, 0), {});
  mapped.store(1, 0, buffer(1), 1024).awaits(0);
  const machine::Statistics found = mapped.simulate();
  const machine::PathTime &path = found.launches[0].path;
  EXPECT_EQ(path.total(), found.time);
  // The unit starts in 2 ns, and the core in 5 ns.
  EXPECT_EQ(path.work, 102'000);
  EXPECT_EQ(path.issue, 5'000);
  EXPECT_EQ(path.inPlace, 0);
  EXPECT_EQ(path.signals, 20'000);
  EXPECT_EQ(path.engine, 2 * (10'000 + 1'000 + 64'000));
  EXPECT_GT(path.memories, 0);
  EXPECT_EQ(path.links, 0);
}

TEST(CriticalPath, OperandInPlace) {
  Mapped mapped(1, {4096});
  mapped.compute(0, mapped.body(100, {64}, 1), {buffer(0)});
  const machine::Statistics found = mapped.simulate();
  const machine::PathTime &path = found.launches[0].path;
  EXPECT_EQ(path.total(), found.time);
  EXPECT_EQ(path.work, 102'000);
  EXPECT_EQ(path.inPlace, found.time - 107'000);
  EXPECT_GT(path.inPlace, 50'000);
}

TEST(CriticalPath, GoesToTheLaunchThatEndsLast) {
  Mapped mapped(2);
  mapped.plan.add_launches()->set_kernel("second");
  mapped.segment().add_launches(1);
  mapped.compute(0, mapped.body(100, {}, 0), {});
  mapped.compute(1, mapped.body(101, {}, 0), {}).task->set_launch(1);
  const machine::Statistics found = mapped.simulate();
  EXPECT_EQ(found.launches[0].path.total(), 0);
  EXPECT_EQ(found.launches[1].path.total(), found.time);
}

TEST(CriticalPath, PacketsThatAreOvertakenWaitToo) {
  // Eight cores store a packet to the first of two ports, and the last core one
  // to each. Only its packet to the first port waits there.
  Mapped mapped(9, {1 << 16});
  mapped.machine.memories[1].nodes = {0, 0};
  for (uint32_t core = 0; core < 8; ++core)
    mapped.store(core, 0, buffer(0, 512 * core), 256);
  mapped.store(8, 0, buffer(0, 8192), 512);
  const machine::Statistics found = mapped.simulate();
  const machine::PathTime &path = found.launches[0].path;
  EXPECT_EQ(path.total(), found.time);
  EXPECT_LE(path.latencies, 51'000 + 64'000);
  // A port takes 64 ns for a packet.
  EXPECT_GT(path.memories, 7 * 60'000);
}

TEST(CriticalPath, CopiesThatWaitForTheSameMemory) {
  Mapped mapped(2, {4096});
  mapped.load(0, buffer(0), 0, 4096);
  mapped.load(1, buffer(0), 0, 4096);
  const machine::Statistics found = mapped.simulate();
  const machine::PathTime &path = found.launches[0].path;
  EXPECT_EQ(path.total(), found.time);
  EXPECT_GT(path.memories, path.engine);
}

} // namespace
