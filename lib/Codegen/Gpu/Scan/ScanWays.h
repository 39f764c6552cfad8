// The ways of scanning.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCANWAYS_H
#define GENSYN_LIB_CODEGEN_GPU_SCANWAYS_H

#include "ScanLayout.h"

namespace gensyn::gpu {

/// The launches of a scan, and the code of each.
struct ScanWay {
  KernelPlan (*plan)(const ScanLayout &layout);
  /// Emits launch `launch` of that plan. Fails after an error.
  llvm::LogicalResult (*emit)(repro::KernelOp kernel, const ScanLayout &layout,
                              unsigned launch, const Target &target,
                              const KernelFunction &function,
                              mlir::OpBuilder &builder);
};

/// A thread walks through a row, or a block of one.
extern const ScanWay scanByWalks;
/// Lanes share a row; prefixes are joined among threads. Without an order only.
extern const ScanWay scanByLanes;

} // namespace gensyn::gpu

#endif
