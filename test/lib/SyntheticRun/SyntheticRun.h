// A training run of a few small tensors, and a compiler that knows its ops, so
// that disputes are settled without a model and in microseconds.
#ifndef GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICRUN_H
#define GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICRUN_H

#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Proof/Dispute/RunSource.h"
#include "gensyn/Runtime/Compiler/Compiler.h"

#include <vector>

namespace gensyn::testing {

/// Eight samples in batches of three, the last of two, which has a program of
/// its own; five epochs.
class SyntheticRun final : public proof::RunSource {
public:
  static constexpr int64_t kSteps = 15, kEvery = 5;
  /// Values of its programs: arguments, then a result of each op.
  enum Value : uint64_t {
    Parameter,
    State,
    Epoch,
    Input,
    Key,
    Step,
    Constant,
    Sum,
    Shifted,
    Loss,
    NewParameter,
    NewState,
    /// Whether the loop has iterations; its results.
    Flag,
    Looped,
    LoopedSecond,
    kValues
  };
  /// Values of an iteration of the loop, and of a branch in it.
  struct InLoop {
    enum Value : uint64_t {
      Index,
      X,
      Y,
      Operand,
      Added,
      Less,
      Odd,
      Branched,
      Picked,
      Next,
      More,
      kValues
    };
  };
  struct InBranch {
    enum Value : uint64_t { X, Y, Result, kValues };
  };

  explicit SyntheticRun(uint64_t seed = 7);

  proof::RunCommitments commitments() override;
  std::vector<proof::StepClaim>
  claims(const std::vector<int64_t> &steps) override;
  std::shared_ptr<proof::StepSource> open(int64_t step) override;

private:
  /// What a step begins with and leaves: tensors by name.
  using Tensors = std::map<std::string, Tensor>;
  struct Done;
  class Source;

  void addStep(int64_t step, Tensors &state);

  uint64_t seed;
  runtime::WitnessedStart start;
  std::vector<std::shared_ptr<const Done>> steps;
  std::vector<proof::StepClaim> found;
};

/// Answers "evaluate" about the ops of such runs.
runtime::Compiler makeSyntheticCompiler();

} // namespace gensyn::testing

#endif
