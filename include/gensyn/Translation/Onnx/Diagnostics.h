// MLIR's diagnostics as messages to users of models.
#ifndef GENSYN_TRANSLATION_ONNX_DIAGNOSTICS_H
#define GENSYN_TRANSLATION_ONNX_DIAGNOSTICS_H

#include "gensyn/Translation/Onnx/Import.h"

#include "mlir/IR/Diagnostics.h"

namespace gensyn {
/// "node 'n' (MatMul): inner dimensions differ": the node's name from the
/// location, its operator from the op's name.
std::string describeDiagnostic(mlir::Diagnostic &diagnostic);

/// Returns `text` as one line of printable characters. Names in a file may
/// contain any bytes.
std::string oneLine(llvm::StringRef text);

/// While an object of this class lives, the first error of the context is kept
/// and nothing is printed.
class DiagnosticCapture {
public:
  explicit DiagnosticCapture(mlir::MLIRContext *context);
  /// The first error, or `otherwise`.
  std::string message(llvm::StringRef otherwise) const {
    return first.empty() ? otherwise.str() : first;
  }

  /// True if the first error is about a size (SizeError.h).
  bool isTooLarge() const { return isSize; }

private:
  std::string first;
  bool isSize = false;
  mlir::ScopedDiagnosticHandler handler;
};
} // namespace gensyn

#endif
