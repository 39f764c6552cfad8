// Facts about an MLIR text, found before MLIR's parser reads it.

#ifndef GENSYN_PIPELINES_TEXTFACTS_H
#define GENSYN_PIPELINES_TEXTFACTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace gensyn {

struct TextFacts {
  /// The reason why MLIR would crash on the text, or take excessive time.
  /// Causes are structures that it parses, prints and walks recursively
  /// (brackets, also through aliases, and operators of affine expressions), the
  /// expansion of aliases, and operands that it does not check: the width of a
  /// dense array's type, an addr_space for a number. Terminal control
  /// characters are not allowed either, since MLIR quotes lines of its input.
  /// Empty if no reason is known.
  std::string problem;
  bool hasResources = false;
};

/// One walk over the tokens of untrusted text.
TextFacts lookAtText(llvm::StringRef text);

/// Returns the reason not to pass a file to MLIR's reader; empty if it may be
/// passed. Bytecode, which has a magic number, is passed.
std::string whyNotRead(llvm::StringRef contents);

} // namespace gensyn

#endif
