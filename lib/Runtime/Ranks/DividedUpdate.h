// The update of a step, of which each rank computes a part.
#ifndef GENSYN_LIB_RUNTIME_RANKS_DIVIDEDUPDATE_H
#define GENSYN_LIB_RUNTIME_RANKS_DIVIDEDUPDATE_H

#include "PartInputs.h"
#include "SumExchange.h"
#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include <memory>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// Runs the stages of train-shard-update, and exchanges values between them. A
/// tensor that is cut keeps its shape; the elements of other ranks are
/// undefined after an update, or still arrive, as `gathered` says.
class DividedUpdate {
public:
  /// `sums` are the ports of the step's sums. `gathered` says which inputs of
  /// the step are to arrive on all ranks afterwards. Throws a Failure (bad
  /// input) if the parts do not fit together.
  DividedUpdate(const Signature &step, std::span<const Port> sums,
                std::vector<std::unique_ptr<Program>> stages,
                const TensorCuts &cuts, std::vector<bool> gathered,
                const Islands &islands, communication::Communicator &ranks);

  /// As Program::begin and Program::end: `kept` and `staged` are the step's
  /// inputs. `exchange` has this rank's ranges of sums, and `totals` those that
  /// are not cut. Inputs that arrive do so in the order of `firstUses`, as far
  /// as that has them.
  void run(const SumExchange &exchange, const Sums &totals,
           std::span<Value> passed, std::span<Value *const> kept,
           std::span<const Tensor> staged, std::span<Value> outputs,
           std::span<const size_t> firstUses);

  /// True if this rank has only some elements of an input after a run. The
  /// others are undefined.
  bool isCut(size_t input) const {
    return cutOfInput[input] && !gathered[input];
  }
  /// Gives the memory of other ranks' elements back to the system.
  void forget(std::span<Value *const> kept) const;
  const Cut *cut(size_t input) const { return cutOfInput[input]; }

private:
  struct Stage {
    std::unique_ptr<Program> program;
    std::vector<PartInput> inputs;
    /// The step's output that an output is, or -1 for an exchanged value.
    std::vector<int> outputs;
  };
  struct Run;
  void bind(size_t number, std::span<const Port> sums);
  void runStage(Stage &stage, Run &run);

  communication::Communicator &ranks;
  const Signature &step;
  std::vector<Stage> stages;
  /// Of the step's inputs and of sums; null if not cut.
  std::vector<const Cut *> cutOfInput, cutOfSum;
  std::vector<bool> gathered;
  Islands islands;
  /// All blocks' results of the exchanged values.
  struct Partial {
    Tensor whole;
    const Cut *cut;
    /// The stage behind the exchange.
    size_t stage;
  };
  std::vector<Partial> partials;
};

} // namespace gensyn::runtime

#endif
