// Runs plans on any device: memory, steps, faults.

#ifndef GENSYN_EXECUTABLE_PLANRUN_H
#define GENSYN_EXECUTABLE_PLANRUN_H

#include "gensyn/Executable/AlignedMemory.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Tensor.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// The place of a buffer, and whether kernels may write there.
struct Place {
  uint8_t *begin;
  uint64_t bytes;
  bool writable;
};

/// Throws a Failure (bad input) for the first of a plan's faults, in program
/// order, that has a position; `positions` has one per slot, all ones for none.
void reportFaults(const plan::Plan &plan, std::span<const uint64_t> positions);

/// The words that faults of one run are recorded in. Kernels know elements
/// only: after an iteration of an outermost loop `merge` moves what they found
/// to positions, iteration in the upper 24 bits, element in the lower 40.
class FaultWords {
public:
  explicit FaultWords(const plan::Plan &plan)
      : plan(plan), elements(static_cast<size_t>(plan.faults_size()), none),
        positions(elements) {}

  /// Element `element` of slot `fault` is at fault, where that is the first
  /// one.
  void record(size_t fault, uint64_t element) {
    elements[fault] = std::min(elements[fault], element);
  }
  uint8_t *word(uint32_t fault) {
    return reinterpret_cast<uint8_t *>(&elements[fault]);
  }
  /// The op as a whole is at fault.
  void record(uint32_t fault) { elements[fault] = 0; }
  void merge(int64_t iteration);
  /// Throws a Failure where anything was merged.
  void report() const { reportFaults(plan, positions); }
  const std::vector<uint64_t> &getPositions() const { return positions; }

private:
  static constexpr uint64_t none = ~uint64_t(0);
  const plan::Plan &plan;
  std::vector<uint64_t> elements, positions;
};

/// Throws a Failure (out of resources) where a checked program needs more
/// memory than this machine has.
void requireMemory(const plan::Plan &plan);

/// The memory of a plan that outlives a run.
class PlanMemory {
public:
  /// Throws a Failure (out of resources) where the program needs more memory
  /// than the machine has.
  explicit PlanMemory(const plan::Plan &plan);

  /// Puts a pattern into all bytes of the arena, where a run should depend on
  /// none of them.
  void fillArena(uint8_t pattern);

  /// The place of every buffer of the plan for one run.
  std::vector<Place> place(const plan::Plan &plan,
                           std::span<const Tensor *const> inputs,
                           std::span<Tensor> outputs, FaultWords &faults) const;

private:
  AlignedBytes arena;
  uint64_t arenaBytes;
  std::vector<AlignedBytes> constants;
};

/// The actions of a run's steps, on any machine.
class StepMachine {
public:
  virtual ~StepMachine() = default;
  /// Runs a launch, by its number.
  virtual void launch(int number) = 0;
  /// Copies a buffer's bytes to another one.
  virtual void copy(uint32_t from, uint32_t to) = 0;
  /// True if a buffer's byte is not 0.
  virtual bool flag(uint32_t buffer) = 0;
  /// Records a fault where a buffer's byte is 0.
  virtual void check(uint32_t ok, uint32_t fault) = 0;
  virtual void record(uint32_t fault) = 0;
  virtual void setIndex(uint32_t buffer, int64_t value) = 0;
  virtual void exchange(uint32_t first, uint32_t second) = 0;
  /// An iteration of an outermost loop is over; see FaultWords.
  virtual void mergeFaults(int64_t iteration) = 0;
};

/// Steps that a run may take, each launch, copy and iteration counted. What
/// takes a microsecond each ends after minutes.
constexpr uint64_t mostSteps = uint64_t(1) << 28;

/// Throws a Failure (out of resources): there are more.
[[noreturn]] void failTooManySteps();

/// Runs the steps of a checked plan. All faults are merged in the end. Throws a
/// Failure (out of resources) where it takes too many steps.
void runSteps(const plan::Plan &plan, StepMachine &machine);

/// The same in host memory: `launch` is given the numbers of launches,
/// and what steps do to places shows in `places` when it is called. All faults
/// are merged in the end, and not reported.
void runSteps(const plan::Plan &plan, std::vector<Place> &places,
              FaultWords &faults, const std::function<void(int)> &launch);

} // namespace gensyn::runtime

#endif
