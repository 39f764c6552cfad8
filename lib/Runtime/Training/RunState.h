// The state of a training run, and the facts that identify the run.
#ifndef GENSYN_LIB_RUNTIME_RUNSTATE_H
#define GENSYN_LIB_RUNTIME_RUNSTATE_H

#include "gensyn/Executable/Support/Json.h"

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// The progress of a run.
struct Progress {
  /// Number of steps done.
  int64_t step = 0;
  /// The current or last epoch, from 1; 0 before the first step.
  int64_t epoch = 0;
  int64_t stepInEpoch = 0;
  /// 0 if epochs differ in it, or steps were outside of epochs.
  int64_t stepsPerEpoch = 0;
  /// True after the last step of an epoch.
  bool epochComplete = false;
  /// Sum of the losses of the epoch's steps, in their order.
  double epochLoss = 0;
};

/// All that determines the bits of a run except for the initial parameters: a
/// checkpoint has its own.
struct RunFacts {
  /// Digest of the program for full batches; empty if batches may have any
  /// shape.
  std::string programDigest;
  /// Digest of the program for the smaller last batch; empty if there is none.
  std::string lastBatchDigest;
  /// The roots of the entries of these programs (docs/Proof.md).
  std::string programRoot, lastBatchRoot;
  std::string numericsVersion;
  /// Digest of the tensors that no step changes.
  std::string constants;
  /// Empty if data have none.
  std::string dataIdentity;
  int64_t samples = 0;
  int64_t batchSize = 0;
  bool shuffle = false;
  bool dropLast = false;
  uint64_t seed = 0;
  /// The recipe as the user wrote it, to report differences.
  nlohmann::json recipe;
};

/// Returns the part of a state.json that is the same for all checkpoints of a
/// run.
OrderedJson describeFacts(const RunFacts &facts);

/// Returns the state.json of a checkpoint; `parameters` is their digest.
OrderedJson describeState(const RunFacts &facts, const Progress &progress,
                          const std::string &parameters);

/// Returns the progress in a state.json. Throws a Failure (bad input) that
/// begins with `where` if it is inconsistent.
Progress readProgress(const nlohmann::json &state, const std::string &where);

/// Throws a Failure (bad input) that names the difference if resuming from the
/// state would not give the bits of the saved run. `recipeFile` and `dataFile`
/// are for messages.
void requireSameRun(const nlohmann::json &state, const RunFacts &facts,
                    const std::string &where, const std::string &recipeFile,
                    const std::string &dataFile);

} // namespace gensyn::runtime

#endif
