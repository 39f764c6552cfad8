// The roles of a program's inputs and outputs, and their spellings in plans and
// in MLIR texts.

#ifndef GENSYN_EXECUTABLE_ROLE_H
#define GENSYN_EXECUTABLE_ROLE_H

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace gensyn {

/// The purpose of a program's input or output. A training step has its inputs
/// in this order.
enum class Role {
  Parameter,
  Constant,
  State,
  /// A running average of a parameter.
  Average,
  Input,
  Target,
  /// The recipe's seed.
  Key,
  /// The number of steps done before this one.
  Step,
  Output,
  Loss,
  /// A number for the log.
  Metric,
};

/// The spellings of the roles, in the order of the enum.
inline constexpr std::array<std::string_view, 11> roleNames = {
    "parameter", "constant", "state",  "average", "input", "target",
    "key",       "step",     "output", "loss",    "metric"};
static_assert(roleNames.size() == static_cast<size_t>(Role::Metric) + 1);

constexpr std::string_view name(Role role) {
  return roleNames[static_cast<size_t>(role)];
}

/// The role of that spelling; none if there is no such role.
constexpr std::optional<Role> roleFromName(std::string_view name) {
  const auto *found = std::find(roleNames.begin(), roleNames.end(), name);
  if (found == roleNames.end())
    return std::nullopt;
  return static_cast<Role>(found - roleNames.begin());
}

} // namespace gensyn

#endif
