// Collects errors of all stages into one message across the ABI boundary.

#ifndef GENSYN_LIB_PIPELINES_REPORT_H
#define GENSYN_LIB_PIPELINES_REPORT_H

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace gensyn {

/// Fills `error` and returns false.
bool fail(plan::Error &error, ExitCode code, const llvm::Twine &message,
          const llvm::Twine &note = "");

/// Collects the errors that a context reports while it lives.
class Report {
public:
  /// `recipe` is the prefix of errors in the recipe ("recipe: ..."); if it is
  /// empty they are treated as errors of the model.
  explicit Report(mlir::MLIRContext *context, llvm::StringRef recipe = "");

  /// Fills `error` with one line: `file`, then all errors, each once, at most
  /// eight of them; and with the first one's note. `code` becomes
  /// OutOfResources if a size is too large, and Bug after an internal error.
  void fill(llvm::StringRef file, ExitCode code, plan::Error &error) const;

  /// The errors so far, each once: "node 'n' (MatMul): ...".
  const std::vector<std::string> &getMessages() const { return messages; }
  /// The warnings so far.
  const std::vector<std::string> &getWarnings() const { return warnings; }

private:
  std::vector<std::string> messages, warnings;
  llvm::StringSet<> seen; // of the messages
  std::string note, recipe;
  std::string reproducer;  ///< which pass failed, and where its module is
  bool isTooLarge = false; ///< an error is one of sizes
  bool isInternal = false; ///< an error is one of the compiler
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace gensyn

#endif
