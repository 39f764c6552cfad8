// Scans without an order, whose prefixes are joined among threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCANLANES_H
#define GENSYN_LIB_CODEGEN_GPU_SCANLANES_H

#include "ScanLayout.h"

namespace gensyn::gpu {

/// The launches of a scan by lanes.
KernelPlan planScanLanes(const ScanLayout &layout);

/// Emits launch `launch` of that plan. Fails after an error.
llvm::LogicalResult emitScanLanes(repro::KernelOp kernel,
                                  const ScanLayout &layout, unsigned launch,
                                  const Target &target,
                                  const KernelFunction &function,
                                  mlir::OpBuilder &builder);

} // namespace gensyn::gpu

#endif
