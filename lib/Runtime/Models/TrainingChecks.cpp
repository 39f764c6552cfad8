// See TrainingChecks.h.

#include "gensyn/Runtime/Models/TrainingChecks.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Nouns.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gensyn::runtime {

bool requireTrainingInfo(const Model &model, bool lacksRecipe) {
  const nlohmann::json facts =
      nlohmann::json::parse(model.facts(), nullptr, /*allow_exceptions=*/false);
  if (facts.is_object())
    if (auto found = facts.find("training_info"); found != facts.end())
      return found->value("initialization", false);
  if (lacksRecipe)
    throw Failure(ExitCode::Usage, "--recipe is required",
                  model.file() +
                      ": has no training_info that would say how it is "
                      "trained");
  failBadInput(model.recipeName() + ": no 'loss'");
}

/// 'a', 'b' and 3 more
static std::string listNames(const nlohmann::json &names) {
  constexpr size_t shown = 4;
  std::string list;
  for (size_t i = 0; i < std::min(shown, names.size()); ++i)
    if (names[i].is_string())
      list += (list.empty() ? "'" : ", '") + names[i].get<std::string>() + "'";
  if (names.size() > shown)
    list += " and " + std::to_string(names.size() - shown) + " more";
  return list;
}

void warnOfTraining(const Model &model,
                    const std::function<void(const std::string &)> &warn) {
  nlohmann::json facts;
  try {
    facts = nlohmann::json::parse(model.facts());
  } catch (const std::exception &) {
    return;
  }
  if (!facts.is_object())
    return;
  const Recipe &recipe = model.recipe();
  const int64_t count = facts.value("inference_normalizations", int64_t(0));
  if (count && !recipe.statesBatchNorm && !recipe.usesTrainingInfo)
    warn(
        countOf(count, "BatchNormalization") + (count == 1 ? " is" : " are") +
        " in inference mode: stored statistics normalize, and do not move; the "
        "recipe's \"batch_norm\": \"train\" makes the batch's normalize, and "
        "\"as_exported\" says that this is meant");
  const nlohmann::json unknown =
      facts.value("unknown_kinds", nlohmann::json::array());
  if (!unknown.empty() && !recipe.statesFrozen && !recipe.usesTrainingInfo)
    warn("the file does not tell parameters from buffers, and " +
         listNames(unknown) +
         " may be either: the recipe's \"frozen\" names what is not "
         "trained, and an empty one says that all of it is");
  for (const nlohmann::json &text :
       facts.value("suspicions", nlohmann::json::array()))
    if (text.is_string())
      warn(text.get<std::string>());
}

} // namespace gensyn::runtime
