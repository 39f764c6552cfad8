// Helpers shared by optimizers.

#ifndef GENSYN_LIB_DIALECT_TRAIN_OPTIMIZERS_RULEPARTS_H
#define GENSYN_LIB_DIALECT_TRAIN_OPTIMIZERS_RULEPARTS_H

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

namespace gensyn::train {

/// Reads `betas` of a recipe as two attributes, each at least 0 and below 1.
std::pair<mlir::FloatAttr, mlir::FloatAttr>
readBetas(RecipeObject &recipe, std::pair<double, double> otherwise);

/// A shared state: an f64 scalar.
OptimizerState sharedNumber(mlir::MLIRContext *context, llvm::StringRef name,
                            double fill);

/// fma(decay, parameter, gradient), or the gradient if `decay` is 0.
mlir::Value decayGradient(repro::FormulaBuilder &f, mlir::FloatAttr decay,
                          mlir::Value parameter, mlir::Value gradient);

/// (1 - rate decay) parameter, or the parameter if `decay` is 0.
mlir::Value decayParameter(repro::FormulaBuilder &f, mlir::FloatAttr decay,
                           mlir::Value rate, mlir::Value parameter);

/// beta mean + ((1 - beta) value) value: a running mean square.
mlir::Value meanSquare(repro::FormulaBuilder &f, double beta, mlir::Value mean,
                       mlir::Value value);

/// parameter + (step direction) / divisor, `step` being an f64 scalar.
mlir::Value addQuotient(repro::FormulaBuilder &f, mlir::Value parameter,
                        mlir::Value step, mlir::Value direction,
                        mlir::Value divisor);

} // namespace gensyn::train

#endif
