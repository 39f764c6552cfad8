// Facts about an MLIR text, found before MLIR's parser reads it.

#ifndef GENSYN_PIPELINES_TEXTFACTS_H
#define GENSYN_PIPELINES_TEXTFACTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace gensyn {

struct TextFacts {
  /// Why MLIR would not survive the text, or not in any time: what it parses,
  /// prints and walks by calling itself (brackets, also through aliases, and
  /// operators of affine expressions), what aliases multiply, and what it takes
  /// unasked: the width of a dense array's type, an addr_space for a number.
  /// Bytes a terminal would act on are none of a text: MLIR quotes lines of its
  /// input. Empty where nothing is known against it.
  std::string problem;
  bool hasResources = false;
};

/// One walk over the tokens of untrusted text.
TextFacts lookAtText(llvm::StringRef text);

/// Why a tool does not hand a file to MLIR's reader; empty where it does. Byte
/// code, which has a magic number, is read as it is.
std::string whyNotRead(llvm::StringRef contents);

} // namespace gensyn

#endif
