// Which launches wait for which, by the memory of the plan's buffers.

#include "Conflicts.h"
#include "gtest/gtest.h"

using namespace gensyn;
using gensyn::mapping::Conflicts;

namespace {

void addArena(plan::Plan &plan, uint64_t offset, uint64_t bytes) {
  plan::Buffer &buffer = *plan.add_buffers();
  buffer.set_arena(offset);
  buffer.set_bytes(bytes);
}

/// The launches that a launch waits for, over all of its buffers.
std::vector<unsigned> waits(Conflicts &conflicts,
                            llvm::SmallVector<uint32_t> reads,
                            llvm::SmallVector<uint32_t> writes) {
  std::vector<unsigned> all;
  for (const auto &found : conflicts.add({reads, writes}))
    all.insert(all.end(), found.begin(), found.end());
  return all;
}

using Launches = std::vector<unsigned>;

TEST(Conflicts, ReadersAndWriters) {
  plan::Plan plan;
  addArena(plan, 0, 64);
  addArena(plan, 64, 64);
  Conflicts conflicts(plan);
  EXPECT_EQ(waits(conflicts, {}, {0}), Launches{});
  EXPECT_EQ(waits(conflicts, {0}, {1}), Launches{0});
  EXPECT_EQ(waits(conflicts, {0}, {}), Launches{0});
  // One that writes waits for the readers, and for whoever wrote.
  EXPECT_EQ(waits(conflicts, {}, {0}), (Launches{0, 1, 2}));
  // Another reader waits for the last one that wrote.
  EXPECT_EQ(waits(conflicts, {0}, {}), Launches{3});
}

TEST(Conflicts, BuffersThatOverlap) {
  plan::Plan plan;
  addArena(plan, 0, 128);
  addArena(plan, 64, 128);
  addArena(plan, 128, 64);
  Conflicts conflicts(plan);
  waits(conflicts, {}, {0});
  waits(conflicts, {}, {2});
  EXPECT_EQ(waits(conflicts, {1}, {}), (Launches{0, 1}));
}

TEST(Conflicts, AnOutputLiesWhereItsInputDoes) {
  plan::Plan plan;
  plan.add_buffers()->set_input(0);
  plan.add_buffers()->set_output(0);
  for (plan::Buffer &buffer : *plan.mutable_buffers())
    buffer.set_bytes(64);
  plan.add_donated(0);
  plan.add_in_place(true);
  Conflicts shared(plan);
  waits(shared, {0}, {});
  EXPECT_EQ(waits(shared, {}, {1}), Launches{0});
  plan.set_in_place(0, false);
  Conflicts apart(plan);
  waits(apart, {0}, {});
  EXPECT_EQ(waits(apart, {}, {1}), Launches{});
}

TEST(Conflicts, LoopsExchangeBuffers) {
  plan::Plan plan;
  addArena(plan, 0, 64);
  addArena(plan, 64, 64);
  addArena(plan, 64, 64); // after the loop, where the second one was
  plan::Step::Loop &loop = *plan.add_steps()->mutable_loop();
  plan::Step::Carry &carry = *loop.add_carries();
  carry.set_current(0);
  carry.set_next(1);
  Conflicts conflicts(plan);
  // What the loop leaves may lie in either of both.
  waits(conflicts, {0}, {});
  EXPECT_EQ(waits(conflicts, {}, {2}), Launches{0});
}

} // namespace
