// The families of models; each attaches its own.

#ifndef GENSYN_LIB_CODEGEN_EMIT_MODELS_H
#define GENSYN_LIB_CODEGEN_EMIT_MODELS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

void attachElementwiseModels(mlir::MLIRContext *context);
void attachIndexingModels(mlir::MLIRContext *context);
void attachMovementModels(mlir::MLIRContext *context);
void attachRandomModels(mlir::MLIRContext *context);
void attachReductionModels(mlir::MLIRContext *context);
void attachScanModels(mlir::MLIRContext *context);
void attachScatterModels(mlir::MLIRContext *context);
void attachSortModels(mlir::MLIRContext *context);

} // namespace gensyn::emit

#endif
