// Helpers shared by optimizers.

#ifndef GENSYN_LIB_DIALECT_TRAIN_OPTIMIZERS_RULEPARTS_H
#define GENSYN_LIB_DIALECT_TRAIN_OPTIMIZERS_RULEPARTS_H

#include "../IR/RuleNumbers.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

namespace gensyn::train {

/// Reads `betas` of a recipe as two attributes, each at least 0 and below 1.
std::pair<mlir::FloatAttr, mlir::FloatAttr>
readBetas(RecipeObject &recipe, std::pair<double, double> otherwise);

/// The hyper-parameters that Adam and its variants share.
struct AdamNumbers {
  mlir::FloatAttr beta1, beta2, eps, weightDecay;

  /// Reads them from a recipe, with PyTorch's names and these defaults.
  static AdamNumbers read(RecipeObject &recipe, double eps, double weightDecay);
  llvm::LogicalResult verify(EmitError emitError) const;
};

/// The states that Adam and its variants keep for a parameter: the running mean
/// and the running mean square of its gradient.
llvm::SmallVector<OptimizerState> getMomentStates(mlir::RankedTensorType type);

/// Both states after a step.
struct Moments {
  Moments(repro::FormulaBuilder &f, mlir::FloatAttr beta1,
          mlir::FloatAttr beta2, const UpdateInputs &in);
  mlir::Value mean, square;
};

/// Shared states: the powers of the betas for the bias correction, both 1
/// before the first step.
llvm::SmallVector<OptimizerState> getBetaPowers(mlir::MLIRContext *context);

/// The powers of the next step.
llvm::SmallVector<mlir::Value> advanceBetaPowers(repro::FormulaBuilder &f,
                                                 mlir::FloatAttr beta1,
                                                 mlir::FloatAttr beta2,
                                                 mlir::ValueRange powers);

/// A shared state: an f64 scalar.
OptimizerState sharedNumber(mlir::MLIRContext *context, llvm::StringRef name,
                            double fill);

/// fma(decay, parameter, gradient), or the gradient if `decay` is 0.
mlir::Value decayGradient(repro::FormulaBuilder &f, mlir::FloatAttr decay,
                          mlir::Value parameter, mlir::Value gradient);

/// (1 - rate decay) parameter, or the parameter if `decay` is 0.
mlir::Value decayParameter(repro::FormulaBuilder &f, mlir::FloatAttr decay,
                           mlir::Value rate, mlir::Value parameter);

/// The inputs after weight decay: that of the parameter where it is decoupled,
/// else that of the gradient.
UpdateInputs decayed(repro::FormulaBuilder &f, mlir::FloatAttr decay,
                     bool isDecoupled, const UpdateInputs &in);

/// beta mean + ((1 - beta) value) value: a running mean square.
mlir::Value meanSquare(repro::FormulaBuilder &f, double beta, mlir::Value mean,
                       mlir::Value value);

/// parameter + (step direction) / divisor, `step` being an f64 scalar.
mlir::Value addQuotient(repro::FormulaBuilder &f, mlir::Value parameter,
                        mlir::Value step, mlir::Value direction,
                        mlir::Value divisor);

} // namespace gensyn::train

#endif
