// Compiles a function of repro ops for a GPU and runs its PTX on the simulator,
// with races and unwritten shared memory reported.

#ifndef GENSYN_TEST_UNIT_CODEGEN_GPU_RUNONSIMULATOR_H
#define GENSYN_TEST_UNIT_CODEGEN_GPU_RUNONSIMULATOR_H

#include "RunProgram.h"
#include "gensyn/Codegen/Gpu/Compile.h"

namespace gensyn::gpu::testing {

using cpu::testing::firstDifference;
using cpu::testing::Program;

/// Every GPU generation that programs are compiled for.
std::vector<int> allTargets();

/// A function of repro ops, compiled for one target.
struct Compiled {
  /// Kernels are formed, get `schedule` as their attribute (text; empty: none)
  /// and are compiled by `schedules` (null: all there are). Fails the test, and
  /// leaves `ptx` empty, on an error.
  Compiled(Program &program, int sm, const std::string &schedule = "",
           const Schedules *schedules = nullptr);

  /// The results for the inputs; `faults` are the positions of the faults (g7),
  /// ascending. Empty, and a failure, where the simulator finds a fault.
  std::vector<Tensor> run(const std::vector<Tensor> &inputs);

  std::string ptx;
  plan::Plan plan;
  std::vector<uint64_t> faults;
  /// Names of the schedules that took the kernels, "" for the baseline.
  std::vector<std::string> takenBy;

private:
  mlir::SmallVector<mlir::Type> results;
};

/// Expects the reference's bits and faults of the inputs.
void expectBits(Program &program, Compiled &compiled,
                const std::vector<Tensor> &inputs);

} // namespace gensyn::gpu::testing

#endif
