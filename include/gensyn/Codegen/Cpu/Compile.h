// Compiles a function of kernels to a launch plan and a shared object.

#ifndef GENSYN_CODEGEN_CPU_COMPILE_H
#define GENSYN_CODEGEN_CPU_COMPILE_H

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Pass/PassManager.h"

#include <functional>

namespace gensyn::cpu {

struct CompileOptions {
  const Target *target = nullptr;
  /// Cache folder, where `kernels` has compiled kernels; empty: no cache.
  std::string cacheFolder;
  /// Number of threads that compile; 0: one per processor.
  unsigned threads = 0;
  /// Receives warnings for the user, e.g. that the cache is not used; may be
  /// empty.
  std::function<void(const std::string &)> warn;
  /// Called with each pipeline before it runs, on several threads; may be
  /// empty.
  std::function<void(mlir::PassManager &)> watch;
  codegen::PlanOptions plan;
  /// False: every kernel by the baseline, without optimizations of the code
  /// generator (-O0), for code that is compiled more often than it is run. Bits
  /// are the same.
  bool optimize = true;
  /// Schedules that replace the registered ones, without the cache; for tests.
  const Schedules *schedules = nullptr;
};

/// Fills buffers, launches and constants of `plan` for a function of kernels
/// (repro-form-kernels), and returns the shared object with its kernels: an ELF
/// file without undefined symbols, whose functions have the runtime's ABI. For
/// a bare target it is a relocatable object, which a program is linked with.
/// Identical kernels are compiled once. Fails after an error on the kernel's
/// op.
llvm::FailureOr<std::string> compile(mlir::func::FuncOp function,
                                     const CompileOptions &options,
                                     plan::Plan &plan);

/// Returns the launches that compile plans for a kernel, without names of
/// functions.
codegen::KernelLaunches describeLaunches(repro::KernelOp kernel,
                                         const Target &target);

/// Emits the functions of a kernel, by its schedule for `target`, at the end of
/// `module`, and returns their names. This is the first step of compile; for
/// tests.
llvm::FailureOr<llvm::SmallVector<std::string>>
emitFunctions(repro::KernelOp kernel, llvm::StringRef name,
              const Target &target, const Schedules &schedules,
              mlir::ModuleOp module);

} // namespace gensyn::cpu

#endif
