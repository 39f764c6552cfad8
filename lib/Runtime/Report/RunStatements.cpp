// What two run folders state about themselves; see Comparison.h.

#include "../Training/Checkpoint.h"
#include "Comparison.h"

#include "gensyn/Executable/Support/Files.h"

#include <map>
#include <utility>

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

static json newestState(const fs::path &folder) {
  const auto checkpoints = listCheckpoints(folder / "checkpoints");
  return checkpoints.empty()
             ? json::object()
             : readObject(checkpoints.front().second / "state.json");
}

std::vector<SettingDifference> compareRunStatements(const fs::path &first,
                                                    const fs::path &second) {
  std::vector<SettingDifference> differences;
  auto compare = [&](const char *key, const char *name, const json &one,
                     const json &other) {
    if (auto found = compareSettings(name, one.value(key, json()),
                                     other.value(key, json())))
      differences.push_back(std::move(*found));
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
  if (auto found = compareRecipes(state.value("recipe", json()),
                                  otherState.value("recipe", json())))
    differences.push_back(std::move(*found));
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
