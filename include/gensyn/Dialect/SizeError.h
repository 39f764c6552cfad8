// Sizes that a program may have, and the errors where it has others.
#ifndef GENSYN_DIALECT_SIZEERROR_H
#define GENSYN_DIALECT_SIZEERROR_H

#include "mlir/IR/Diagnostics.h"

namespace gensyn {

/// Points of an iteration space.
inline constexpr int64_t kMostPoints = int64_t{1} << 52;
/// Elements of what the compiler itself writes down: tables of indices and
/// weights.
inline constexpr int64_t kMostTabled = int64_t{1} << 22;

namespace detail {
inline constexpr llvm::StringLiteral kSizeMark = "size";
} // namespace detail

/// Marks an error as one of resources: gensyn-run ends with exit code 6.
inline mlir::InFlightDiagnostic asSizeError(mlir::InFlightDiagnostic error) {
  if (mlir::Diagnostic *diagnostic = error.getUnderlyingDiagnostic())
    diagnostic->getMetadata().emplace_back(llvm::StringRef(detail::kSizeMark));
  return error;
}

inline bool isSizeError(mlir::Diagnostic &diagnostic) {
  return llvm::any_of(
      diagnostic.getMetadata(), [](const mlir::DiagnosticArgument &argument) {
        return argument.getKind() ==
                   mlir::DiagnosticArgument::DiagnosticArgumentKind::String &&
               argument.getAsString() == detail::kSizeMark;
      });
}

} // namespace gensyn

#endif
