// A program that is run again.
#ifndef GENSYN_LIB_PROOF_DISPUTE_RUNPROGRAM_H
#define GENSYN_LIB_PROOF_DISPUTE_RUNPROGRAM_H

#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Proof/Dispute/RepeatedRun.h"
#include "gensyn/Runtime/Replay/StepDifference.h"

#include <list>
#include <set>
#include <utility>

namespace gensyn::proof {

class RunProgram final : public ProgramSource {
public:
  /// Computes all values of a program. `options` and the run's model must
  /// outlive it; `name` is what messages call it: "step 17".
  RunProgram(const RepeatOptions &options,
             std::shared_ptr<const runtime::ProgramRun> run, std::string name);

  std::vector<runtime::WitnessedTensor> values() override { return digests; }
  Tensor value(uint64_t number) override;
  plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) override;
  plan::EvaluateResponse locate(const plan::EvaluateRequest &request) override;
  CarriedValues iterate(uint64_t value) override;
  std::shared_ptr<ProgramSource> enter(uint64_t value,
                                       uint64_t iteration) override;

private:
  /// An op that has iterations, and what it reads.
  struct IteratedOp;

  void computeValues();
  void addValue(const Tensor &tensor);
  /// Computes the results of ops again, and keeps them.
  void computeAgain(const std::vector<int64_t> &positions);
  std::set<int64_t> findOperands(int64_t position) const;
  IteratedOp readOp(uint64_t value);
  void say(const std::string &text) const {
    if (options.progress)
      options.progress(text);
  }

  const RepeatOptions &options;
  std::shared_ptr<const runtime::ProgramRun> run;
  std::string name;
  plan::EntriesResponse program;
  std::vector<runtime::ProgramOp> ops;
  std::vector<runtime::WitnessedTensor> digests;
  /// The newest ones that were computed again, by their numbers.
  std::list<std::pair<uint64_t, Tensor>> kept;
};

/// The entry of the op that computes a value, from 0. Throws a Failure (bad
/// input) for an argument.
uint64_t findEntry(const plan::EntriesResponse &program, uint64_t value);
/// A tensor over the bytes of a message, which `owner` keeps; null if it
/// outlives the tensor.
Tensor viewOf(const plan::TensorValue &value,
              std::shared_ptr<const void> owner = nullptr);

} // namespace gensyn::proof

#endif
