// Weights that stay in the memories of cores.

#include "MappingBuilder.h"

#include "gensyn/Executable/PlanRun.h"

#include <cstring>
#include <functional>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// Numbers of buffers: values x0 to x2, and the weights of a block each.
constexpr uint32_t X = 0, W = 3;
constexpr uint32_t kBlocks = 2;
constexpr uint64_t kBytes = 128, kStep = 192;

/// A core adds a weight to a value, twice. The weights of the repetitions lie
/// at 512 and 704.
Mapped makeResident() {
  Mapped mapped(2, std::vector<uint64_t>(X + 5, kBytes));
  mapped.plan.clear_launches();
  for (uint32_t i = 0; i < kBlocks; ++i) {
    mapped.plan.add_launches()->set_kernel("k" + std::to_string(i));
    mapped.plan.mutable_buffers(int(W + i))->set_constant(i);
    mapped.mapping.add_weights(W + i);
  }
  mapped.body(100, {kBytes, kBytes, kBytes}, 2);
  mapping::Location weight = local(512);
  weight.set_step(kStep);
  mapped.load(0, buffer(X), 0, kBytes);
  mapped.compute(0, 0, {local(0), weight, local(128)}).after(0);
  mapped.store(0, 128, buffer(X + 1), kBytes).after(1);
  mapping::Resident &resident =
      *mapped.segment().mutable_cores(0)->add_residents();
  *resident.mutable_copy()->mutable_from() = buffer(W);
  *resident.mutable_copy()->mutable_to() = weight;
  resident.mutable_copy()->set_row_bytes(kBytes);
  for (uint32_t number : {X, X + 1, W})
    mapped.segment().add_buffers(number);
  mapping::Repetition &repetition = *mapped.segment().add_repetitions();
  repetition.add_launches(1);
  for (uint32_t number : {X + 1, X + 2, W + 1})
    repetition.add_buffers(number);
  return mapped;
}

mapping::Resident &residentOf(Mapped &mapped) {
  return *mapped.segment().mutable_cores(0)->mutable_residents(0);
}

/// What the last block stores, or the error: values are 1, weights 10 and 20.
std::string run(const Mapped &mapped) {
  std::vector<uint8_t> memory(mapped.plan.arena_bytes(), 1);
  std::vector<Place> places;
  uint64_t begin = 0;
  for (const plan::Buffer &own : mapped.plan.buffers()) {
    places.push_back({memory.data() + begin, own.bytes(), true});
    begin += own.bytes();
  }
  for (uint32_t block = 0; block < kBlocks; ++block)
    std::memset(places[W + block].begin, int(block + 1) * 10, kBytes);
  machine::Values values;
  values.places = places;
  values.call = [](const mapping::Body &, std::span<uint8_t *const> arguments) {
    for (uint64_t i = 0; i < kBytes; ++i)
      arguments[2][i] = uint8_t(arguments[0][i] + arguments[1][i]);
  };
  try {
    machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
    simulator.run(0, &values);
  } catch (const Failure &failure) {
    return failure.what();
  }
  return std::to_string(places[X + 2].begin[0]) + " " +
         std::to_string(places[X + 2].begin[kBytes - 1]);
}

TEST(Residents, EachRepetitionHasItsOwn) {
  EXPECT_EQ(run(makeResident()), "31 31");
}

/// The computation of a repetition reads where those of another one are.
TEST(Residents, WrongAddress) {
  Mapped mapped = makeResident();
  mapped.task(0, 1).mutable_compute()->mutable_arguments(1)->set_step(0);
  EXPECT_EQ(run(mapped),
            "segment 0, repetition 1, core 0, task 1 (kernel k1): it reads "
            "byte 512 of core 0's memory (byte 0 of argument 1), which no task "
            "wrote");
}

TEST(Residents, CountsDoNotCopyThem) {
  Mapped mapped = makeResident();
  const machine::Statistics counts = mapped.simulate();
  EXPECT_EQ(counts.launches[0].bytesRead, counts.launches[1].bytesRead);
  // The value alone, in whole bursts.
  EXPECT_EQ(counts.launches[0].bytesRead, kBytes);
  EXPECT_EQ(counts.cores[0].memoryPeak, 512 + kStep + kBytes);
}

