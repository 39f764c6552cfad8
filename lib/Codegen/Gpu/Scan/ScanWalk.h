// Scans where a thread walks through a row, or a block of one.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCANWALK_H
#define GENSYN_LIB_CODEGEN_GPU_SCANWALK_H

#include "ScanLayout.h"

namespace gensyn::gpu {

/// The launches of a scan by walks.
KernelPlan planScanWalk(const ScanLayout &layout);

/// Emits launch `launch` of that plan. Fails after an error.
llvm::LogicalResult emitScanWalk(repro::KernelOp kernel,
                                 const ScanLayout &layout, unsigned launch,
                                 const Target &target,
                                 const KernelFunction &function,
                                 mlir::OpBuilder &builder);

} // namespace gensyn::gpu

#endif
