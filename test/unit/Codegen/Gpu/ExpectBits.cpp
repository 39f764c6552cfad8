// Tests of ops, run on the simulator: the sources are those of ../Cpu.

#include "RunOnSimulator.h"

#include <gtest/gtest.h>

namespace gensyn::cpu::testing {

static void expectBits(const std::string &text, Program &program,
                       const std::vector<Tensor> &inputs) {
  SCOPED_TRACE(text);
  const std::vector<Tensor> expected = program.interpret(inputs);
  const std::vector<uint64_t> faults = program.faults;
  auto run = [&](int sm, const gpu::Schedules *schedules) {
    SCOPED_TRACE("sm_" + std::to_string(sm) +
                 (schedules ? ", baseline" : ", schedules"));
    gpu::testing::Compiled compiled(program, sm, "", schedules);
    const std::vector<Tensor> actual = compiled.run(inputs);
    ASSERT_EQ(actual.size(), expected.size());
    EXPECT_EQ(compiled.faults, faults);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(firstDifference(expected[i], actual[i]), "") << "result " << i;
  };
  const gpu::Schedules baseline;
  run(90, &baseline);
  for (int sm : {75, 80})
    run(sm, nullptr);
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
