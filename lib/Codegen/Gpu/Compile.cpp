// Compiles kernels for a target: by their schedules, or through linalg and
// parallel loops to a one-dimensional grid.

#include "gensyn/Codegen/Gpu/Compile.h"

#include "EmitKernel.h"
#include "gensyn/Codegen/Emit/Passes.h"
#include "gensyn/Codegen/Gpu/Lower.h"
#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Codegen/Schedule/Launches.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace gensyn::gpu {

void addLoweringPasses(OpPassManager &pipeline, const Target &target) {
  pipeline.addPass(createConvertLinalgToParallelLoopsPass());
  MapKernelsToGpuPassOptions options;
  options.blockSize = kBlockSize;
  pipeline.addPass(createMapKernelsToGpuPass(options));
  pipeline.addPass(createCanonicalizerPass());
  pipeline.addPass(createCSEPass());
  pipeline.addPass(createLoopInvariantCodeMotionPass());
  pipeline.addPass(emit::createVerifyTargetBitsPass());
  auto &nested = pipeline.nest<mlir::gpu::GPUModuleOp>();
  target.addLoweringPasses(nested);
  nested.addPass(createCanonicalizerPass());
  nested.addPass(createCSEPass());
  pipeline.addPass(createReconcileUnrealizedCastsPass());
  // Verified again, since lowering may introduce other ops.
  pipeline.addPass(emit::createVerifyTargetBitsPass());
}

namespace {
/// A kernel with its own entries, and its schedule.
struct Entries {
  repro::KernelOp kernel;
  std::string name;
  ScheduleChoice choice;
};
} // namespace

/// Lowers each kernel in its own module, so that the context's threads lower
/// kernels in parallel.
static FailureOr<OwningOpRef<ModuleOp>>
lowerKernels(ArrayRef<Entries> kernels, const Target &target,
             MLIRContext *context,
             const std::function<void(PassManager &)> &watch) {
  Location location = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(location, "gpu");
  OpBuilder builder(module->getBodyRegion());
  for (const Entries &made : kernels) {
    auto part = ModuleOp::create(builder, location);
    OpBuilder inner(part.getBodyRegion());
    auto entries = mlir::gpu::GPUModuleOp::create(inner, location, "kernels");
    if (failed(emitKernel(made.kernel, made.name, made.choice, target, part,
                          entries)))
      return failure();
  }
  PassManager pipeline(context, ModuleOp::getOperationName());
  addLoweringPasses(pipeline.nest<ModuleOp>(), target);
  if (watch)
    watch(pipeline);
  if (failed(pipeline.run(*module)))
    return failure();
  return std::move(module);
}

static codegen::KernelLaunches toLaunches(StringRef kernel,
                                          const ScheduleChoice &choice,
                                          const Target &target) {
  return codegen::toLaunches<GpuMachine>(
      kernel, choice, [&](const LaunchPlan &made) {
        plan::Launch launch;
        for (int64_t extent : made.grid)
          launch.add_grid(static_cast<uint32_t>(extent));
        for (int64_t extent : made.block)
          launch.add_block(static_cast<uint32_t>(extent));
        if (made.sharedBytes > target.staticSharedBytes)
          launch.set_shared_bytes(static_cast<uint32_t>(made.sharedBytes));
        return launch;
      });
}

codegen::KernelLaunches describeLaunches(repro::KernelOp kernel,
                                         const Target &target) {
  return toLaunches("", chooseSchedule(getSchedules(), kernel, target), target);
}

FailureOr<OwningOpRef<ModuleOp>>
compile(func::FuncOp function, const Target &target, plan::Plan &plan,
        const Schedules *schedules,
        const std::function<void(PassManager &)> &watch,
        const codegen::PlanOptions &options) {
  SmallVector<Entries> kernels;
  llvm::StringMap<size_t> numberOfText;
  auto launchesOf =
      [&](repro::KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
    std::string text = codegen::printKernel(kernel);
    auto [entry, isNew] = numberOfText.try_emplace(text, kernels.size());
    if (isNew)
      kernels.push_back({kernel, codegen::nameKernel(kernel, text),
                         chooseSchedule(schedules ? *schedules : getSchedules(),
                                        kernel, target)});
    const Entries &made = kernels[entry->second];
    return toLaunches(made.name, made.choice, target);
  };
  if (failed(codegen::buildPlan(function, launchesOf, plan, options)))
    return failure();
  return lowerKernels(kernels, target, function.getContext(), watch);
}

} // namespace gensyn::gpu
