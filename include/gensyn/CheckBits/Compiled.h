// A frozen function compiled for one target, and run here.

#ifndef GENSYN_CHECKBITS_COMPILED_H
#define GENSYN_CHECKBITS_COMPILED_H

#include "gensyn/CheckBits/Difference.h"
#include "gensyn/CheckBits/EmulatedCode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace gensyn::checkbits {

class Compiled {
public:
  /// Compiles a copy of the function's module, which is frozen, for `target`:
  /// "cpu:x86-64", "cpu:aarch64", "ptx:sm_80", ... Runs all stages from kernel
  /// formation on, without any cache. Kernels for a CPU run in this process, or
  /// by `emulator`, the command of an EmulatedCode. PTX runs on the simulator;
  /// that for "cuda:sm_80", which is the same, on GPU 0 (see CudaRun). A
  /// "machine:spinnaker2-chip" is simulated with values; tasks that the module
  /// has are those that are simulated. Without `optimize` code for CPUs, also
  /// of a machine's pieces, takes less time to compile and more to run
  /// (cpu::CompileOptions).
  static llvm::Expected<Compiled>
  compile(mlir::func::FuncOp function, llvm::StringRef target,
          llvm::ArrayRef<std::string> emulator = {}, bool optimize = true);

  /// Runs on `inputs` and returns the results; stores the fault slots in
  /// `positions`.
  llvm::Expected<std::vector<Tensor>>
  run(llvm::ArrayRef<Tensor> inputs, int64_t pieces = 1,
      std::vector<uint64_t> *positions = nullptr) const;

  /// The schedule of each GPU kernel, "baseline" for kernels without one; empty
  /// for CPUs.
  llvm::ArrayRef<std::string> getSchedules() const { return schedules; }

  /// On a machine, names the task that stored the differing element, or says
  /// that none did: "segment 0, core 2, task 9 (kernel k1_contract) stored it".
  /// Else empty.
  std::string describeWriter(const Difference &difference) const;

  /// On a machine, names the tasks whose fault words count an element; else
  /// empty: "segment 0, core 1, task 2 (kernel k0_gather) counted element 8".
  std::string describeCounters(uint32_t slot, uint64_t element) const;

  /// The text of all kernels for a GPU; empty for CPUs.
  const std::string &getPtx() const { return text; }

private:
  plan::Plan plan;
  std::optional<runtime::SharedObject> native;
  std::optional<EmulatedCode> emulated;
  std::optional<ptx::Module> ptx;
  std::unique_ptr<cuda::CudaRun> onGpu;
  std::unique_ptr<plan::Executable> mapped;
  std::unique_ptr<runtime::MachineRun> onMachine;
  std::string text;
  std::vector<std::string> schedules;
  llvm::SmallVector<std::pair<ElementType, std::vector<int64_t>>> results;
};

/// "cpu:x86-64" and the other instruction sets that this processor supports,
/// narrowest first. Of those that multiply bytes, the best one.
std::vector<std::string> getCpuTargets();

} // namespace gensyn::checkbits

#endif
