// The child's side of CompilerProcess.h.
#ifndef GENSYN_RUNTIME_COMPILERSERVICE_H
#define GENSYN_RUNTIME_COMPILERSERVICE_H

#include "gensyn/Runtime/Compiler/CompilerProcess.h"

namespace gensyn::runtime {

/// Status of the first message if the library cannot be opened; its word is the
/// reason.
inline constexpr int kNoLibrary = 100;

/// Main function of the forked process: opens the library, reports that on the
/// socket, and answers requests until the socket is closed. The library's
/// output goes to the file `errors`.
[[noreturn]] void serveCompiler(const std::filesystem::path &library,
                                CompilerLimits limits, int socket, int errors,
                                int parent);

} // namespace gensyn::runtime

#endif
