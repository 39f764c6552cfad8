// A training step that several ranks compute together.
#ifndef GENSYN_RUNTIME_RANKS_RANKEDPROGRAM_H
#define GENSYN_RUNTIME_RANKS_RANKEDPROGRAM_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Runtime/Devices/Program.h"
#include "gensyn/Runtime/Ranks/RankTimes.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gensyn::runtime {

/// The parts of a training step (plan.proto, SplitStep), loaded on this rank's
/// device.
struct StepParts {
  /// Inputs, outputs and identity of the whole step.
  std::shared_ptr<const plan::Executable> step;
  int64_t microbatches = 0;
  std::unique_ptr<Program> microbatch;
  /// Null if microbatches pass on nothing.
  std::unique_ptr<Program> carry;
  std::unique_ptr<Program> update;
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

} // namespace gensyn::runtime

#endif
