// Writes the commitments of a run while it is trained.
#ifndef GENSYN_PROOF_RUN_RUNCOMMITTER_H
#define GENSYN_PROOF_RUN_RUNCOMMITTER_H

#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Runtime/Training/RunLog.h"

#include <functional>
#include <optional>
#include <string>

namespace gensyn::proof {

/// Adds a point to the run's file whenever it learns a state. What it has
/// written stays if the run goes on after a stop.
class RunCommitter final : public runtime::RunWitness {
public:
  /// Wants the state after each `every` steps; 0: at checkpoints. With
  /// `commitsToSamples` a run that begins commits to each sample, however large
  /// its data are; one that goes on does as it began, and `warn`, which may be
  /// null, is told if that is another thing.
  RunCommitter(std::filesystem::path folder, int64_t every,
               bool commitsToSamples = false,
               std::function<void(const std::string &)> warn = nullptr)
      : folder(std::move(folder)), every(every),
        commitsToSamples(commitsToSamples), warn(std::move(warn)) {}

  bool wantsState(int64_t step) const override {
    return every > 0 && step % every == 0;
  }
  bool wantsCheckpoints() const override { return every == 0; }
  void begin(const runtime::WitnessedStart &start) override;
  void resume(int64_t step, const runtime::WitnessedStart &start,
              const nlohmann::json &saved) override;
  void step(const runtime::WitnessedStep &step) override;
  void state(const runtime::WitnessedState &state, bool isStop) override;
  OrderedJson save() override;

  /// The root of the newest point; nothing before the run begins.
  std::optional<Digest> root() const { return newest; }

private:
  std::filesystem::path folder;
  int64_t every;
  bool commitsToSamples;
  std::function<void(const std::string &)> warn;
  runtime::RunLog log;
  Digest history = {};
  int64_t steps = 0;
  /// The last point where the run was not stopped.
  RunPoint last;
  std::optional<Digest> newest;
  /// True if the file has a point behind the last one.
  bool isStopped = false;
};

} // namespace gensyn::proof

#endif
