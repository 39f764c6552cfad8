// Tests of ops, run on the CPU.

#include "RunProgram.h"

#include <gtest/gtest.h>

namespace gensyn::cpu::testing {

void expectBitsOnTargets(Program &program, const std::vector<Tensor> &inputs) {
  std::vector<Tensor> expected = program.interpret(inputs);
  const std::vector<uint64_t> faults = program.faults;
  Schedules baseline;
  baseline.push_back(createBaselineSchedule());
  const struct {
    const char *name;
    const Schedules *schedules;
    bool optimize;
  } modes[] = {{"baseline", &baseline, true},
               {"schedules", nullptr, true},
               {"not optimized", nullptr, false}};
  const std::vector<const Target *> targets = getRunnableTargets();
  for (auto [number, target] : llvm::enumerate(targets))
    for (const auto &mode : modes) {
      // Without vectors they differ little.
      if (!mode.optimize && target != targets.back())
        continue;
      if (mode.schedules && !isInTurn(program.turn + number, targets.size()))
        continue;
      SCOPED_TRACE(std::string(target->name) + ", " + mode.name);
      CompileOptions options;
      options.target = target;
      options.schedules = mode.schedules;
      options.optimize = mode.optimize;
      std::vector<Tensor> actual = program.run(inputs, options);
      ASSERT_EQ(actual.size(), expected.size());
      EXPECT_EQ(program.faults, faults);
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(firstDifference(expected[i], actual[i]), "")
            << "result " << i;
    }
}

} // namespace gensyn::cpu::testing
