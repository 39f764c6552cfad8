// Calls of functions of the same text, replaced by the functions' bodies.

#ifndef GENSYN_PTX_INLINE_H
#define GENSYN_PTX_INLINE_H

#include "gensyn/Ptx/Syntax.h"

#include <deque>
#include <string>

namespace gensyn::ptx {

/// A kernel without calls. Its names may point into `names`.
struct InlinedKernel {
  Function function;
  std::deque<std::string> names;
};

bool hasCalls(const Function &function);

/// Puts the body of each function that `kernel` calls in the place of the call:
/// registers and labels become new ones, a return a branch to the end,
/// arguments and results local memory of the caller. The error names a call
/// that cannot be replaced: of a function that the text does not define, that
/// calls itself, or that is known only by its address.
Result<InlinedKernel> inlineCalls(const Syntax &syntax, const Function &kernel);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_INLINE_H
