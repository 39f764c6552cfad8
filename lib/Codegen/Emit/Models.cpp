// Attaches the models when the dialect is loaded.

#include "gensyn/Codegen/Emit/Models.h"

#include "Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

void gensyn::emit::registerElementModels(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, math::MathDialect, memref::MemRefDialect,
              repro::ReproDialect, scf::SCFDialect, vector::VectorDialect>();
  registry.addExtension(+[](MLIRContext *context, repro::ReproDialect *) {
    attachElementwiseModels(context);
    attachIndexingModels(context);
    attachMovementModels(context);
    attachRandomModels(context);
    attachReductionModels(context);
    attachScanModels(context);
    attachScatterModels(context);
    attachSortModels(context);
  });
}
