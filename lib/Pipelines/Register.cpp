// Registration of dialects and passes; see Register.h.

#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/Stages.h"

#include "gensyn/Codegen/Cpu/Passes.h"
#include "gensyn/Codegen/Emit/Models.h"
#include "gensyn/Codegen/Emit/Passes.h"
#include "gensyn/Codegen/Gpu/Nvvm/Passes.h"
#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Codegen/Kernel/Passes.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Codegen/Plan/Passes.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Conversion/TrainToRepro/Passes.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void gensyn::registerAllDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              mlir::gpu::GPUDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
              math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
              tensor::TensorDialect, vector::VectorDialect>();
  registry
      .insert<program::GensynDialect, onnx::OnnxDialect, repro::ReproDialect,
              train::TrainDialect, task::TaskDialect>();
  gensyn::gpu::registerTargetDialects(registry);
  emit::registerElementModels(registry);
}

void gensyn::registerAllPasses() {
  registerTransformsPasses();
  registerLinalgPasses();
  onnx::registerOnnxPasses();
  repro::registerReproPasses();
  train::registerTrainPasses();
  registerTrainToReproPasses();
  registerOnnxToReproPasses();
  codegen::registerCodegenKernelPasses();
  emit::registerCodegenEmitPasses();
  cpu::registerCodegenCpuPasses();
  gensyn::gpu::registerCodegenGpuPasses();
  gensyn::gpu::registerCodegenGpuNvvmPasses();
  codegen::registerCodegenPlanPasses();
  mapping::registerCodegenMappingPasses();
  registerAllPipelines();
}

static std::unique_ptr<MLIRContext>
makeContext(const DialectRegistry &registry) {
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Messages name nodes; MLIR would append the op as a note.
  context->printOpOnDiagnostic(false);
  return context;
}

std::unique_ptr<MLIRContext> gensyn::createContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return makeContext(registry);
}

std::unique_ptr<MLIRContext> gensyn::createReferenceContext() {
  DialectRegistry registry;
  registry
      .insert<func::FuncDialect, program::GensynDialect, repro::ReproDialect>();
  return makeContext(registry);
}
