// Calls of functions of the same text, replaced by the functions' bodies.

#ifndef GENSYN_PTX_INLINE_H
#define GENSYN_PTX_INLINE_H

#include "gensyn/Ptx/Syntax.h"

#include <deque>
#include <string>
#include <unordered_map>

namespace gensyn::ptx {

/// A kernel without calls. Its names may point into `names`.
struct InlinedKernel {
  Function function;
  std::deque<std::string> names;
};

bool hasCalls(const Function &function);

/// The functions that a text defines, and what may still be copied of them: all
/// kernels of a text share one allowance, since a chain of functions that call
/// the next one twice doubles with each.
struct Callees {
  explicit Callees(const Syntax &syntax);
  std::unordered_map<std::string_view, const Function *> functions;
  /// Instructions, variables and targets.
  uint64_t allowance = uint64_t(1) << 22;
};

/// Puts the body of each function that `kernel` calls in the place of the call:
/// registers and labels become new ones, a return a branch to the end,
/// arguments and results local memory of the caller. The error names a call
/// that cannot be replaced: of a function that the text does not define, that
/// calls itself, that is known only by its address, that is nested too deeply,
/// or with which the kernel becomes too long.
Result<InlinedKernel> inlineCalls(Callees &callees, const Function &kernel);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_INLINE_H
