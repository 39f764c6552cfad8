// Errors of all stages as one message of the border to the runtime.

#ifndef GENSYN_LIB_PIPELINES_REPORT_H
#define GENSYN_LIB_PIPELINES_REPORT_H

#include "gensyn/Executable/Failure.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace gensyn {

using runtime::ExitCode;

/// Fills `error` and returns false.
bool fail(plan::Error &error, ExitCode code, const llvm::Twine &message,
          const llvm::Twine &note = "");

/// Collects the errors that a context reports while it lives.
class Report {
public:
  /// `recipe` is what errors of the recipe ("recipe: ...") have in front; where
  /// it is empty they are the model's like any other.
  explicit Report(mlir::MLIRContext *context, llvm::StringRef recipe = "");

  /// Fills `error` with one line: `file`, then all errors, each once, at most
  /// eight of them; and with the first one's note. `code` gives way to
  /// OutOfResources where a size is too large.
  void fill(llvm::StringRef file, ExitCode code, plan::Error &error) const;

  /// The errors so far, each once: "node 'n' (MatMul): ...".
  const std::vector<std::string> &getMessages() const { return messages; }

private:
  std::vector<std::string> messages;
  llvm::StringSet<> seen; // of the messages
  std::string note, recipe;
  bool isTooLarge = false; ///< an error is one of sizes
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace gensyn

#endif
