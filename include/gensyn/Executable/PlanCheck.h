// Parts of readSignature, and what of a launch only its device knows.
#ifndef GENSYN_EXECUTABLE_PLANCHECK_H
#define GENSYN_EXECUTABLE_PLANCHECK_H

#include "gensyn/Executable/KernelAccess.h"
#include "gensyn/Executable/plan.pb.h"

#include <string>

namespace gensyn {

/// Throws a Failure (bad input): the program is malformed.
[[noreturn]] void failPlan(const std::string &message);

/// Checks the launches of a plan whose buffers are checked: buffers, grids,
/// sizes. Two buffers of one launch are the same memory or none of each
/// other's.
void checkLaunches(const plan::Plan &plan);

/// Checks steps: every number in them, that what they write may be written, and
/// how often loops run.
void checkSteps(const plan::Plan &plan);

/// Checks a launch against what its kernel accesses.
void checkAccess(const plan::Plan &plan, const plan::Launch &launch,
                 const KernelAccess &access);

} // namespace gensyn

#endif
