// The microbatches of a step that one rank runs.
#ifndef GENSYN_LIB_RUNTIME_RANKS_MICROBATCHES_H
#define GENSYN_LIB_RUNTIME_RANKS_MICROBATCHES_H

#include "DividedUpdate.h"
#include "ParameterFetch.h"
#include "PartInputs.h"
#include "SumExchange.h"
#include "gensyn/Runtime/Ranks/RankTimes.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// Runs the microbatches of a rank's range, adds their sums within the nodes of
/// the tree that the rank computes, and offers these to the exchange as soon as
/// they are complete.
class Microbatches final : private RunObserver {
public:
  /// `program` adds one microbatch to its sums (train-split-step). Throws a
  /// Failure (bad input) if it reads something that is not known.
  Microbatches(std::unique_ptr<Program> program, const Signature &step,
               int64_t microbatches, MicrobatchRange range, Addition &addition,
               SumExchange &exchange, RankTimes &times);

  const Program &part() const { return *program; }
  const std::vector<PartInput> &inputs() const { return bindings; }
  /// From now on inputs that `update` divides are fetched when they are read.
  void fetch(const DividedUpdate &update, communication::Communicator &ranks);

  /// Returns the sums of the nodes of the range. `kept` and `staged` are the
  /// step's inputs.
  std::vector<Sums> run(std::span<Value *const> kept,
                        std::span<const Tensor> staged);
  /// Waits until other ranks have fetched what this one has.
  void finish() {
    if (fetched)
      fetched->finish();
  }
  /// What the microbatches of the last run contribute to the values that they
  /// pass on, one after another.
  const std::vector<Tensor> &contributions() const { return contributed; }
  /// Memory for the sums of later steps.
  void keepMemory(Sums sums);

private:
  using Values = std::vector<Value>;

  // Of the microbatch that runs.
  void beforeInput(size_t input) override;
  void afterInput(size_t input) override;
  void afterOutput(size_t output, std::byte *bytes) override;

  /// The rows of an input that a microbatch reads.
  Tensor rowsOf(size_t input, int64_t microbatch) const;
  Values takeSums();
  void runMicrobatch(int64_t number, Values &sums, bool isFirst, bool isLast);
  Values runNode(TreeNode node, bool isLast);
  void add(Values &left, const Values &right, bool isLast);
  void offer(size_t sum, std::byte *bytes);
  void beginFetch();

  std::unique_ptr<Program> program;
  const Signature &step;
  int64_t microbatches;
  MicrobatchRange range;
  Addition &addition;
  SumExchange &exchange;
  RankTimes &times;
  std::vector<PartInput> bindings;
  std::vector<Port> sumPorts;

  std::optional<ParameterFetch> fetched;
  /// For each input its number in `fetched`, or -1; for each of these numbers
  /// the step's input.
  std::vector<int> fetchedAs;
  std::vector<size_t> fetchedInputs;

  std::span<Value *const> kept;
  std::span<const Tensor> staged;
  /// Results of the microbatch that ran last, for their memory.
  Values outputs;
  /// Memory of sums.
  std::vector<Values> unused;
  /// True if the program says when it uses its inputs.
  bool isObserved = false;
  /// The node that is computed, by its number; and of the microbatch that runs:
  /// where its sums are, and if they are zero before it, and complete after it.
  size_t node = 0;
  std::vector<std::byte *> sumBytes;
  std::vector<bool> isFilled;
  bool isFirstOfNode = false, isLastOfNode = false;
  std::vector<Tensor> contributed;
};

} // namespace gensyn::runtime

#endif
