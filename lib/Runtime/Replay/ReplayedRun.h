// A run of a folder or of a recipe that is repeated step by step.
#ifndef GENSYN_LIB_RUNTIME_REPLAY_REPLAYEDRUN_H
#define GENSYN_LIB_RUNTIME_REPLAY_REPLAYEDRUN_H

#include "../Training/Trainer.h"
#include "RunRecord.h"

#include "gensyn/Runtime/Data/DataSet.h"
#include "gensyn/Runtime/Replay/Replay.h"

#include <map>
#include <optional>
#include <string>

namespace gensyn::runtime {

class ReplayedRun final : private TrainObserver {
public:
  /// `record` is that of the side's run folder, null without one. Both must
  /// outlive this. Throws a Failure (usage) that names a missing option.
  ReplayedRun(const ReplaySide &side, const RunRecord *record);

  /// Goes to the checkpoint of step `begin` of the record, or to the
  /// initialization, and checks that this is the run of the record.
  void start(int64_t begin);
  /// From now on a witness learns what the run does.
  void tell(RunWitness &witness);
  /// The next step; of no samples at the end of the run.
  Trainer::NextStep peek() { return trainer.peek(); }
  /// Runs it.
  void advance() { trainer.advance(); }
  /// The state after the last step.
  Checkpoint state() { return trainer.state(); }
  int64_t step() const { return trainer.position().step; }
  /// The loss of the last step, as a log has it.
  const std::string &loss() const { return lastLoss; }
  std::string target() const { return model.target(); }
  /// The step that peek() returned, for computing the values of its ops.
  ProgramRun programRun(Trainer::NextStep step);

private:
  static ModelOptions completeModel(const ReplaySide &side,
                                    const RunRecord *record);
  TrainOptions makeTraining();
  void step(const StepRecord &record) override;

  const ReplaySide &side;
  const RunRecord *record;
  ModelOptions modelOptions;
  Model model;
  TrainOptions training;
  ProgramSource source;
  std::atomic<bool> stop{false};
  Trainer trainer;
  DataSet data;
  std::optional<DataSet> evalData;
  /// By the digests of the programs.
  std::map<std::string, ProgramRequest> requests;
  std::string lastLoss;
};

} // namespace gensyn::runtime

#endif
