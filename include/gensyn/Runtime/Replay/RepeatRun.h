// Repeats a part of a run that a folder records.
#ifndef GENSYN_RUNTIME_REPLAY_REPEATRUN_H
#define GENSYN_RUNTIME_REPLAY_REPEATRUN_H

#include "gensyn/Runtime/Replay/Replay.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <cstdint>
#include <filesystem>
#include <functional>
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

} // namespace gensyn::runtime

#endif
