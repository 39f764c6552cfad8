// Checks of the optimizers' hyper-parameters.

#ifndef GENSYN_LIB_DIALECT_TRAIN_IR_RULENUMBERS_H
#define GENSYN_LIB_DIALECT_TRAIN_IR_RULENUMBERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

#include <cmath>

namespace gensyn::train {

using NamedNumber = std::pair<llvm::StringRef, mlir::FloatAttr>;
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

inline double number(mlir::FloatAttr attribute) {
  return attribute.getValueAsDouble();
}

inline bool isZero(mlir::FloatAttr attribute) {
  return number(attribute) == 0.0;
}

/// Emits an error unless every number is finite.
inline llvm::LogicalResult checkFinite(EmitError emitError,
                                       llvm::ArrayRef<NamedNumber> numbers) {
  for (auto [name, value] : numbers)
    if (!std::isfinite(number(value)))
      return emitError() << name << " " << value << " is not finite";
  return llvm::success();
}

/// Emits an error unless every number is finite and at least 0.
inline llvm::LogicalResult
checkNotNegative(EmitError emitError, llvm::ArrayRef<NamedNumber> numbers) {
  for (auto [name, value] : numbers)
    if (!std::isfinite(number(value)) || number(value) < 0.0)
      return emitError() << name << " " << number(value) << " is below 0";
  return llvm::success();
}

/// Emits an error unless every number is at least 0 and below 1.
inline llvm::LogicalResult checkBelowOne(EmitError emitError,
                                         llvm::ArrayRef<NamedNumber> numbers) {
  for (auto [name, value] : numbers)
    if (!(number(value) >= 0.0 && number(value) < 1.0))
      return emitError() << name << " " << number(value)
                         << " is not at least 0 and below 1";
  return llvm::success();
}

} // namespace gensyn::train

#endif
