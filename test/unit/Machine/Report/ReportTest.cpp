// What mappings take of their machines, and the ends of their energy.

#include "../Simulator/MappingBuilder.h"

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Machine/Report.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

machine::MappedProgram programOf(const Mapped &mapped) {
  return {mapped.plan, mapped.mapping, mapped.machine};
}

TEST(Report, Facts) {
  Mapped mapped(3, {4096, 64});
  mapped.machine.cores[2].isDead = true;
  mapped.mapping.mutable_segments(0)->mutable_cores()->RemoveLast();
  mapped.load(0, buffer(0), 0, 100);
  mapped.load(1, buffer(0), 200, 100);
  mapped.compute(1, mapped.body(1, {100, 4}, 1), {local(200), local(300)})
      .after(0);
  const auto program = programOf(mapped);
  const machine::Statistics run = machine::simulateRun(program);
  const machine::MappingFacts facts = machine::describeMapping(
      program, run, machine::simulatePreparation(program));
  EXPECT_EQ(facts.cores, 2u);
  EXPECT_EQ(facts.liveCores, 2u);
  EXPECT_EQ(facts.computes, 1u);
  EXPECT_EQ(facts.copies, 2u);
  EXPECT_EQ(facts.memoryPeak, 304u);
  EXPECT_EQ(facts.peakCore, 1u);
  EXPECT_EQ(facts.memoryUsable, 4096u);
  ASSERT_EQ(facts.shared.size(), 1u);
  EXPECT_EQ(facts.shared[0].used, 4096u + 64);
}

TEST(Report, TasksCountAsOftenAsTheyRepeat) {
  Mapped mapped(1, {64, 64, 64});
  mapped.load(0, buffer(0), 0, 64);
  mapped.compute(0, mapped.body(1, {64, 64}, 1), {local(0), local(64)})
      .after(0);
  mapped.store(0, 64, buffer(1), 64).after(1);
  *mapped.plan.add_launches() = mapped.plan.launches(0);
  for (uint32_t number : {0, 1})
    mapped.segment().add_buffers(number);
  mapping::Repetition &repetition = *mapped.segment().add_repetitions();
  repetition.add_launches(1);
  for (uint32_t number : {1, 2})
    repetition.add_buffers(number);
  const auto program = programOf(mapped);
  const machine::Statistics run = machine::simulateRun(program);
  const machine::MappingFacts facts = machine::describeMapping(
      program, run, machine::simulatePreparation(program));
  EXPECT_EQ(facts.computes, 2u);
  EXPECT_EQ(facts.copies, 4u);
  EXPECT_EQ(facts.listed, 3u);
  ASSERT_EQ(facts.repeats.size(), 1u);
  EXPECT_EQ(facts.repeats[0].launches, 1u);
  EXPECT_EQ(facts.repeats[0].times, 2u);
  // Both launches are one kernel.
  const machine::RunReport report = machine::makeReport(program, run);
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].launches, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(report.path.total(), run.time);
  EXPECT_EQ(report.totalEnergy.value, run.energy.total());
}

TEST(Report, LoopsRunToTheirBoundAndBranchesTakeTheirFirstSide) {
  Mapped mapped(1, {64, 64});
  mapped.load(0, buffer(0), 0, 64);
  const int64_t once = mapped.simulate().time;
  plan::Step::Loop &loop = *mapped.plan.add_steps()->mutable_loop();
  loop.set_trips(5);
  loop.set_condition(1);
  plan::Step::If &branch = *loop.add_body()->mutable_branch();
  branch.set_predicate(1);
  branch.add_then_steps()->set_launch(0);
  branch.add_then_steps()->set_launch(0);
  branch.add_else_steps()->set_launch(0);
  const auto program = programOf(mapped);
  const machine::Statistics run = machine::simulateRun(program);
  EXPECT_EQ(run.time, 10 * once);
  EXPECT_EQ(run.launches[0].runs, 10u);
}

TEST(Report, EnergyIsAnIntervalOverAllNumbers) {
  Mapped mapped(1, {64});
  mapped.load(0, buffer(0), 0, 64);
  auto energyOf = [&] {
    const auto program = programOf(mapped);
    return machine::energyOf(program, machine::simulateRun(program));
  };
  const machine::Interval exact = energyOf();
  EXPECT_EQ(exact.low, exact.value);
  EXPECT_EQ(exact.high, exact.value);
  // 64 bytes are read at 10 fJ each.
  machine::Quantity &read = mapped.machine.memories[1].readEnergy;
  read.low = 3;
  read.high = 110;
  const machine::Interval wide = energyOf();
  EXPECT_EQ(wide.value, exact.value);
  EXPECT_EQ(wide.low, exact.value - 64 * 7);
  EXPECT_EQ(wide.high, exact.value + 64 * 100);
}

TEST(Report, Numbers) {
  EXPECT_EQ(machine::printTime(0), "0 ps");
  EXPECT_EQ(machine::printTime(999), "999 ps");
  EXPECT_EQ(machine::printTime(1'234'500'000), "1.235 ms");
  EXPECT_EQ(machine::printTime(7'200'000'000'000'000), "7200 s");
  EXPECT_EQ(machine::printTime(999'999'999), "1000 us");
  EXPECT_EQ(machine::printBytes(1536), "1.5 KiB");
  EXPECT_EQ(machine::printEnergy(machine::Interval{1000, 500, 2000}),
            "1 pJ [500 fJ, 2 pJ]");
}

TEST(MappedProgram, HasTheDigestOfItsMapping) {
  plan::Executable executable;
  auto failureOf = [&] {
    try {
      machine::MappedProgram program(executable);
    } catch (const Failure &failure) {
      return std::string(failure.what());
    }
    return std::string();
  };
  EXPECT_EQ(failureOf(), "the program is not mapped to a machine");
  mapping::Mapping mapping;
  mapping.set_version(1);
  mapping.set_machine(machine::findMachine("stm32l4").text);
  const std::string bytes = mapping.SerializeAsString();
  mapping.set_digest(hashHex(bytes.data(), bytes.size()));
  executable.set_mapping(mapping.SerializeAsString());
  EXPECT_EQ(failureOf(), "");
  mapping.add_memory_of_buffer(0);
  executable.set_mapping(mapping.SerializeAsString());
  EXPECT_EQ(failureOf(), "the program is malformed: its mapping does not have "
                         "its digest");
  executable.set_mapping("?");
  EXPECT_EQ(failureOf(),
            "the program is malformed: its mapping does not parse");
}

} // namespace
