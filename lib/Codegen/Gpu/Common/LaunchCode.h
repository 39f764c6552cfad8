// The common base of classes that emit the code of a launch.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_LAUNCHCODE_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_LAUNCHCODE_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"

namespace gensyn::gpu {

/// Holds the arguments of a launch, and emits index arithmetic at the insertion
/// point of `builder`.
class LaunchCode {
public:
  LaunchCode(repro::KernelOp kernel, const Target &target,
             const KernelFunction &function, mlir::OpBuilder &builder)
      : kernel(kernel), target(target), function(function), builder(builder),
        location(kernel.getLoc()), index(builder, location) {}

protected:
  /// Return the index of this thread in its block, and of the block, along x.
  mlir::Value threadId();
  mlir::Value blockId();
  /// Runs `body` if the predicate holds (null: always).
  void when(mlir::Value condition, llvm::function_ref<void()> body);

  repro::KernelOp kernel;
  const Target &target;
  const KernelFunction &function;
  mlir::OpBuilder &builder;
  mlir::Location location;
  codegen::IndexBuilder index;
};

} // namespace gensyn::gpu

#endif
