// Runs plans on any device: memory, steps, faults.

#ifndef GENSYN_EXECUTABLE_PLANRUN_H
#define GENSYN_EXECUTABLE_PLANRUN_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Executable/Support/AlignedMemory.h"
#include "gensyn/Executable/WorkMemory.h"
#include "gensyn/Numerics/Tensor.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gensyn {

/// The address of a buffer; `writable` if kernels may write to it.
struct Place {
  uint8_t *begin;
  uint64_t bytes;
  bool writable;
};

/// Throws a Failure (bad input) for the first of a plan's faults, in program
/// order, that has a position. `positions` has one per slot, all ones for none.
void reportFaults(const plan::Plan &plan, std::span<const uint64_t> positions);

/// The fault words of one run. Kernels record elements only. After an iteration
/// of an outermost loop `merge` converts them to positions: the iteration in
/// the upper 24 bits, the element in the lower 40.
class FaultWords {
public:
  explicit FaultWords(const plan::Plan &plan);

  /// Records a fault at element `element` of slot `fault`, if it is the first
  /// one.
  void record(size_t fault, uint64_t element) {
    elements[fault] = std::min(elements[fault], element);
  }
  uint8_t *word(uint32_t fault) {
    return reinterpret_cast<uint8_t *>(&elements[fault]);
  }
  /// Records a fault of the op as a whole.
  void record(uint32_t fault) { elements[fault] = 0; }
  void merge(int64_t iteration);
  /// Throws a Failure if any fault was merged.
  void report() const { reportFaults(plan, positions); }
  const std::vector<uint64_t> &getPositions() const { return positions; }

private:
  static constexpr uint64_t none = ~uint64_t(0);
  const plan::Plan &plan;
  std::vector<uint64_t> elements, positions;
};

/// Throws a Failure (out of resources) if a checked program needs more memory
/// than this machine has.
void requireMemory(const plan::Plan &plan);

/// The memory of a plan but for its inputs and outputs.
class PlanMemory {
public:
  /// Throws a Failure (out of resources) if the program needs more memory than
  /// the machine has. Null `work`: of its own.
  explicit PlanMemory(const plan::Plan &plan,
                      std::shared_ptr<WorkMemory> work = nullptr);

  /// Fills the arena with a pattern, to show that a run depends on none of its
  /// bytes.
  void fillArena(uint8_t pattern);
  /// The same for the memory of prepared values, before they are computed.
  void fillPrepared(uint8_t pattern);

  /// Returns the address of every buffer of the plan for one run.
  std::vector<Place> place(const plan::Plan &plan,
                           std::span<const Tensor *const> inputs,
                           std::span<Tensor> outputs, FaultWords &faults) const;

private:
  std::shared_ptr<WorkMemory> work;
  AlignedBytes prepared;
  uint64_t arenaBytes, preparedBytes;
  std::vector<AlignedBytes> constants;
};

/// The actions of a run's steps, independent of the machine.
class StepMachine {
public:
  virtual ~StepMachine() = default;
  /// Called before each step of a run (LaunchGraph.h), by its number, and with
  /// their number after the last one.
  virtual void beginStep(size_t number) {}
  /// Runs a launch, by its number.
  virtual void launch(int number) = 0;
  /// Copies a buffer's bytes to another one.
  virtual void copy(uint32_t from, uint32_t to) = 0;
  /// Returns true if a buffer's byte is not 0.
  virtual bool flag(uint32_t buffer) = 0;
  /// Records a fault if a buffer's byte is 0.
  virtual void check(uint32_t ok, uint32_t fault) = 0;
  virtual void record(uint32_t fault) = 0;
  virtual void setIndex(uint32_t buffer, int64_t value) = 0;
  virtual void exchange(uint32_t first, uint32_t second) = 0;
  /// Called at the end of an iteration of an outermost loop; see FaultWords.
  virtual void mergeFaults(int64_t iteration) = 0;
};

/// Maximum number of steps of a run: every launch, copy and iteration counts.
/// At a microsecond each this is minutes.
constexpr uint64_t mostSteps = uint64_t(1) << 28;

/// Throws a Failure (out of resources): the limit was exceeded.
[[noreturn]] void failTooManySteps();

/// True if an op in a loop may fault: then faults are read after each
/// iteration.
bool mayFaultInLoops(const plan::Plan &plan);

/// True if a plan has values that are computed once per set of parameters.
bool hasPreparation(const plan::Plan &plan);

/// Computes the prepared values of a checked plan, before its first run and
/// after changes of the inputs that they depend on.
void runPreparation(const plan::Plan &plan, StepMachine &machine);

/// Runs the steps of a checked plan and merges all faults at the end. Throws a
/// Failure (out of resources) if it takes too many steps.
void runSteps(const plan::Plan &plan, StepMachine &machine);

/// The same in host memory, after the preparation if `prepares`. `launch`
/// receives the indices of launches; `places` has the current addresses when it
/// is called. All faults are merged at the end, and not reported.
void runSteps(const plan::Plan &plan, std::vector<Place> &places,
              FaultWords &faults, const std::function<void(int)> &launch,
              bool prepares = true);

} // namespace gensyn

#endif
