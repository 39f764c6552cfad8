// Inlines calls of functions of the same text.

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

/// The functions that a text defines, and the remaining budget for copies. All
/// kernels of a text share the budget, since in a chain of functions that call
/// the next one twice the size doubles with each.
struct Callees {
  explicit Callees(const Syntax &syntax);
  std::unordered_map<std::string_view, const Function *> functions;
  /// Instructions, variables and targets.
  uint64_t allowance = uint64_t(1) << 22;
};

/// Replaces each call in `kernel` by the body of the function: registers and
/// labels are renamed, a return becomes a branch to the end, arguments and
/// results become local memory of the caller. The error names a call that
/// cannot be inlined: of an undefined function, recursive, by address, nested
/// too deeply, or with which the kernel becomes too long.
Result<InlinedKernel> inlineCalls(Callees &callees, const Function &kernel);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_INLINE_H
