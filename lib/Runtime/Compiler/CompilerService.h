// The child's side of CompilerProcess.h.
#ifndef GENSYN_RUNTIME_COMPILERSERVICE_H
#define GENSYN_RUNTIME_COMPILERSERVICE_H

#include "gensyn/Runtime/CompilerProcess.h"

namespace gensyn::runtime {

/// The status of the first message where the library cannot be opened; its word
/// is the reason.
inline constexpr int kNoLibrary = 100;

/// What the process that was just forked does: it opens the library, says so on
/// the socket, and answers requests until nobody sends any. What the library
/// prints goes to the file `errors`.
[[noreturn]] void serveCompiler(const std::filesystem::path &library,
                                CompilerLimits limits, int socket, int errors,
                                int parent);

} // namespace gensyn::runtime

#endif
