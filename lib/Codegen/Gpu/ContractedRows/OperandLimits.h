// A launch that shows that operands of contractions are numbers of limited
// size, for MaskedElements.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_OPERANDLIMITS_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_OPERANDLIMITS_H

#include "../Common/KernelBuilder.h"
#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

struct OperandLimits {
  static constexpr int64_t kBlocks = 256, kThreads = 256;
  /// Bytes of shared memory that `allOf` needs.
  static constexpr int64_t kSharedBytes = 4 * kThreads / 32;
  /// Each block writes a word, which is not 0 if its elements are in the
  /// limits.
  static constexpr int64_t kWorkspaceBytes = 4 * kBlocks;

  /// Emits the launch for arguments of the kernel, tensors of f32.
  static void emit(KernelBuilder &k,
                   llvm::ArrayRef<mlir::BlockArgument> operands,
                   const KernelFunction &function, mlir::Value words);
  /// Emits, in blocks of `threads`, the condition that all words say so.
  static mlir::Value load(KernelBuilder &k, mlir::Value words,
                          mlir::Value thread, int64_t threads,
                          mlir::Value shared);
};

/// True if an f32 is a number with least <= |value| <= most, or an infinity if
/// `most` is.
mlir::Value hasMagnitude(KernelBuilder &k, mlir::Value value, float least,
                         float most);

/// True in all threads of a block if `condition` holds in all of them. `shared`
/// has a word for each warp, which nothing else uses. All threads must reach
/// it.
mlir::Value allOf(KernelBuilder &k, mlir::Value condition, mlir::Value thread,
                  int64_t threads, mlir::Value shared);

} // namespace gensyn::gpu

#endif
