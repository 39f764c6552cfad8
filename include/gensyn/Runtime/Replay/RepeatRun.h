// Repeats a part of a run that a folder records.
#ifndef GENSYN_RUNTIME_REPLAY_REPEATRUN_H
#define GENSYN_RUNTIME_REPLAY_REPEATRUN_H

#include "gensyn/Runtime/Replay/Replay.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace gensyn::runtime {

/// The steps of a run folder's checkpoints, ascending.
std::vector<int64_t> listCheckpointSteps(const std::filesystem::path &run);

/// Repeats the steps behind `begin`, which has a checkpoint in the run folder
/// of the side unless it is 0, until `end` or the end of the run. Tells the
/// witness where it begins, each step, and the states that it wants. `progress`
/// gets the number of steps done; it may be null. Throws a Failure: usage for a
/// missing option, bad input for a folder that cannot be repeated.
void repeatRun(const ReplaySide &side, int64_t begin, int64_t end,
               RunWitness &witness,
               const std::function<void(int64_t)> &progress);

/// A step of a run folder's run, between those before it and itself.
class StepReplay {
public:
  /// Repeats the steps from `begin`, as repeatRun(), until `step` is the next
  /// one. Throws a Failure, as that, and if the run has no such step.
  StepReplay(const ReplaySide &side, int64_t begin, int64_t step,
             RunWitness &witness, const std::function<void(int64_t)> &progress);
  ~StepReplay();

  /// The program of the step and the values of its inputs.
  const ProgramRun &program() const;
  /// Runs the step.
  void advance();

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

} // namespace gensyn::runtime

#endif
