// A step that is repeated.
#ifndef GENSYN_LIB_PROOF_DISPUTE_REPEATEDSTEP_H
#define GENSYN_LIB_PROOF_DISPUTE_REPEATEDSTEP_H

#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Proof/Dispute/RepeatedRun.h"
#include "gensyn/Runtime/Replay/RepeatRun.h"

#include <list>
#include <utility>

namespace gensyn::proof {

class RepeatedStep final : public StepSource {
public:
  /// Repeats the run from the checkpoint of step `start` until behind `step`,
  /// and computes all values of its program. `options` must outlive it.
  RepeatedStep(const RepeatOptions &options, int64_t start, int64_t step);
  ~RepeatedStep() override;

  Record record() override;
  runtime::WitnessedState before() override { return stateBefore; }
  runtime::WitnessedState after() override;
  runtime::WitnessedState constants() override;
  runtime::SampleVisitor samples() override;
  std::vector<runtime::WitnessedTensor> values() override { return digests; }
  Tensor value(uint64_t number) override;
  plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) override;
  plan::EvaluateResponse locate(const plan::EvaluateRequest &request) override;

private:
  class Witness;

  void computeValues();
  void addValue(const Tensor &tensor);
  /// Computes the results of ops again, and keeps them.
  void computeAgain(const std::vector<int64_t> &positions);
  void say(const std::string &text) const {
    if (options.progress)
      options.progress(text);
  }

  const RepeatOptions &options;
  int64_t step;
  std::unique_ptr<Witness> witness;
  runtime::StepReplay replay;
  runtime::WitnessedState stateBefore;
  plan::EntriesResponse program;
  std::vector<runtime::ProgramOp> ops;
  std::vector<runtime::WitnessedTensor> digests;
  /// The newest ones that were computed again, by their numbers.
  std::list<std::pair<uint64_t, Tensor>> kept;
};

/// The entry of the op that computes a value, from 0. Throws a Failure (bad
/// input) for an argument.
uint64_t findEntry(const plan::EntriesResponse &program, uint64_t value);

} // namespace gensyn::proof

#endif
