// Tests of ops, run on the CPU.

#include "RunProgram.h"

#include <gtest/gtest.h>

namespace gensyn::cpu::testing {

void expectBitsOnTargets(Program &program, const std::vector<Tensor> &inputs) {
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

} // namespace gensyn::cpu::testing
