// Tests of ops, run on the CPU.

#include "RunProgram.h"

#include <gtest/gtest.h>

namespace gensyn::cpu::testing {

static void expectBits(const std::string &text, Program &program,
                       const std::vector<Tensor> &inputs) {
  SCOPED_TRACE(text);
  std::vector<Tensor> expected = program.interpret(inputs);
  const std::vector<uint64_t> faults = program.faults;
  Schedules baseline;
  baseline.push_back(createBaselineSchedule());
  for (const Target *target : getRunnableTargets())
    for (const Schedules *schedules :
         {static_cast<const Schedules *>(&baseline), &getSchedules()}) {
      if (schedules != &baseline && schedules->size() == 1)
        continue;
      SCOPED_TRACE(std::string(target->name) +
                   (schedules == &baseline ? ", baseline" : ", schedules"));
      CompileOptions options;
      options.target = target;
      options.schedules = schedules;
      std::vector<Tensor> actual = program.run(inputs, options);
      ASSERT_EQ(actual.size(), expected.size());
      EXPECT_EQ(program.faults, faults);
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(firstDifference(expected[i], actual[i]), "")
            << "result " << i;
    }
}

void expectBits(const std::string &text, uint32_t seed) {
  Program program(text);
  if (!::testing::Test::HasFailure())
    expectBits(text, program, program.makeInputs(seed));
}

void expectBits(const std::string &text, const std::vector<Tensor> &inputs) {
  Program program(text);
  if (!::testing::Test::HasFailure())
    expectBits(text, program, inputs);
}

} // namespace gensyn::cpu::testing
