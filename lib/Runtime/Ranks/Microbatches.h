// The microbatches of a step that one rank runs.
#ifndef GENSYN_LIB_RUNTIME_RANKS_MICROBATCHES_H
#define GENSYN_LIB_RUNTIME_RANKS_MICROBATCHES_H

#include "DividedUpdate.h"
#include "ParameterFetch.h"
#include "PartInputs.h"
#include "PipelineSchedule.h"
#include "StepLayout.h"
#include "SumExchange.h"
#include "gensyn/Runtime/Ranks/RankTimes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// Runs the phases of a rank over the microbatches of its group, adds
/// their sums within the nodes of the tree that the group computes, and offers
/// these to the exchange as soon as they are complete.
class Microbatches final : private RunObserver {
public:
  /// `programs` are the phases of this rank, in order: each adds one
  /// microbatch to its sums (train-split-step, train-cut-stages,
  /// train-cut-tensors). Throws a Failure (bad input) if one reads something
  /// that is not known.
  Microbatches(std::vector<std::unique_ptr<Program>> programs,
               const Signature &step, const StepLayout &layout,
               Addition &addition, SumExchange &exchange,
               communication::Communicator &ranks, RankTimes &times);

  /// From now on inputs that `update` divides are fetched when they are read.
  void fetch(const DividedUpdate &update);

  /// Returns the sums of the nodes of the range; those of other stages are
  /// empty. `kept` and `staged` are the step's inputs.
  std::vector<Sums> run(std::span<Value *const> kept,
                        std::span<const Tensor> staged);
  /// Waits until other ranks have what this one sends.
  void finish();
  /// By microbatch and number: what the microbatches of the last run contribute
  /// to the values that they pass on.
  using Contributions = std::map<std::pair<int64_t, size_t>, Tensor>;
  const Contributions &contributions() const { return contributed; }
  /// The step's inputs in the order in which the last run used them first.
  std::span<const size_t> firstUses() const { return used; }
  /// Memory for the sums of later steps.
  void keepMemory(Sums sums);

private:
  using Values = std::vector<Value>;

  struct Phase {
    size_t number = 0;
    std::unique_ptr<Program> program;
    std::vector<PartInput> inputs, outputs;
    /// True if the program says when it uses its inputs.
    bool isObserved = false;
    /// For each input its number in `fetched`, or -1.
    std::vector<int> fetchedAs;
    /// Numbers of its sums, and its parts of them; `Values` of sums are in this
    /// order.
    std::vector<size_t> sums;
    std::vector<Port> sumPorts;
    /// Results of the run before, for their memory; memory of sums.
    Values results;
    std::vector<Values> unused;

    // In a step: the node that is computed, by its number; nodes below it that
    // are complete; the sums of the present one.
    size_t node = 0;
    std::vector<std::pair<TreeNode, Values>> complete;
    Values current;

    size_t placeOf(size_t sum) const {
      return size_t(std::find(sums.begin(), sums.end(), sum) - sums.begin());
    }
  };

  struct PhaseRun {
    Phase *phase;
    int64_t microbatch;
  };
  struct Travelling {
    communication::Transfer transfer;
    Tensor tensor;
  };

  // Of the phase that runs.
  void beforeInput(size_t input) override;
  void afterInput(size_t input) override;
  void afterOutput(size_t output, std::byte *bytes) override;

  void check(const Phase &phase) const;
  /// The rows of an input that a microbatch reads.
  Tensor rowsOf(size_t input, int64_t microbatch) const;
  void schedule();
  void takeSums(Phase &phase);
  std::string describe(const Phase &phase, int64_t microbatch) const;
  void runPhase(Phase &phase, int64_t microbatch);
  void takeResults(Phase &phase, int64_t microbatch);
  void closeLeaf(Phase &phase, TreeNode leaf);
  /// Begins to receive what a phase reads from other ranks.
  void expectCuts(const Phase &phase, int64_t microbatch);
  Tensor takeCut(const Phase &phase, size_t cut, int64_t microbatch);
  void passCut(size_t cut, int64_t microbatch, Tensor value);
  void offer(size_t sum, std::byte *bytes);
  void beginFetch();
  void takeArriving();
  void awaitInput(size_t input);

  const Signature &step;
  const StepLayout &layout;
  Addition &addition;
  SumExchange &exchange;
  communication::Communicator &ranks;
  RankTimes &times;
  MicrobatchRange range;
  std::vector<TreeNode> nodes;
  std::vector<Phase> phases;
  /// Those of a step, in order.
  std::vector<PhaseRun> runs;

  std::optional<ParameterFetch> fetched;
  /// The step's input of each number in `fetched`.
  std::vector<size_t> fetchedInputs;

  std::span<Value *const> kept;
  std::span<const Tensor> staged;
  /// For each input of the step: what still arrives of it, if anything, and
  /// whether it is in `used`.
  std::vector<std::unique_ptr<ArrivingTensor>> arriving;
  std::vector<bool> isUsed;
  std::vector<size_t> used;
  std::vector<Sums> results;
  Contributions contributed;
  /// By microbatch and number: values that later phases of this rank read,
  /// and those that are on their way to it; and those that leave it.
  std::map<std::pair<int64_t, size_t>, Tensor> held;
  std::map<std::pair<int64_t, size_t>, Travelling> received;
  std::vector<Travelling> sent;

  /// The phase that runs: where its sums are, and if they are zero before it,
  /// and complete after it.
  Phase *active = nullptr;
  std::vector<std::byte *> sumBytes;
  std::vector<bool> isFilled;
  bool isFirstOfLeaf = false, isLastOfNode = false;
};

} // namespace gensyn::runtime

#endif
