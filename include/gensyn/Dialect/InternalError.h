// Errors that no input should lead to: what the compiler made is inconsistent.
#ifndef GENSYN_DIALECT_INTERNALERROR_H
#define GENSYN_DIALECT_INTERNALERROR_H

#include "mlir/IR/Diagnostics.h"

namespace gensyn {

namespace detail {
inline constexpr llvm::StringLiteral kInternalMark = "internal";
} // namespace detail

/// Marks an error as one of the compiler: gensyn-run ends with exit code 70.
inline mlir::InFlightDiagnostic
asInternalError(mlir::InFlightDiagnostic error) {
  if (mlir::Diagnostic *diagnostic = error.getUnderlyingDiagnostic())
    diagnostic->getMetadata().emplace_back(
        llvm::StringRef(detail::kInternalMark));
  return error;
}

inline bool isInternalError(mlir::Diagnostic &diagnostic) {
  return llvm::any_of(
      diagnostic.getMetadata(), [](const mlir::DiagnosticArgument &argument) {
        return argument.getKind() ==
                   mlir::DiagnosticArgument::DiagnosticArgumentKind::String &&
               argument.getAsString() == detail::kInternalMark;
      });
}

} // namespace gensyn

#endif
