// Formulas shared by schedules.

#ifndef GENSYN_LIB_DIALECT_TRAIN_SCHEDULES_SCHEDULEFORMULAS_H
#define GENSYN_LIB_DIALECT_TRAIN_SCHEDULES_SCHEDULEFORMULAS_H

#include "../IR/RuleNumbers.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

#include <optional>

namespace gensyn::train {

/// Steps are exact as f64 up to this number.
inline constexpr int64_t kMostSteps = int64_t(1) << 53;

/// An f64 scalar.
mlir::Value buildNumber(mlir::OpBuilder &builder, mlir::Location location,
                        double value);

/// Reads `total_steps` and subtracts the warm-up; std::nullopt after an error.
std::optional<int64_t> readLength(RecipeObject &recipe, int64_t warmup);

/// Emits an error unless `steps` is from 1 to kMostSteps.
llvm::LogicalResult checkSteps(EmitError emitError, llvm::StringRef name,
                               int64_t steps);

/// The completed and remaining steps of a decay of `steps` steps, as f64
/// scalars; both are exact (schedule_r3).
struct Progress {
  mlir::Value done, left;
};
Progress buildProgress(repro::FormulaBuilder &f, mlir::Value step,
                       int64_t steps);

/// (1 - final) share + final, or `share` if `final` is 0 (schedule_r3).
mlir::Value buildFall(repro::FormulaBuilder &f, mlir::Value share,
                      double final);

/// (1 + cos(pi x)) / 2 for x = `done` and 1 - x = `left`, f64 scalars from 0 to
/// 1 (schedule_r4).
mlir::Value buildHalfCosine(repro::FormulaBuilder &f, mlir::Value done,
                            mlir::Value left);

/// `base` to an exponent that is known at run time only, an i64 scalar of at
/// least 0 (schedule_r5).
mlir::Value buildPowerOf(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::Value exponent, double base);

} // namespace gensyn::train

#endif
