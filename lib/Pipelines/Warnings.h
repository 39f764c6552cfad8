// Warnings that accompany the response to a request.

#ifndef GENSYN_LIB_PIPELINES_WARNINGS_H
#define GENSYN_LIB_PIPELINES_WARNINGS_H

#include <string>
#include <vector>

namespace gensyn {

/// Adds a line to this thread's next response. Each line is reported once per
/// process, since a program is compiled for each kind and batch.
void noteWarning(std::string line);

/// Returns the lines recorded since the last call.
std::vector<std::string> takeWarnings();

} // namespace gensyn

#endif
