// See Report.h.

#include "Report.h"

#include "gensyn/Dialect/InternalError.h"
#include "gensyn/Dialect/SizeError.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn {

bool fail(plan::Error &error, ExitCode code, const llvm::Twine &message,
          const llvm::Twine &note) {
  error.set_exit_code(static_cast<int>(code));
  error.set_message(message.str());
  error.set_note(note.str());
  return false;
}

static constexpr size_t kMaxMessages = 8;
static constexpr StringRef kReport =
    "this is a bug in the compiler; please report it";

/// MLIR's message after it wrote a reproducer; the pass and the file are in a
/// note.
static constexpr StringRef kPipelineFailed =
    "Failures have been detected while processing an MLIR pass pipeline";

Report::Report(MLIRContext *context, StringRef recipe)
    : recipe(recipe), handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
          warnings.push_back(diagnostic.str());
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        isTooLarge |= isSizeError(diagnostic);
        isInternal |= isInternalError(diagnostic);
        if (diagnostic.str().starts_with(kPipelineFailed)) {
          for (const Diagnostic &note : diagnostic.getNotes())
            reproducer = note.str();
          return success();
        }
        std::string text = describeDiagnostic(diagnostic);
        if (messages.empty() && !diagnostic.getNotes().empty())
          note = diagnostic.getNotes().begin()->str();
        if (seen.insert(text).second)
          messages.push_back(std::move(text));
        return success();
      }) {}

void Report::fill(StringRef file, ExitCode code, plan::Error &error) const {
  std::string text = file.str();
  for (size_t i = 0; i < std::min(messages.size(), kMaxMessages); ++i) {
    StringRef message = messages[i];
    if (i == 0 && !recipe.empty() && message.consume_front("recipe: "))
      text = recipe;
    text += (i == 0 ? ": " : "; ") + message.str();
  }
  if (messages.empty())
    text += reproducer.empty() ? ": the compiler stopped without saying why"
                               : ": a pass of the compiler crashed";
  if (messages.size() > kMaxMessages)
    text += "; and " + std::to_string(messages.size() - kMaxMessages) + " more";
  if (isTooLarge)
    code = ExitCode::OutOfResources;
  if (isInternal)
    code = ExitCode::Bug;
  error.set_exit_code(static_cast<int>(code));
  error.set_message(oneLine(text));
  error.set_note(oneLine(!reproducer.empty() ? reproducer
                         : isInternal        ? std::string(kReport)
                                             : note));
}

} // namespace gensyn
