// The implementations of scans.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCANWAYS_H
#define GENSYN_LIB_CODEGEN_GPU_SCANWAYS_H

#include "ScanLayout.h"

namespace gensyn::gpu {

/// Plans the launches of a scan, and emits their code.
struct ScanWay {
  KernelPlan (*plan)(const ScanLayout &layout);
  /// Emits launch `launch` of that plan. Fails after an error.
  llvm::LogicalResult (*emit)(repro::KernelOp kernel, const ScanLayout &layout,
                              unsigned launch, const Target &target,
                              const KernelFunction &function,
                              mlir::OpBuilder &builder);
};

/// A thread scans a row, or a block of one, element by element.
extern const ScanWay scanByWalks;
/// Lanes share a row, and prefixes are combined among threads; for scans
/// without an order only.
extern const ScanWay scanByLanes;

} // namespace gensyn::gpu

#endif
