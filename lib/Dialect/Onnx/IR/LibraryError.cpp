// See LibraryError.h.

#include "gensyn/Dialect/Onnx/IR/LibraryError.h"

#include "onnx/defs/schema.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

namespace gensyn::onnx {

/// True if a word is a source location: "/tmp/onnx/defs/schema.cc:12:",
/// "convert.h:98".
static bool isSourcePlace(llvm::StringRef word) {
  static const llvm::Regex place(
      "^[[('\"`]*[^:]*\\.(c|cc|cpp|cxx|h|hh|hpp|inc)(:[0-9]+)+:?[])'\"`,.]*$");
  static const llvm::Regex path(
      "^[[('\"`]*[^:]*/[^:]*\\.(c|cc|cpp|cxx|h|hh|hpp|inc):?[])'\"`,.]*$");
  return place.match(word) || path.match(word);
}

std::string describeLibraryError(llvm::StringRef text) {
  // "FILE:LINE: FUNCTION: Assertion `CONDITION` failed: EXPLANATION".
  if (size_t begin = text.find("Assertion `"); begin != llvm::StringRef::npos) {
    auto [condition, rest] = text.drop_front(begin).split("` failed");
    text = rest.ltrim(":. ");
  }
  text = text.ltrim().take_until([](char c) { return c == '\n'; });
  llvm::SmallVector<llvm::StringRef> words, kept;
  text.split(words, ' ');
  for (llvm::StringRef word : words)
    if (!isSourcePlace(word))
      kept.push_back(word);
  const std::string line = llvm::join(kept, " ");
  const llvm::StringRef message = llvm::StringRef(line).trim(" :");
  return message.empty() ? "an internal check of the ONNX library failed"
                         : message.str();
}

} // namespace gensyn::onnx
