// What is told of a run while it is trained, for commitments to it.
#ifndef GENSYN_RUNTIME_TRAINING_RUNWITNESS_H
#define GENSYN_RUNTIME_TRAINING_RUNWITNESS_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// A tensor by the BLAKE3 digest of its elements' bytes.
struct WitnessedTensor {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  Digest elements;
};

/// All that persists from step to step, by name: parameters, running
/// statistics, the state of the optimizer, averages.
using WitnessedState = std::map<std::string, WitnessedTensor>;

struct WitnessedStep {
  int64_t step = 0;
  std::string programDigest;
  /// The numbers of its samples in the data set.
  std::span<const int64_t> samples;
  double loss = 0;
};

/// Learns what a run does. All ranks have one and ask it what it wants; the
/// first one alone tells it the rest. What it throws ends the run.
class RunWitness {
public:
  virtual ~RunWitness() = default;

  /// True if the state after this step is wanted, whether there is a checkpoint
  /// or not. It does not depend on the rank.
  virtual bool wantsState(int64_t step) const = 0;
  /// True if the states of checkpoints are wanted. Those whose time a stop or a
  /// clock decided are told as stops.
  virtual bool wantsCheckpoints() const = 0;

  /// Before the first step of a run. `facts` are what determines its bits,
  /// beside the state (docs/Proof.md).
  virtual void begin(const OrderedJson &facts, const WitnessedState &state) = 0;
  /// The same of a run that goes on after `step`; `saved` is what the
  /// checkpoint has of save(), null if it has nothing.
  virtual void resume(int64_t step, const OrderedJson &facts,
                      const WitnessedState &state,
                      const nlohmann::json &saved) = 0;
  virtual void step(const WitnessedStep &step) = 0;
  /// The state after the last step, before there is a checkpoint of it; at most
  /// once for a step. `isStop`: neither wantsState() nor
  /// wantsCheckpoints() asks for it, or a stop or a clock decided its time.
  virtual void state(const WitnessedState &state, bool isStop) = 0;
  /// What a checkpoint has to keep for resume(). Called before it is written:
  /// what the witness knows must not be lost when the checkpoint is there.
  virtual OrderedJson save() { return nullptr; }
};

} // namespace gensyn::runtime

#endif
