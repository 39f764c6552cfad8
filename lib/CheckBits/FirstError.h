// Captures the first error during an attempt.

#ifndef GENSYN_LIB_CHECKBITS_FIRSTERROR_H
#define GENSYN_LIB_CHECKBITS_FIRSTERROR_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace gensyn::checkbits {

/// While an object of this class lives, diagnostics are suppressed and the
/// first error is kept.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
              text.empty())
            text = diagnostic.str();
          return mlir::success();
        }) {}

  /// The message; empty if there was none.
  const std::string &get() const { return text; }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace gensyn::checkbits

#endif
