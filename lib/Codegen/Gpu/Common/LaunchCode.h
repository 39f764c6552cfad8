// What the code of one launch is emitted with.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_LAUNCHCODE_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_LAUNCHCODE_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"

namespace gensyn::gpu {

/// The base of classes that emit a launch: its arguments, and arithmetic of
/// type index at the insertion point of `builder`.
class LaunchCode {
public:
  LaunchCode(repro::KernelOp kernel, const Target &target,
             const KernelFunction &function, mlir::OpBuilder &builder)
      : kernel(kernel), target(target), function(function), builder(builder),
        location(kernel.getLoc()), index(builder, location) {}

protected:
  /// The numbers of this thread in its block and of the block, in x, indices.
  mlir::Value threadId();
  mlir::Value blockId();
  /// Runs `body` where the predicate (null: always) holds.
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
