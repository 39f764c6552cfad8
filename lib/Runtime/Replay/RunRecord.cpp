// Reads and compares the records of run folders; see RunRecord.h.

#include "RunRecord.h"

#include "../Training/ReadRun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include <optional>

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

static void readLog(const fs::path &folder, RunRecord &record) {
  visitLog(folder, [&](const json &row) {
    const auto step = row["step"].get<int64_t>();
    if (auto loss = row.find("loss"); loss != row.end())
      record.losses[step] = loss->dump();
    if (auto digest = row.find("parameters");
        digest != row.end() && digest->is_string())
      record.digests[step] = digest->get<std::string>();
  });
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
  readLog(folder, record);
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

std::vector<std::string> listDifferentSettings(const RunRecord &first,
                                               const RunRecord &second) {
  std::vector<std::string> list;
  auto add = [&](const std::optional<SettingDifference> &found) {
    if (found)
      list.push_back(found->name + ": " + found->first + " against " +
                     found->second);
  };
  auto compare = [&](const char *key, const char *name, const json &a,
                     const json &b) {
    add(compareSettings(name, a.value(key, json()), b.value(key, json())));
  };
  add(compareRecipes(first.state.value("recipe", json()),
                     second.state.value("recipe", json())));
  for (const auto &[key, name] :
       {std::pair("seed", "seed"), std::pair("data", "identity of the data"),
        std::pair("samples", "samples"), std::pair("batch_size", "batch size"),
        std::pair("shuffle", "shuffle"), std::pair("drop_last", "drop_last"),
        std::pair("constants", "digest of the frozen tensors"),
        std::pair("numerics_version", "version of the numerics")})
    compare(key, name, first.state, second.state);
  // Other settings give another program, too.
  if (list.empty())
    compare("program_digest", "program digest", first.state, second.state);
  compare("initial_parameters", "initial parameters", first.program,
          second.program);
  return list;
}

} // namespace gensyn::runtime
