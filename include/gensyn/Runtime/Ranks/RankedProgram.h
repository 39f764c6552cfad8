// A training step that several ranks compute together.
#ifndef GENSYN_RUNTIME_RANKS_RANKEDPROGRAM_H
#define GENSYN_RUNTIME_RANKS_RANKEDPROGRAM_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Runtime/Devices/Program.h"
#include "gensyn/Runtime/Ranks/Islands.h"
#include "gensyn/Runtime/Ranks/ParallelRanks.h"
#include "gensyn/Runtime/Ranks/RankTimes.h"
#include "gensyn/Runtime/Ranks/Sharding.h"
#include "gensyn/Runtime/Ranks/TensorCuts.h"
#include "gensyn/Runtime/Ranks/TensorTile.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The kept tensors of which ranks have some elements each; shared by the
/// programs of a model.
struct ShardedState {
  /// By name; set by the first program that divides them.
  std::map<std::string, Cut> cuts;
  /// True if other ranks' elements are undefined on this one, though there may
  /// be memory for them.
  bool isDivided = false;
};

/// What one rank of a group runs between two exchanges of values
/// (plan.proto, Phase).
struct StepPhase {
  Signature ports;
  int64_t stage = 0, tensor = 0, segment = 0;
  /// By the number of the sum; other sums it adds up whole.
  std::map<size_t, TensorTile> tiles;
};

/// The parts of a training step (plan.proto, SplitStep), loaded on this rank's
/// device.
struct StepParts {
  /// Inputs, outputs and identity of the whole step.
  std::shared_ptr<const plan::Executable> step;
  int64_t microbatches = 0;
  ParallelRanks parallel;
  Islands islands;
  /// All phases of a microbatch, and the programs of this rank's.
  std::vector<StepPhase> phases;
  std::vector<std::unique_ptr<Program>> microbatch;
  /// Null if microbatches pass on nothing.
  std::unique_ptr<Program> carry;
  /// Null if the update is divided.
  std::unique_ptr<Program> update;
  /// This rank's part of a divided update.
  std::vector<std::unique_ptr<Program>> updates;
  TensorCuts cuts;
  Sharding sharding = Sharding::None;
  std::shared_ptr<ShardedState> state;
  /// Each adds two tensors of one type.
  std::vector<std::unique_ptr<Program>> additions;
};

/// Makes a program with the inputs and outputs of the whole step. Each rank
/// runs some of the microbatches, and share() says whose samples it reads; all
/// ranks run it at the same time, and all get the same results, with the bits
/// of the step on one machine. Throws a Failure (bad input) if the parts do not
/// fit together. `ranks` and `times` must outlive the program.
std::unique_ptr<Program> makeRankedProgram(StepParts parts,
                                           communication::Communicator &ranks,
                                           RankTimes &times);

/// Makes a program of all ranks of one that each runs alone, where other
/// programs divide the tensors of `state`.
std::unique_ptr<Program>
makeGatheredProgram(std::unique_ptr<Program> program,
                    communication::Communicator &ranks,
                    std::shared_ptr<ShardedState> state);

} // namespace gensyn::runtime

#endif
