// The kinds of programs that are made of a model, and their spellings in plans,
// in options of passes and on command lines.

#ifndef GENSYN_EXECUTABLE_PROGRAMKIND_H
#define GENSYN_EXECUTABLE_PROGRAMKIND_H

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace gensyn {

/// The kind of program made of a model; see the description of
/// train-build-step.
enum class ProgramKind {
  Infer,
  Grad,
  Train,
  Eval,
  /// The initialization of a model's training_info. No user asks for it by
  /// name.
  Initialize,
};

/// The spellings of the kinds, in the order of the enum.
inline constexpr std::array<std::string_view, 5> programKindNames = {
    "infer", "grad", "train", "eval", "initialize"};
static_assert(programKindNames.size() ==
              static_cast<size_t>(ProgramKind::Initialize) + 1);

constexpr std::string_view name(ProgramKind kind) {
  return programKindNames[static_cast<size_t>(kind)];
}

/// The kind of that spelling; none if there is no such kind.
constexpr std::optional<ProgramKind>
programKindFromName(std::string_view name) {
  const auto *found =
      std::find(programKindNames.begin(), programKindNames.end(), name);
  if (found == programKindNames.end())
    return std::nullopt;
  return static_cast<ProgramKind>(found - programKindNames.begin());
}

} // namespace gensyn

#endif
