// The stages; see Stages.h and docs/Architecture.md.

#include "gensyn/Pipelines/Stages.h"

#include "gensyn/Codegen/Cpu/Lower.h"
#include "gensyn/Codegen/Cpu/Passes.h"
#include "gensyn/Codegen/Gpu/Lower.h"
#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Plan/Passes.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Conversion/TrainToRepro/Passes.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Machine/Estimate.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace gensyn {

/// Runs canonicalization, CSE and dead-code elimination. On repro ops only:
/// folds there evaluate through lib/Numerics.
static void addCleanup(OpPassManager &pipeline) {
  pipeline.addPass(createCanonicalizerPass());
  pipeline.addPass(createCSEPass());
}

void buildShapeStage(OpPassManager &pipeline) {
  pipeline.addPass(onnx::createOnnxInferShapesPass());
  pipeline.addPass(repro::createCheckSizesPass());
  pipeline.addPass(onnx::createOnnxSimplifyPass());
}

void buildConversionStage(OpPassManager &pipeline, bool evaluates) {
  onnx::OnnxSimplifyPassOptions simplify;
  simplify.evaluates = evaluates;
  pipeline.addPass(createInlineUnconvertiblePass());
  pipeline.addPass(onnx::createOnnxSimplifyPass(simplify));
  pipeline.addPass(repro::createCheckSizesPass());
  pipeline.addPass(createConvertOnnxToReproPass());
  pipeline.addPass(repro::createCheckSizesPass());
  // Before ops are merged.
  pipeline.addNestedPass<func::FuncOp>(repro::createAssignStreamsPass());
}

void buildOnnxStage(OpPassManager &pipeline, const OnnxStageOptions &options) {
  onnx::OnnxInferShapesPassOptions inference;
  inference.dims.assign(options.dims.begin(), options.dims.end());
  pipeline.addPass(onnx::createOnnxInferShapesPass(inference));
  pipeline.addPass(repro::createCheckSizesPass());
  pipeline.addPass(onnx::createOnnxSimplifyPass());
  buildConversionStage(pipeline);
}

/// True if the recipe defines the training; otherwise the model does. The first
/// pass reports a malformed recipe.
static bool hasLoss(const std::string &recipe) {
  try {
    return !parseRecipe(recipe, "recipe").usesTrainingInfo;
  } catch (const Failure &) {
    return false;
  }
}

void buildStepStage(OpPassManager &pipeline, const TrainStageOptions &options) {
  // Inference keeps the types of the model, and so does its own training_info.
  if (programKindFromName(options.kind) != ProgramKind::Infer &&
      hasLoss(options.recipe))
    pipeline.addPass(train::createTrainWidenParametersPass());
  train::TrainAssignPrecisionPassOptions precision;
  precision.recipe = options.recipe;
  pipeline.addPass(train::createTrainAssignPrecisionPass(precision));
  train::TrainBuildStepPassOptions step;
  step.kind = options.kind;
  step.recipe = options.recipe;
  step.microbatches = options.microbatches;
  pipeline.addPass(train::createTrainBuildStepPass(step));
}

void buildDerivativeStage(OpPassManager &pipeline) {
  pipeline.addNestedPass<func::FuncOp>(createConvertTrainToReproPass());
  pipeline.addPass(train::createTrainCancelShiftsPass());
  pipeline.addPass(train::createTrainDifferentiatePass());
  pipeline.addPass(train::createTrainLowerAccumulatePass());
}

void buildTrainStage(OpPassManager &pipeline,
                     const TrainStageOptions &options) {
  buildStepStage(pipeline, options);
  buildDerivativeStage(pipeline);
}

void buildFreezeStage(OpPassManager &pipeline,
                      const FreezeStageOptions &options) {
  repro::AssignOrdersPassOptions orders;
  orders.accuracy = options.accuracy;
  pipeline.addPass(repro::createCheckSizesPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createAssignStreamsPass());
  addCleanup(pipeline);
  if (options.integerSums) {
    pipeline.addNestedPass<func::FuncOp>(repro::createSumIntegersPass());
    addCleanup(pipeline);
  }
  if (options.accuracy == name(Accuracy::Sliced)) {
    // What is computed of sums of slices would be between a contraction and the
    // transpose of its result.
    pipeline.addNestedPass<func::FuncOp>(repro::createFoldTransposesPass());
    pipeline.addNestedPass<func::FuncOp>(repro::createSliceContractionsPass());
    addCleanup(pipeline);
  }
  pipeline.addNestedPass<func::FuncOp>(repro::createAssignOrdersPass(orders));
  pipeline.addPass(repro::createFreezePass());
}

