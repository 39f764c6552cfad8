// Assigns a rule and a step size to each parameter.

#include "Patterns.h"
#include "StepUpdate.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

/// Returns a group's object: its own keys, and the optimizer's keys for the
/// rest. A group of another kind inherits nothing.
static nlohmann::json inherit(const nlohmann::json &optimizer,
                              const nlohmann::json &group) {
  nlohmann::json merged = nlohmann::json::object();
  if (!group.contains("kind") ||
      (optimizer.contains("kind") && group["kind"] == optimizer["kind"]))
    merged = optimizer;
  merged.erase("groups");
  for (const auto &[key, value] : group.items())
    if (key != "match")
      merged[key] = value;
  return merged;
}

LogicalResult StepUpdate::readGroup(StringRef name,
                                    const nlohmann::json &object,
                                    Group &group) {
  RecipeObject recipe(name, object, program.module.getLoc());
  if (groups.size() == 1) // the optimizer itself; read by readGroups
    (void)recipe.has("groups");
  auto choice = readOptimizer(recipe);
  if (failed(choice))
    return failure();
  group.choice = *choice;
  auto known = llvm::find_if(
      rules, [&](const Rule &rule) { return rule.rule == choice->rule; });
  group.rule = known - rules.begin();
  if (known == rules.end())
    rules.push_back({choice->rule, {}});
  return success();
}

LogicalResult StepUpdate::readGroups() {
  const nlohmann::json &written = options.recipe.objects.optimizer;
  nlohmann::json own = written;
  own.erase("groups");
  if (failed(readGroup("recipe: optimizer", own, groups.emplace_back())))
    return failure();
  RecipeObject recipe("recipe: optimizer", written, program.module.getLoc());
  auto list = written.find("groups");
  if (list == written.end())
    return success();
  if (!list->is_array())
    return recipe.error() << "'groups' is not a list";
  for (auto [number, object] : llvm::enumerate(*list)) {
    std::string name =
        "recipe: optimizer: groups[" + std::to_string(number) + "]";
    if (!object.is_object())
      return recipe.error() << "groups[" << number << "] is not an object";
    RecipeObject group(name, object, program.module.getLoc());
    std::vector<std::string> patterns = group.texts("match");
    if (group.failed())
      return failure();
    if (patterns.empty())
      return group.error() << "'match' has no pattern";
    Group &added = groups.emplace_back();
    added.patterns = std::move(patterns);
    if (failed(readGroup(name, inherit(written, object), added)))
      return failure();
  }
  return success();
}

static std::string describeMatch(size_t number) {
  return "recipe: optimizer: groups[" + std::to_string(number) + "]: 'match'";
}

/// The first group that matches gets the parameter. A pattern that matches no
/// parameter is an error: exporters choose their own names for weights, and a
/// typo must not change the training silently.
LogicalResult StepUpdate::assignGroups() {
  for (StepArgument *parameter : parameters) {
    size_t found = 0;
    for (size_t i = groups.size(); i-- > 1;) {
      auto fits = names.fits(program.module.getLoc(), describeMatch(i - 1),
                             groups[i].patterns, parameter->name);
      if (failed(fits))
        return failure();
      if (*fits)
        found = i;
    }
    groupOf.push_back(found);
  }
  std::vector<std::string> known;
  for (StepArgument *parameter : parameters) {
    known.push_back(parameter->name);
    names.appendNames(parameter->name, known);
  }
  for (auto [number, group] : llvm::enumerate(ArrayRef(groups).drop_front()))
    if (failed(checkPatterns(program.module.getLoc(), describeMatch(number),
                             group.patterns, known, "trained parameter")))
      return failure();
  return success();
}
