// Registration of dialects and passes; see Register.h.

#include "gensyn/Pipelines/Register.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void gensyn::registerAllDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, linalg::LinalgDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, tensor::TensorDialect,
                  vector::VectorDialect>();
  registry.insert<repro::ReproDialect>();
}

void gensyn::registerAllPasses() {
  registerTransformsPasses();
  repro::registerReproPasses();
}
