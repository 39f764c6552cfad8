// gpu.module to llvm and nvvm in one conversion, without libdevice.

#include "../LowerToLlvm.h"
#include "gensyn/Codegen/Gpu/Nvvm/Passes.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace gensyn::gpu {
#define GEN_PASS_DEF_LOWERGPUTONVVMPASS
#include "gensyn/Codegen/Gpu/Nvvm/Passes.h.inc"

namespace {
struct LowerToNvvm final : impl::LowerGpuToNvvmPassBase<LowerToNvvm> {
  using LowerGpuToNvvmPassBase::LowerGpuToNvvmPassBase;

  void runOnOperation() override {
    const VendorLowering nvvm = {
        NVVM::NVVMDialect::getDialectNamespace(),
        [](LLVMTypeConverter &converter) {
          configureGpuToNVVMTypeConverter(converter);
        },
        [](const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
          populateGpuToNVVMConversionPatterns(converter, patterns);
        }};
    if (failed(lowerToLlvm(getOperation(), nvvm)))
      signalPassFailure();
  }
};
} // namespace
} // namespace gensyn::gpu
