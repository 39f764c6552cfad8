// Reads and compares the records of run folders; see RunRecord.h.

#include "RunRecord.h"

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include <string_view>

namespace gensyn::runtime {

namespace fs = std::filesystem;
using nlohmann::json;

static json readObject(const fs::path &path) {
  constexpr size_t largest = size_t(16) << 20;
  json value = parseJson(readText(path, largest), path.string(), "the file");
  if (!value.is_object())
    failBadInput(path.string() + ": is not a JSON object");
  return value;
}

static void readLog(const fs::path &path, RunRecord &record) {
  const MappedFile file(path);
  std::string_view text(reinterpret_cast<const char *>(file.data()),
                        file.size());
  for (int64_t line = 1; !text.empty(); ++line) {
    const size_t end = text.find('\n');
    // A run that is still going on may be writing the last line.
    if (end == std::string_view::npos)
      break;
    const json row = json::parse(text.substr(0, end), nullptr,
                                 /*allow_exceptions=*/false);
    if (!row.is_object() || !row.contains("step") ||
        !row["step"].is_number_integer())
      failBadInput(path.string() + ": line " + std::to_string(line) +
                   " is not a JSON object with a step");
    const auto step = row["step"].get<int64_t>();
    if (auto loss = row.find("loss"); loss != row.end())
      record.losses[step] = loss->dump();
    if (auto digest = row.find("parameters");
        digest != row.end() && digest->is_string())
      record.digests[step] = digest->get<std::string>();
    text.remove_prefix(end + 1);
  }
}

static TensorMap copyTensors(const TensorFile &file) {
  TensorMap tensors;
  for (const std::string &name : file.names())
    tensors.emplace(name, file.tensor(name));
  return tensors;
}

RunRecord readRunRecord(const fs::path &folder) {
  std::error_code ignored;
  for (const char *name : {"log.jsonl", "program.json"})
    if (!fs::exists(folder / name, ignored))
      failBadInput(folder.string() + ": has no " + name,
                   "a run folder of gensyn-run train is wanted");
  RunRecord record;
  record.folder = folder;
  record.program = readObject(folder / "program.json");
  readLog(folder / "log.jsonl", record);
  for (const auto &[step, place] : listCheckpoints(folder / "checkpoints")) {
    record.checkpoints[step] = place;
    if (!record.state.is_null())
      continue;
    try {
      record.state = readObject(place / "state.json");
      record.statePlace = place;
    } catch (const Failure &) {
      // A damaged checkpoint is a finding; another one has the state, too.
      record.state = nullptr;
    }
  }
  if (record.state.is_null())
    failBadInput(folder.string() + ": no checkpoint says how the run was made");
  if (fs::path last = folder / "parameters.safetensors";
      fs::exists(last, ignored))
    record.finalDigest = digestTensors(copyTensors(openTensors(last)));
  return record;
}

std::string compareStates(const Checkpoint &first, const Checkpoint &second) {
  for (const auto &[a, b] : {std::pair(&first.model, &second.model),
                             std::pair(&first.optimizer, &second.optimizer)}) {
    for (const auto &[name, tensor] : *a)
      if (auto other = b->find(name);
          other == b->end() || !tensor.bitEqual(other->second))
        return quote(name);
    for (const auto &[name, tensor] : *b)
      if (!a->contains(name))
        return quote(name);
  }
  return "";
}

/// Reads two checkpoints and says how they differ.
static std::string compareCheckpoints(const fs::path &first,
                                      const fs::path &second) {
  try {
    const std::string name =
        compareStates(readCheckpoint(first), readCheckpoint(second));
    return name.empty() ? "" : "their checkpoints differ in " + name;
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::BadInput)
      throw;
    return failure.what();
  }
}

std::optional<RecordDifference> findRecordDifference(const RunRecord &first,
                                                     const RunRecord &second) {
  std::optional<RecordDifference> found;
  auto note = [&](int64_t step, std::string reason) {
    if (!found || step < found->step)
      found = {step, std::move(reason)};
  };
  auto compare = [&](const std::map<int64_t, std::string> &a,
                     const std::map<int64_t, std::string> &b,
                     const std::string &what) {
    for (const auto &[step, text] : a)
      if (auto other = b.find(step); other != b.end() && other->second != text)
        return note(step, what + printable(text, 100) + " and " +
                              printable(other->second, 100));
  };
  compare(first.losses, second.losses, "their logs have the losses ");
  compare(first.digests, second.digests,
          "their logs have the digests of parameters ");
  for (const auto &[step, place] : first.checkpoints)
    if (auto other = second.checkpoints.find(step);
        other != second.checkpoints.end() && (!found || step < found->step))
      if (std::string reason = compareCheckpoints(place, other->second);
          !reason.empty())
        note(step, reason);
  if (!found && first.lastStep() == second.lastStep() &&
      first.finalDigest != second.finalDigest)
    note(first.lastStep(), "their final parameters differ");
  return found;
}

int64_t findCommonCheckpoint(const RunRecord &first, const RunRecord &second,
                             int64_t step) {
  for (auto it = first.checkpoints.rbegin(); it != first.checkpoints.rend();
       ++it)
    if (auto other = second.checkpoints.find(it->first);
        it->first < step && other != second.checkpoints.end() &&
        compareCheckpoints(it->second, other->second).empty())
      return it->first;
  return 0;
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
  try {
    const json::json_pointer place("/" + key);
    return recipe.contains(place) ? recipe.at(place) : json();
  } catch (const json::exception &) {
    return json(); // a key of a stranger, such as "~"
  }
}

std::vector<std::string> listDifferentSettings(const RunRecord &first,
                                               const RunRecord &second) {
  std::vector<std::string> list;
  auto add = [&](const std::string &name, const json &a, const json &b) {
    if (a != b)
      list.push_back(name + ": " + printShort(a) + " against " + printShort(b));
  };
  const json recipe = first.state.value("recipe", json()),
             other = second.state.value("recipe", json());
  if (recipe.is_object() && other.is_object())
    if (const std::string key = differenceOfRuns(recipe, other); !key.empty())
      add("recipe: " + printable(key, 200), findKey(recipe, key),
          findKey(other, key));
  for (const auto &[key, name] :
       {std::pair("seed", "seed"), std::pair("data", "identity of the data"),
        std::pair("samples", "samples"), std::pair("batch_size", "batch size"),
        std::pair("shuffle", "shuffle"), std::pair("drop_last", "drop_last"),
        std::pair("constants", "digest of the frozen tensors"),
        std::pair("numerics_version", "version of the numerics")})
    add(name, first.state.value(key, json()), second.state.value(key, json()));
  // Other settings give another program, too.
  if (list.empty())
    add("program digest", first.state.value("program_digest", json()),
        second.state.value("program_digest", json()));
  add("initial parameters", first.program.value("initial_parameters", json()),
      second.program.value("initial_parameters", json()));
  return list;
}

} // namespace gensyn::runtime
