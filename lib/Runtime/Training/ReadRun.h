// What is read of run folders to compare them: rows of the log, and settings.

#ifndef GENSYN_LIB_RUNTIME_TRAINING_READRUN_H
#define GENSYN_LIB_RUNTIME_TRAINING_READRUN_H

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace gensyn::runtime {

/// Calls `visit` with each row of the log.jsonl of a run folder: an object with
/// an integer `step`. A last line without an end is left out, since the run may
/// be writing it. Throws Failure: BadInput for another line, File if there is
/// no log.
void visitLog(const std::filesystem::path &folder,
              const std::function<void(const nlohmann::json &)> &visit);

/// A setting of two runs, and its values, at most 200 characters each.
struct SettingDifference {
  std::string name, first, second;
};

/// std::nullopt if the values are equal. Null is printed as "nothing".
std::optional<SettingDifference> compareSettings(const std::string &name,
                                                 const nlohmann::json &first,
                                                 const nlohmann::json &second);

/// The first key of two recipes that a resumed run must not change, and whose
/// values differ. Values that are not objects are no recipes.
std::optional<SettingDifference> compareRecipes(const nlohmann::json &first,
                                                const nlohmann::json &second);

} // namespace gensyn::runtime

#endif
