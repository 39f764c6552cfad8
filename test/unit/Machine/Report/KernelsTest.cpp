// Kernels of a run, and the text about them.

#include "../Simulator/MappingBuilder.h"

#include "gensyn/Machine/Report.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// Three launches on two cores: the first and the third are one kernel.
struct Three : Mapped {
  Three() : Mapped(2, {4096}) {
    for (const char *name : {"second", "third"})
      plan.add_launches()->set_kernel(name);
    segment().add_launches(1);
    segment().add_launches(2);
    const uint32_t small = body(100, {64, 64}, 1), large = body(1000, {}, 0);
    load(0, buffer(0), 0, 64);
    compute(0, small, {local(0), local(64)}).after(0);
    compute(0, large, {}).task->set_launch(1);
    compute(1, small, {local(0), local(64)}).task->set_launch(2);
    store(1, 0, buffer(0), 64).task->set_launch(2);
  }
};

TEST(KernelReport, LaunchesWithTheSamePiecesAreOneKernel) {
  const Three mapped;
  const machine::MappedProgram program(mapped.plan, mapped.mapping,
                                       mapped.machine);
  const machine::RunReport report =
      machine::makeReport(program, machine::simulateRun(program));
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_EQ(report.kernels[0].kernel, "second");
  EXPECT_EQ(report.kernels[0].sums.path.work, 1'002'000);
  EXPECT_EQ(report.kernels[1].kernel, "contract_0");
  EXPECT_EQ(report.kernels[1].launches, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(report.kernels[1].sums.runs, 2u);
  EXPECT_EQ(report.kernels[1].sums.compute, 2 * 107'000);
  EXPECT_EQ(report.path.total(), report.time);
  EXPECT_EQ(report.computing, machine::Wide(1'007'000 + 2 * 107'000));
  EXPECT_EQ(report.cores, 2u);
  EXPECT_EQ(report.energy.total(), report.totalEnergy.value);
}

TEST(KernelReport, Text) {
  const Three mapped;
  const machine::MappedProgram program(mapped.plan, mapped.mapping,
                                       mapped.machine);
  const std::string text = machine::printReport(
      machine::makeReport(program, machine::simulateRun(program)));
  EXPECT_NE(text.find("contract_0 and 1 more"), std::string::npos) << text;
  EXPECT_NE(text.find("second takes "), std::string::npos) << text;
  EXPECT_NE(text.find("its cores compute. It has tasks on 1 of 2 cores."),
            std::string::npos)
      << text;
}

TEST(KernelReport, BoundIsTheLargestPart) {
  machine::PathTime path;
  path.engine = 3;
  path.links = 4;
  path.signals = 2;
  EXPECT_STREQ(machine::boundOf(path).name, "links");
}

TEST(KernelReport, AssumptionsAreThoseOfTheSteps) {
  plan::Plan plan;
  EXPECT_TRUE(machine::listAssumptions(plan, false).empty());
  plan::Step::Loop &loop = *plan.add_steps()->mutable_loop();
  loop.add_body()->mutable_copy();
  EXPECT_EQ(machine::listAssumptions(plan, false).size(), 1u);
  loop.set_condition(0);
  loop.add_body()->mutable_branch();
  EXPECT_EQ(machine::listAssumptions(plan, false).size(), 3u);
  EXPECT_EQ(machine::listAssumptions(plan, true).size(), 1u);
}

} // namespace
