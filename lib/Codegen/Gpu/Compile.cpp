// The way of kernels to NVVM: linalg, parallel loops, a flat grid.

#include "gensyn/Codegen/Gpu/Compile.h"

#include "gensyn/Codegen/Emit/Passes.h"
#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace gensyn::gpu {

static void buildPipeline(PassManager &pipeline) {
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
  // Again: lowering may have brought what the first look could not see.
  pipeline.addPass(emit::createVerifyTargetBitsPass());
}

FailureOr<OwningOpRef<ModuleOp>> lowerKernels(ArrayRef<repro::KernelOp> kernels,
                                              ArrayRef<std::string> names) {
  MLIRContext *context = kernels.front()->getContext();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(context), "gpu");
  for (auto [kernel, name] : llvm::zip_equal(kernels, names)) {
    auto function = convertKernelToLinalg(kernel, *module);
    if (failed(function))
      return failure();
    function->setName(name);
  }
  PassManager pipeline(context, ModuleOp::getOperationName());
  buildPipeline(pipeline);
  if (failed(pipeline.run(*module)))
    return failure();
  return std::move(module);
}

FailureOr<OwningOpRef<ModuleOp>> compile(func::FuncOp function,
                                         plan::Plan &plan) {
  SmallVector<repro::KernelOp> kernels;
  std::vector<std::string> names;
  llvm::StringMap<std::string> nameOfText;
  auto launchesOf =
      [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
    std::string text = codegen::printKernel(kernel);
    auto [entry, isNew] = nameOfText.try_emplace(text);
    if (isNew) {
      entry->second = codegen::nameKernel(kernel, text);
      kernels.push_back(kernel);
      names.push_back(entry->second);
    }
    int64_t threads = 1;
    for (int64_t extent : getParallelExtents(kernel))
      threads *= extent;
    threads = std::max<int64_t>(threads, 1);
    codegen::KernelLaunches launches;
    plan::Launch &launch = launches.launches.emplace_back();
    launch.set_kernel(entry->second);
    launch.add_grid(llvm::divideCeil(threads, kBlockSize));
    launch.add_block(kBlockSize);
    return launches;
  };
  if (failed(codegen::buildPlan(function, launchesOf, plan)))
    return failure();
  if (kernels.empty()) {
    OwningOpRef<ModuleOp> module =
        ModuleOp::create(UnknownLoc::get(function.getContext()), "gpu");
    OpBuilder builder(module->getBodyRegion());
    mlir::gpu::GPUModuleOp::create(builder, module->getLoc(), "kernels");
    return std::move(module);
  }
  return lowerKernels(kernels, names);
}

} // namespace gensyn::gpu
