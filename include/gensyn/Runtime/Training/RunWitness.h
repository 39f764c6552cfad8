// What is told of a run while it is trained, for commitments to it.
#ifndef GENSYN_RUNTIME_TRAINING_RUNWITNESS_H
#define GENSYN_RUNTIME_TRAINING_RUNWITNESS_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <functional>
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

/// States that the steps of a program do not change, but who runs it: the
/// number of epochs before this one (an i64), at its beginning, and the factor
/// of the step size by reduce_on_plateau, at its end.
inline constexpr const char *kEpochState = "schedule.epoch";
inline constexpr const char *kPlateauState = "schedule.factor";

/// Calls a function with each sample of the data, in the order of their
/// numbers: its tensors by the names of the program's inputs and targets.
using SampleVisitor =
    std::function<void(const std::function<void(const WitnessedState &)> &)>;

/// What a run begins with, or goes on with.
struct WitnessedStart {
  /// What determines its bits, beside the state (docs/Proof.md).
  OrderedJson facts;
  WitnessedState state;
  /// Tensors that no step changes.
  WitnessedState constants;
  /// Null if samples have no numbers.
  SampleVisitor visitSamples;
  /// Of all samples.
  uint64_t sampleBytes = 0;
};

/// Data of at most so many bytes are read at the beginning of a run, and others
/// if that is asked for.
inline constexpr uint64_t kMostSampleBytes = uint64_t(1) << 30;

/// A tensor by its digest.
inline WitnessedTensor witnessTensor(const Tensor &tensor) {
  Hasher hasher;
  hasher.update(tensor.data(), size_t(tensor.byteSize()));
  return {tensor.elementType(), tensor.shape(), hasher.digest()};
}

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

  /// Before the first step of a run.
  virtual void begin(const WitnessedStart &start) = 0;
  /// The same of a run that goes on after `step`; `saved` is what the
  /// checkpoint has of save(), null if it has nothing.
  virtual void resume(int64_t step, const WitnessedStart &start,
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
