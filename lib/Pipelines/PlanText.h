// A launch plan as JSON, for people and for launchers of their own.

#ifndef GENSYN_LIB_PIPELINES_PLANTEXT_H
#define GENSYN_LIB_PIPELINES_PLANTEXT_H

#include "gensyn/Executable/plan.pb.h"

#include <string>

namespace gensyn {

/// Inputs and outputs by name, the arena, where every buffer lies, and the
/// launches in order: kernel, grid, block and buffers, one pointer parameter
/// each.
std::string printPlan(const plan::Executable &executable);

} // namespace gensyn

#endif
