// What a run folder records of a run.
#ifndef GENSYN_LIB_RUNTIME_REPLAY_RUNRECORD_H
#define GENSYN_LIB_RUNTIME_REPLAY_RUNRECORD_H

#include "../Training/Checkpoint.h"

#include "gensyn/Executable/Support/Json.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace gensyn::runtime {

struct RunRecord {
  std::filesystem::path folder;
  /// program.json.
  nlohmann::json program;
  /// The state.json of the newest checkpoint that can be read, and its place.
  nlohmann::json state;
  std::filesystem::path statePlace;
  /// From log.jsonl, as texts: the losses by step, and the digests of the
  /// parameters at the ends of epochs.
  std::map<int64_t, std::string> losses, digests;
  std::map<int64_t, std::filesystem::path> checkpoints;
  /// The digest of parameters.safetensors; empty if there is no such file.
  std::string finalDigest;

  int64_t lastStep() const {
    return losses.empty() ? 0 : losses.rbegin()->first;
  }
};

/// Reads a run folder. Throws a Failure for one that is not a run (bad input).
RunRecord readRunRecord(const std::filesystem::path &folder);

/// A place where two records differ.
struct RecordDifference {
  int64_t step = 0;
  /// "their logs have the losses 2.31 and 2.29"
  std::string reason;
};

/// The first step at which the records differ; nothing if they do not.
std::optional<RecordDifference> findRecordDifference(const RunRecord &first,
                                                     const RunRecord &second);

/// The newest checkpoint before `step` that both have, intact and with equal
/// tensors; 0 if there is none.
int64_t findCommonCheckpoint(const RunRecord &first, const RunRecord &second,
                             int64_t step);

/// Why two checkpoints differ: a tensor by its name, or one of them is damaged.
/// Empty if all tensors are equal.
std::string compareStates(const Checkpoint &first, const Checkpoint &second);

/// The settings of two runs that determine their bits and differ: "seed: 1
/// against 2". Empty if the runs were made alike.
std::vector<std::string> listDifferentSettings(const RunRecord &first,
                                               const RunRecord &second);

} // namespace gensyn::runtime

#endif
