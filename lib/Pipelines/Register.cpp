// Registration of dialects and passes; see Register.h.

#include "gensyn/Pipelines/Register.h"

#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Conversion/TrainToRepro/Passes.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void gensyn::registerAllDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              gpu::GPUDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
              math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  registry
      .insert<onnx::OnnxDialect, repro::ReproDialect, train::TrainDialect>();
}

void gensyn::registerAllPasses() {
  registerTransformsPasses();
  onnx::registerOnnxPasses();
  repro::registerReproPasses();
  train::registerTrainPasses();
  registerTrainToReproPasses();
  registerOnnxToReproPasses();
}
