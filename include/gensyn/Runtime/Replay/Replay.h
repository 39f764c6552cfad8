// Repeats the steps of two runs until they part.
#ifndef GENSYN_RUNTIME_REPLAY_REPLAY_H
#define GENSYN_RUNTIME_REPLAY_REPLAY_H

#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Models/ModelOptions.h"
#include "gensyn/Runtime/Replay/StepDifference.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// One side of a comparison.
struct ReplaySide {
  /// A run folder of `train`; empty: `model` is run.
  std::filesystem::path run;
  /// How to compile and where to run. With a run folder, an empty `model` is
  /// the one that its program.json names, and an empty `recipe` the one in its
  /// newest checkpoint.
  ModelOptions model;
  /// What the run was trained on, and evaluated on after each epoch.
  DataSource data, evalData;
  /// The parameters it began with; empty: the model's own.
  std::filesystem::path parameters;
  /// Without a recipe: the inputs of the model; empty: random numbers.
  std::filesystem::path inputs;
};

struct ReplayOptions {
  ReplaySide first, second;
  /// Stop after this step; 0: at the end of the run.
  int64_t steps = 0;
  ValueOptions values;
  /// Called with what is done, and its parts so far and in all; may be null.
  std::function<void(const std::string &, int64_t, int64_t)> progress;
  std::function<void(const std::string &)> warn;
};

/// A run whose records this machine does not reproduce.
struct Unreproduced {
  int64_t step = 0;
  /// "its log has the loss 2.31, here it is 2.29"
  std::string reason;
};

struct ReplayResult {
  enum class Kind {
    /// The records of both runs are equal, and nothing was repeated.
    Equal,
    /// One program was run for both sides, to see which records it reproduces.
    Judged,
    /// Both sides were run in lock step.
    LockStep,
  };
  Kind kind = Kind::Equal;
  /// What was run: "cpu:x86-64-v4"; empty for records alone.
  std::string firstTarget, secondTarget;
  /// The settings that differ: "recipe: optimizer/lr 0.1 against 0.2".
  std::vector<std::string> settings;
  /// The step of the checkpoint that was begun with; 0: the initialization.
  int64_t begin = 0;
  /// The steps repeated from there.
  int64_t repeated = 0;
  /// The first step whose results differ: between the records (Judged) or
  /// between the sides. Nothing if they are equal.
  std::optional<int64_t> step;
  /// The losses of this step, as the logs or this machine have them.
  std::string firstLoss, secondLoss;
  /// What differs first between the records: "their logs have the losses 2.31
  /// and 2.29".
  std::string record;
  /// The first records of each run that were not reproduced.
  std::optional<Unreproduced> first, second;
  /// LockStep: the samples of the step, where they differ, and the op.
  std::vector<int64_t> firstSamples, secondSamples;
  std::optional<StepDifference> difference;

  bool isEqual() const { return !step && !first && !second; }
};

/// Finds the first step and the first op that differ:
///
/// * of two run folders that were made alike, by repeating their steps once,
///   from the last checkpoint before they differ that both share, and comparing
///   with the records of both;
/// * of two that were made differently, or on two targets, by repeating both in
///   lock step, and then comparing the values of all ops of that step;
/// * of models without a recipe, by comparing the values of the ops of one run.
///
/// Throws a Failure: usage for a missing option, bad input for a folder that
/// cannot be repeated.
ReplayResult replay(const ReplayOptions &options);

} // namespace gensyn::runtime

#endif
