// Tests of ops, run on the simulator: the sources are those of ../Cpu.

#include "RunOnSimulator.h"

#include <gtest/gtest.h>

namespace gensyn::cpu::testing {

void expectBitsOnTargets(Program &program, const std::vector<Tensor> &inputs) {
  auto run = [&](int sm, const gpu::Schedules *schedules) {
    SCOPED_TRACE("sm_" + std::to_string(sm) +
                 (schedules ? ", baseline" : ", schedules"));
    gpu::testing::Compiled compiled(program, sm, "", schedules);
    gpu::testing::expectBits(program, compiled, inputs);
  };
  const gpu::Schedules baseline;
  run(90, &baseline);
  // With asynchronous copies to shared memory, and without.
  for (int sm : {75, 80})
    if (isInTurn(program.turn + (sm == 80), 2))
      run(sm, nullptr);
}

} // namespace gensyn::cpu::testing