void buildKernelStage(OpPassManager &pipeline,
                      const KernelStageOptions &options) {
  pipeline.addPass(repro::createVerifyFrozenPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createHoistInvariantsPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createBatchIterationsPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createSumAfterLoopsPass());
  if (options.transposes)
    pipeline.addNestedPass<func::FuncOp>(
        repro::createTransposeInvariantsPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createNarrowOperandsPass());
  // Several of these may build one value.
  pipeline.addNestedPass<func::FuncOp>(createCSEPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createFoldTransposesPass());
  if (options.layouts) {
    pipeline.addNestedPass<func::FuncOp>(repro::createTransposeWindowsPass());
    repro::ChooseLayoutsPassOptions layouts;
    layouts.always = options.alwaysLayouts;
    pipeline.addNestedPass<func::FuncOp>(
        repro::createChooseLayoutsPass(layouts));
  }
  if (options.transposes)
    pipeline.addNestedPass<func::FuncOp>(repro::createTransposeSharedPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createExpandSinglePointsPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createSplitConcatsPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createFormKernelsPass());
  repro::FuseKernelsPassOptions fusion;
  fusion.forms.assign({"nearby"});
  llvm::append_range(fusion.forms, options.forms);
  fusion.contractedBytes = options.contractedBytes;
  fusion.contractedWidth = options.contractedWidth;
  fusion.recomputedFlops = options.recomputedFlops;
  fusion.apart.assign(options.apart.begin(), options.apart.end());
  pipeline.addPass(repro::createFuseKernelsPass(fusion));
  pipeline.addNestedPass<func::FuncOp>(repro::createDelayUpdatesPass());
  pipeline.addNestedPass<func::FuncOp>(repro::createHastenUpdatesPass());
  if (options.cheap) {
    codegen::RematerializePassOptions remat;
    remat.cheap = true;
    pipeline.addNestedPass<func::FuncOp>(
        codegen::createRematerializePass(remat));
  }
}

void buildKernelStage(OpPassManager &pipeline,
                      const machine::Description &machine, bool fuses) {
  KernelStageOptions options;
  if (fuses)
    for (const char *form : kMachineForms)
      options.forms.push_back(form);
  for (const std::string &type : machine::listTypesOfProductsAlone(machine))
    options.apart.push_back(type);
  buildKernelStage(pipeline, options);
}

void buildKernelStage(OpPassManager &pipeline, StringRef device,
                      bool alwaysAll) {
  KernelStageOptions options;
  if (device == "ptx") {
    // What is smaller stays in the cache of most devices.
    options.contractedBytes = kGpuContractedBytes;
    options.contractedWidth = kGpuContractedWidth;
    options.recomputedFlops = kGpuRecomputedFlops;
    for (const char *form : kGpuForms)
      options.forms.push_back(form);
  }
  if (alwaysAll)
    options.contractedBytes = 0;
  if (device == "machine")
    for (const char *form : kMachineForms)
      options.forms.push_back(form);
  if (device == "cpu") {
    options.transposes = true;
    options.layouts = true;
    options.alwaysLayouts = alwaysAll;
    options.cheap = true;
    for (const char *form : kCpuForms)
      options.forms.push_back(form);
  }
  buildKernelStage(pipeline, options);
}

void buildCpuStage(OpPassManager &pipeline, const CpuStageOptions &options) {
  cpu::EmitCpuKernelsPassOptions emission;
  emission.target = options.target;
  pipeline.addPass(cpu::createEmitCpuKernelsPass(emission));
  // An unknown target is that pass's error.
  if (const cpu::Target *target = machine::findCpu(options.target))
    cpu::addLoweringPasses(pipeline, *target);
}

void buildGpuStage(OpPassManager &pipeline, const GpuStageOptions &options) {
  gensyn::gpu::EmitGpuKernelsPassOptions emission;
  emission.sm = options.sm;
  pipeline.addPass(gensyn::gpu::createEmitGpuKernelsPass(emission));
  // As above.
  if (const machine::Gpu *gpu = machine::findGpu(options.sm))
    gensyn::gpu::addLoweringPasses(pipeline, gensyn::gpu::getTarget(*gpu));
}

void buildMachineStage(OpPassManager &pipeline,
                       const MachineStageOptions &options) {
  mapping::addMappingPasses(pipeline, options.machine);
}

void registerAllPipelines() {
  PassPipelineRegistration<OnnxStageOptions>("gensyn-onnx-pipeline",
                                             "onnx to repro", buildOnnxStage);
  PassPipelineRegistration<TrainStageOptions>(
      "gensyn-train-pipeline", "A model to the program of a recipe",
      buildTrainStage);
  PassPipelineRegistration<FreezeStageOptions>(
      "gensyn-freeze-pipeline", "Simplify, assign orders, freeze",
      buildFreezeStage);
  PassPipelineRegistration<KernelStageOptions>(
      "gensyn-kernel-pipeline", "Frozen to kernels",
      [](OpPassManager &pipeline, const KernelStageOptions &options) {
        buildKernelStage(pipeline, options);
      });
  PassPipelineRegistration<CpuStageOptions>(
      "gensyn-cpu-pipeline", "Kernels to the LLVM dialect", buildCpuStage);
  PassPipelineRegistration<MachineStageOptions>(
      "gensyn-machine-pipeline", "Kernels to the tasks of a machine's cores",
      buildMachineStage);
  PassPipelineRegistration<GpuStageOptions>("gensyn-gpu-pipeline",
                                            "Kernels to NVVM", buildGpuStage);
}

} // namespace gensyn
