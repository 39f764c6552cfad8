// Names of schedules in plans.
#ifndef GENSYN_EXECUTABLE_SCHEDULENAME_H
#define GENSYN_EXECUTABLE_SCHEDULENAME_H

#include <string_view>

namespace gensyn {

/// The schedule that accepts every kernel and computes one element after
/// another.
inline constexpr std::string_view kBaselineSchedule = "baseline";

} // namespace gensyn

#endif
