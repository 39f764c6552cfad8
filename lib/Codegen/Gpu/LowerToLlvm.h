// The part of lowering a gpu.module that all vendors have in common.

#ifndef GENSYN_LIB_CODEGEN_GPU_LOWERTOLLVM_H
#define GENSYN_LIB_CODEGEN_GPU_LOWERTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gensyn::gpu {

/// What a vendor adds.
struct VendorLowering {
  /// The namespace of its dialect, whose ops stay.
  llvm::StringRef dialect;
  /// Adds its memory spaces.
  void (*configure)(mlir::LLVMTypeConverter &converter);
  /// Adds the patterns of gpu ops. They are tried last.
  void (*populate)(const mlir::LLVMTypeConverter &converter,
                   mlir::RewritePatternSet &patterns);
};

/// Converts to llvm ops and the vendor's in one step. math.fma and math.sqrt
/// become LLVM's intrinsics, whatever the vendor's patterns would make of them.
/// Fails after an error, also for any other math op.
llvm::LogicalResult lowerToLlvm(mlir::gpu::GPUModuleOp module,
                                const VendorLowering &vendor);

} // namespace gensyn::gpu

#endif
