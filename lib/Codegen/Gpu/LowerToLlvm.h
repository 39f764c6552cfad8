// The common part of lowering a gpu.module for any vendor.

#ifndef GENSYN_LIB_CODEGEN_GPU_LOWERTOLLVM_H
#define GENSYN_LIB_CODEGEN_GPU_LOWERTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gensyn::gpu {

/// The vendor's part.
struct VendorLowering {
  /// The namespace of its dialect, whose ops are legal.
  llvm::StringRef dialect;
  /// Adds the mapping of memory spaces.
  void (*configure)(mlir::LLVMTypeConverter &converter);
  /// Adds the patterns of gpu ops. They are tried last.
  void (*populate)(const mlir::LLVMTypeConverter &converter,
                   mlir::RewritePatternSet &patterns);
};

/// Converts a module to ops of llvm and of the vendor's dialect. math.fma and
/// math.sqrt become LLVM's intrinsics, even if the vendor has patterns for
/// them. Fails after an error, also for any other math op.
llvm::LogicalResult lowerToLlvm(mlir::gpu::GPUModuleOp module,
                                const VendorLowering &vendor);

} // namespace gensyn::gpu

#endif
