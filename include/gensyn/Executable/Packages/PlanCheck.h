// Parts of readSignature, and the checks of a launch that only its device can
// do.
#ifndef GENSYN_EXECUTABLE_PACKAGES_PLANCHECK_H
#define GENSYN_EXECUTABLE_PACKAGES_PLANCHECK_H

#include "gensyn/Executable/KernelAccess.h"
#include "gensyn/Executable/PlanMessages.h"

#include <string>

namespace gensyn {

/// Throws a Failure (bad input): the program is malformed.
[[noreturn]] void failPlan(const std::string &message);

/// Checks the launches of a plan whose buffers are checked: buffers, grids,
/// sizes. Two buffers of a launch are identical or disjoint.
void checkLaunches(const plan::Plan &plan);

/// Checks steps: all numbers, that the buffers they write are writable, and
/// loop bounds.
void checkSteps(const plan::Plan &plan);

/// Checks a launch against its kernel's declared accesses.
void checkAccess(const plan::Plan &plan, const plan::Launch &launch,
                 const KernelAccess &access);

} // namespace gensyn

#endif
