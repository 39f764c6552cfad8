// See LibraryError.h.

#include "gensyn/Dialect/Onnx/IR/LibraryError.h"

#include "onnx/defs/schema.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gensyn::onnx {

/// True if a word is a source location: "/tmp/onnx/defs/schema.cc:12:",
/// "convert.h:98".
static bool isSourcePlace(StringRef word) {
  static const Regex place(
      "^[[('\"`]*[^:]*\\.(c|cc|cpp|cxx|h|hh|hpp|inc)(:[0-9]+)+:?[])'\"`,.]*$");
  static const Regex path(
      "^[[('\"`]*[^:]*/[^:]*\\.(c|cc|cpp|cxx|h|hh|hpp|inc):?[])'\"`,.]*$");
  return place.match(word) || path.match(word);
}

std::string describeLibraryError(StringRef text) {
  // "FILE:LINE: FUNCTION: Assertion `CONDITION` failed: EXPLANATION".
  if (size_t begin = text.find("Assertion `"); begin != StringRef::npos) {
    auto [condition, rest] = text.drop_front(begin).split("` failed");
    text = rest.ltrim(":. ");
  }
  text = text.ltrim().take_until([](char c) { return c == '\n'; });
  SmallVector<StringRef> words, kept;
  text.split(words, ' ');
  for (StringRef word : words)
    if (!isSourcePlace(word))
      kept.push_back(word);
  const std::string line = join(kept, " ");
  const StringRef message = StringRef(line).trim(" :");
  return message.empty() ? "an internal check of the ONNX library failed"
                         : message.str();
}

} // namespace gensyn::onnx
