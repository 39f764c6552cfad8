// MLIR's diagnostics as messages to users of models.

#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "gensyn/Dialect/SizeError.h"

#include "gensyn/Executable/Support/Failure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace gensyn {

ExitCode ImportError::exitCode() const {
  switch (kind) {
  case Kind::None:
    return ExitCode::Ok;
  case Kind::Usage:
    return ExitCode::Usage;
  case Kind::Unsupported:
    return ExitCode::Unsupported;
  case Kind::Io:
    return ExitCode::InputOutput;
  case Kind::TooLarge:
    return ExitCode::OutOfResources;
  case Kind::BadModel:
    break;
  }
  return ExitCode::BadInput;
}

/// Removes "'onnx.MatMul.v13' op " from the front and returns "MatMul".
static std::string takeOperator(StringRef &text) {
  if (!text.consume_front("'onnx."))
    return "";
  StringRef name = text.take_until([](char c) { return c == '\''; });
  text = text.drop_front(std::min(text.size(), name.size() + 1)).ltrim();
  text.consume_front("op ");
  auto [head, version] = name.rsplit('.');
  if (!version.consume_front("v"))
    return name.str();
  return head.rsplit('.').second.empty() ? head.str()
                                         : head.rsplit('.').second.str();
}

/// Shortens a long name to leave room for the error, and escapes "\n" in a
/// name, since oneLine() writes line feeds that way.
static std::string shortened(StringRef name) {
  constexpr size_t longest = 256;
  std::string text;
  for (const char c : name.take_front(longest))
    text += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return text + (name.size() > longest ? "..." : "");
}

std::string describeDiagnostic(Diagnostic &diagnostic) {
  std::string whole = diagnostic.str();
  StringRef text = whole;
  std::string op = takeOperator(text);
  auto name = dyn_cast<NameLoc>(diagnostic.getLocation());
  std::string head;
  if (name)
    head = (isa<FusedLoc>(name.getChildLoc()) ? "node '" : "'") +
           shortened(name.getName()) + "'";
  if (!op.empty())
    head += (head.empty() ? "" : " ") + ("(" + op + ")");
  return head.empty() ? text.str() : head + ": " + text.str();
}

std::string oneLine(StringRef text) {
  constexpr size_t longest = 4096;
  std::string line;
  StringRef rest = text.take_front(longest);
  while (!rest.empty()) {
    unsigned char c = rest.front();
    size_t length = std::min<size_t>(
        llvm::getNumBytesForUTF8(static_cast<llvm::UTF8>(c)), rest.size());
    if (c >= 0x80 && llvm::json::isUTF8(rest.take_front(length))) {
      line += rest.take_front(length);
      rest = rest.drop_front(length);
      continue;
    }
    rest = rest.drop_front();
    if (c >= 0x20 && c < 0x7f)
      line += char(c);
    else if (c == '\n')
      line += "\\n";
    else
      line += "\\x" + llvm::utohexstr(c, /*LowerCase=*/true, /*Width=*/2);
  }
  return text.size() > longest ? line + "..." : line;
}

DiagnosticCapture::DiagnosticCapture(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            first.empty()) {
          first = describeDiagnostic(diagnostic);
          isSize = isSizeError(diagnostic);
        }
        return success();
      }) {}
} // namespace gensyn