/// The same bytes may be in several segments, others may not.
TEST(Residents, OfTwoSegments) {
  Mapped mapped = makeResident();
  mapped.plan.add_launches()->set_kernel("k2");
  mapping::Segment &second = *mapped.mapping.add_segments();
  second.add_launches(2);
  second.add_cores()->set_core(0);
  mapping::Resident &resident = *second.mutable_cores(0)->add_residents();
  resident = residentOf(mapped);
  resident.set_launch(2);
  resident.mutable_copy()->mutable_to()->clear_step();
  EXPECT_EQ(run(mapped), "31 31");
  resident.mutable_copy()->mutable_to()->set_local(600);
  EXPECT_EQ(
      run(mapped),
      "mapping: segment 1, core 0, resident 0 (kernel k2): it lies at "
      "byte 600 of the core's memory, where resident 0 of segment 0 lies");
  resident.mutable_copy()->mutable_to()->set_local(512);
  resident.mutable_copy()->mutable_from()->set_buffer(W + 1);
  EXPECT_EQ(
      run(mapped),
      "mapping: segment 1, core 0, resident 0 (kernel k2): it lies at "
      "byte 512 of the core's memory, where resident 0 of segment 0 lies");
}

TEST(Residents, Wrong) {
  struct Wrong {
    const char *line;
    std::function<void(Mapped &)> change;
  };
  const Wrong cases[] = {
      {"segment 0, core 0, resident 0 (kernel k0): buffer 4 is not of weights",
       [](Mapped &m) { m.mapping.mutable_weights()->RemoveLast(); }},
      {"buffer 0 is of weights, and tasks write it",
       [](Mapped &m) { m.mapping.set_weights(0, X); }},
      {"buffer 5 is of weights, expected one of 5",
       [](Mapped &m) { m.mapping.set_weights(0, 5); }},
      {"buffer 3 is of weights, and an output replaces it",
       [](Mapped &m) {
         m.plan.mutable_buffers(W)->set_input(7);
         m.plan.add_donated(7);
       }},
      {"segment 0, core 0, resident 0 (kernel k0): a step of 64 bytes from "
       "repetition to repetition, expected at least 128",
       [](Mapped &m) {
         residentOf(m).mutable_copy()->mutable_to()->set_step(64);
       }},
      {"segment 0, core 0, resident 0 (kernel k0): the destination is bytes "
       "512 to 1000639 of the core's memory, which has 4096",
       [](Mapped &m) {
         residentOf(m).mutable_copy()->mutable_to()->set_step(1000000);
       }},
      {"segment 0, core 0, resident 0 (kernel k0): it lies at byte 512 of the "
       "core's memory, where resident 0 of segment 0 lies",
       [](Mapped &m) {
         residentOf(m).mutable_copy()->mutable_to()->clear_step();
       }},
      {"segment 0, core 0, resident 0 (kernel k0): it is no copy from a buffer "
       "to the core's memory alone",
       [](Mapped &m) {
         *residentOf(m).mutable_copy()->mutable_to() = remote(1, 0);
       }},
      {"segment 0, core 0, resident 0: launch 7 is not one of its segment",
       [](Mapped &m) { residentOf(m).set_launch(7); }},
      {"segment 0, core 0, task 0 (kernel k0): the destination has a step, "
       "which is for weights in the core's memory",
       [](Mapped &m) {
         m.task(0, 0).mutable_copy()->mutable_to()->set_step(64);
       }},
      {"segment 0, core 0, task 1 (kernel k0): it writes byte 512 of core 0's "
       "memory, where weights lie",
       [](Mapped &m) {
         m.task(0, 1).mutable_compute()->mutable_arguments(2)->set_local(400);
       }},
      {"segment 0, core 0, task 0 (kernel k0): it writes byte 704 of core 0's "
       "memory, where weights lie",
       [](Mapped &m) {
         m.task(0, 0).mutable_copy()->mutable_to()->set_local(640);
       }},
  };
  for (const Wrong &wrong : cases) {
    Mapped mapped = makeResident();
    wrong.change(mapped);
    EXPECT_EQ(mapped.failure(), "mapping: " + std::string(wrong.line));
  }
}

} // namespace
