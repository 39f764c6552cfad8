// What there is to know of an MLIR text before MLIR's parser reads it.

#ifndef GENSYN_PIPELINES_TEXTFACTS_H
#define GENSYN_PIPELINES_TEXTFACTS_H

#include "llvm/ADT/StringRef.h"

namespace gensyn {

struct TextFacts {
  /// Why the parser would not survive it: it calls itself for each level of
  /// brackets and each sign before a sign, and takes the width of `index` in a
  /// dense array. Empty where nothing is known against it.
  llvm::StringRef problem;
  bool hasResources = false;
};

/// One walk over the tokens of a text that nobody vouches for.
TextFacts lookAtText(llvm::StringRef text);

} // namespace gensyn

#endif
