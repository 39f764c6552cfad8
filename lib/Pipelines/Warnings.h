// Warnings beside the answer of a request.

#ifndef GENSYN_LIB_PIPELINES_WARNINGS_H
#define GENSYN_LIB_PIPELINES_WARNINGS_H

#include <string>
#include <vector>

namespace gensyn {

/// Adds a line that goes with this thread's next response; each is said once a
/// process, since a program is compiled for each kind and batch.
void noteWarning(std::string line);

/// The lines that were noted since the last call.
std::vector<std::string> takeWarnings();

} // namespace gensyn

#endif
