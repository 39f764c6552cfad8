// The state of a training run, and what identifies the run.
#ifndef GENSYN_LIB_RUNTIME_RUNSTATE_H
#define GENSYN_LIB_RUNTIME_RUNSTATE_H

#include "gensyn/Executable/Json.h"

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// The progress of a run.
struct Progress {
  /// Steps done.
  int64_t step = 0;
  /// The epoch under way or just done, from 1; 0 before the first step.
  int64_t epoch = 0;
  int64_t stepInEpoch = 0;
  int64_t stepsPerEpoch = 0;
  /// The sum of the losses of the epoch's steps, in their order.
  double epochLoss = 0;

  bool epochComplete() const { return stepInEpoch == stepsPerEpoch; }
};

/// All that decides about the bits of a run, but the values that parameters
/// start from: a checkpoint has those of its own.
struct RunFacts {
  std::string programDigest;
  /// Of the smaller last batch; empty where there is none.
  std::string lastBatchDigest;
  std::string numericsVersion;
  /// The digest of tensors that no step changes.
  std::string constants;
  std::string dataIdentity;
  int64_t samples = 0;
  int64_t batchSize = 0;
  bool shuffle = false;
  bool dropLast = false;
  uint64_t seed = 0;
  /// As the user wrote it, to say what is another.
  nlohmann::json recipe;
};

/// state.json of a checkpoint; `parameters` is their digest.
OrderedJson describeState(const RunFacts &facts, const Progress &progress,
                          const std::string &parameters);

/// The progress in a state.json. Throws a Failure (bad input) that begins with
/// `where` if it makes no sense.
Progress readProgress(const nlohmann::json &state, const std::string &where);

/// Throws a Failure (bad input) that says what is another where going on from
/// the state would not give the bits of the run that it was saved in.
/// `recipeFile` and `dataFile` are for messages.
void requireSameRun(const nlohmann::json &state, const RunFacts &facts,
                    const std::string &where, const std::string &recipeFile,
                    const std::string &dataFile);

} // namespace gensyn::runtime

#endif
