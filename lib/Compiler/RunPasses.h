// The method "passes" of the compiler library; see CompilerApi.h.

#ifndef GENSYN_LIB_COMPILER_RUNPASSES_H
#define GENSYN_LIB_COMPILER_RUNPASSES_H

#include "gensyn/Executable/passes.pb.h"

namespace gensyn {

/// Reads a module or imports a model, runs a pipeline on it, and writes the
/// result in the forms of the request. The text is untrusted.
plan::PassesResponse runPasses(const plan::PassesRequest &request);

} // namespace gensyn

#endif
