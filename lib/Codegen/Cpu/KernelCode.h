// The steps from a kernel to machine code, each of which can be inspected.

#ifndef GENSYN_LIB_CODEGEN_CPU_KERNELCODE_H
#define GENSYN_LIB_CODEGEN_CPU_KERNELCODE_H

#include "gensyn/Codegen/Cpu/Lower.h"
#include "gensyn/Codegen/Cpu/Schedule.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>

namespace gensyn::cpu {

/// Marks arguments of kernel functions that may alias another one of them; see
/// InPlace.h.
inline constexpr llvm::StringLiteral kInPlaceAttr = "gensyn.in_place";

/// Emits the functions of all launches of the kernel at the end of `module`;
/// see KernelFunction for their arguments. Fails after an error.
llvm::LogicalResult emitKernelFunctions(repro::KernelOp kernel,
                                        llvm::StringRef name,
                                        const ScheduleChoice &choice,
                                        const Target &target,
                                        mlir::ModuleOp module);

/// Lowers modules of kernel functions to the LLVM dialect, one after another:
/// to prepare the passes takes as long as to lower a small kernel.
class KernelLowering {
public:
  /// `watch`, unless it is empty, is called with the pipeline.
  KernelLowering(mlir::MLIRContext *context, const Target &target,
                 const std::function<void(mlir::PassManager &)> &watch);

  /// Each function named in `entries` gets the ABI of the runtime: (buffers,
  /// scratch, begin, end).
  llvm::LogicalResult run(mlir::ModuleOp module,
                          llvm::ArrayRef<std::string> entries);

private:
  mlir::PassManager passes;
};

} // namespace gensyn::cpu

#endif
