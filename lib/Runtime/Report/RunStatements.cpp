// What two run folders state about themselves; see Comparison.h.

#include "../Training/Checkpoint.h"
#include "Comparison.h"

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Printable.h"

#include <map>

namespace gensyn::runtime::report {

namespace fs = std::filesystem;
using nlohmann::json;

/// An object of a file; empty if there is no such file.
static json readObject(const fs::path &path) {
  constexpr size_t largest = size_t(16) << 20;
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return json::object();
  json value = parseJson(readText(path, largest), path.string(), "the file");
  return value.is_object() ? value : json::object();
}

static std::string printShort(const json &value) {
  constexpr size_t longest = 200;
  if (value.is_null())
    return "nothing";
  return printable(
      value.is_string() ? value.get<std::string>() : printJson(value), longest);
}

/// The value of a key such as "optimizer/lr".
static json findKey(const json &recipe, const std::string &key) {
  const json::json_pointer place("/" + key);
  return recipe.contains(place) ? recipe.at(place) : json();
}

static json newestState(const fs::path &folder) {
  const auto checkpoints = listCheckpoints(folder / "checkpoints");
  return checkpoints.empty()
             ? json::object()
             : readObject(checkpoints.front().second / "state.json");
}

std::vector<RunStatement> compareRunStatements(const fs::path &first,
                                               const fs::path &second) {
  std::vector<RunStatement> differences;
  auto compare = [&](const char *key, const char *name, const json &one,
                     const json &other) {
    const json a = one.value(key, json()), b = other.value(key, json());
    if (a != b)
      differences.push_back({name, printShort(a), printShort(b)});
  };
  const json program = readObject(first / "program.json"),
             otherProgram = readObject(second / "program.json");
  for (const auto &[key, name] :
       {std::pair("program_digest", "program digest"),
        std::pair("numerics_version", "version of the numerics"),
        std::pair("initial_parameters", "digest of the initial parameters"),
        std::pair("model", "model"), std::pair("optimizer", "optimizer"),
        std::pair("loss", "loss"), std::pair("backend", "back end"),
        std::pair("target", "target")})
    compare(key, name, program, otherProgram);
  const json state = newestState(first), otherState = newestState(second);
  if (state.empty() || otherState.empty())
    return differences;
  for (const auto &[key, name] :
       {std::pair("data", "identity of the data"),
        std::pair("constants", "digest of the frozen tensors"),
        std::pair("seed", "seed"), std::pair("shuffle", "shuffle"),
        std::pair("batch_size", "batch size"),
        std::pair("drop_last", "drop_last")})
    compare(key, name, state, otherState);
  const json recipe = state.value("recipe", json()),
             otherRecipe = otherState.value("recipe", json());
  if (recipe.is_object() && otherRecipe.is_object())
    if (const std::string key = differenceOfRuns(recipe, otherRecipe);
        !key.empty())
      differences.push_back({"recipe: " + printable(key, 200),
                             printShort(findKey(recipe, key)),
                             printShort(findKey(otherRecipe, key))});
  return differences;
}

std::optional<int64_t> findCheckpointDifference(const fs::path &first,
                                                const fs::path &second) {
  std::map<int64_t, fs::path> others;
  for (const auto &[step, path] : listCheckpoints(second / "checkpoints"))
    others.emplace(step, path);
  std::optional<int64_t> found;
  // Newest first.
  for (const auto &[step, path] : listCheckpoints(first / "checkpoints")) {
    auto other = others.find(step);
    if (other == others.end())
      continue;
    const json a = readObject(path / "state.json").value("parameters", json()),
               b = readObject(other->second / "state.json")
                       .value("parameters", json());
    if (a != b)
      found = step;
  }
  return found;
}

} // namespace gensyn::runtime::report
