// Writes a launch plan as JSON, for people and for external launchers.

#ifndef GENSYN_LIB_PIPELINES_PLANTEXT_H
#define GENSYN_LIB_PIPELINES_PLANTEXT_H

#include "gensyn/Executable/plan.pb.h"

#include <string>

namespace gensyn {

/// Inputs and outputs by name, the arena, the location of every buffer, and the
/// launches in order: kernel, grid, block and buffers, one pointer parameter
/// each.
std::string printPlan(const plan::Executable &executable);

} // namespace gensyn

#endif
