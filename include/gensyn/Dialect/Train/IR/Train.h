// The train dialect: losses, gradients, updates, and their rules.

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAIN_H
#define GENSYN_DIALECT_TRAIN_IR_TRAIN_H

#include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gensyn::repro {
class FormulaBuilder;
} // namespace gensyn::repro

namespace gensyn::train {

class RecipeObject;

/// A tensor that an optimizer keeps across steps.
struct OptimizerState {
  /// "velocity"; its name in a program is `<parameter>.velocity`.
  llvm::StringRef name;
  mlir::RankedTensorType type;
  /// The value of every element before the first step.
  double fill = 0.0;
};

/// The inputs of a parameter's step.
struct UpdateInputs {
  mlir::Value parameter, gradient;
  /// The step size, an f64 scalar.
  mlir::Value rate;
  /// The parameter's own states and the shared ones, before the step.
  mlir::ValueRange states, shared;
};

/// Forms in which a parameter may be stored without changing the effect of a
/// rule's step on its elements, up to rounding. Each includes those before it.
enum class StorageFreedom {
  /// Unchanged only.
  None,
  /// A matrix transposed.
  Transposition,
  /// With its elements in another order or shape: steps depend on norms of it.
  Permutation,
  /// Joined with other parameters too: the step of an element does not depend
  /// on other elements.
  Joining
};

/// Parses a plain number as an f64 attribute.
llvm::FailureOr<mlir::FloatAttr> parseNumber(mlir::AsmParser &parser);

} // namespace gensyn::train

#include "gensyn/Dialect/Train/IR/TrainAttrInterfaces.h.inc"
#include "gensyn/Dialect/Train/IR/TrainDialect.h.inc"
#include "gensyn/Dialect/Train/IR/TrainEnums.h.inc"
#include "gensyn/Dialect/Train/IR/TrainOpInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Train/IR/TrainAttributes.h.inc"
#define GET_OP_CLASSES
#include "gensyn/Dialect/Train/IR/TrainOps.h.inc"

#endif
