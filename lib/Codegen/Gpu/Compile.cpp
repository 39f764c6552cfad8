// The way of a kernel to NVVM: linalg, parallel loops, a flat grid.

#include "gensyn/Codegen/Gpu/Compile.h"

#include "gensyn/Codegen/Emit/Passes.h"
#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace gensyn::gpu {

LaunchShape getLaunchShape(repro::KernelOp kernel) {
  auto type = cast<ShapedType>(kernel.getResult(0).getType());
  int64_t threads = std::max<int64_t>(type.getNumElements(), 1);
  return {static_cast<int64_t>(llvm::divideCeil(threads, kBlockSize)),
          kBlockSize};
}

FailureOr<OwningOpRef<ModuleOp>>
lowerKernels(ArrayRef<repro::KernelOp> kernels) {
  MLIRContext *context = kernels.front()->getContext();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(context), "gpu");
  for (repro::KernelOp kernel : kernels)
    if (failed(convertKernelToLinalg(kernel, *module)))
      return failure();

  PassManager pipeline(context, ModuleOp::getOperationName());
  pipeline.addPass(createConvertLinalgToParallelLoopsPass());
  MapKernelsToGpuPassOptions options;
  options.blockSize = kBlockSize;
  pipeline.addPass(createMapKernelsToGpuPass(options));
  pipeline.addPass(createCanonicalizerPass());
  pipeline.addPass(createCSEPass());
  pipeline.addPass(createLoopInvariantCodeMotionPass());
  pipeline.addPass(emit::createVerifyTargetBitsPass());
  auto &nested = pipeline.nest<mlir::gpu::GPUModuleOp>();
  nested.addPass(createLowerGpuToNvvmPass());
  nested.addPass(createCanonicalizerPass());
  nested.addPass(createCSEPass());
  pipeline.addPass(createReconcileUnrealizedCastsPass());
  pipeline.addPass(emit::createVerifyTargetBitsPass());
  if (failed(pipeline.run(*module)))
    return failure();
  return std::move(module);
}

} // namespace gensyn::gpu
