// A program of a synthetic run that was run.
#ifndef GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICSOURCE_H
#define GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICSOURCE_H

#include "SyntheticIterations.h"
#include "SyntheticProgram.h"
#include "gensyn/Proof/Dispute/RunSource.h"

namespace gensyn::testing {

class SyntheticSource final : public proof::ProgramSource {
public:
  /// `program` must outlive it.
  SyntheticSource(const SyntheticProgram &program, bool isLast,
                  std::vector<Tensor> values)
      : program(program), isLast(isLast), all(std::move(values)) {}

  std::vector<runtime::WitnessedTensor> values() override;
  Tensor value(uint64_t number) override;
  plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) override;
  plan::EvaluateResponse locate(const plan::EvaluateRequest &request) override {
    return evaluateOp(request);
  }
  proof::CarriedValues iterate(uint64_t value) override;
  std::shared_ptr<proof::ProgramSource> enter(uint64_t value,
                                              uint64_t iteration) override;

private:
  /// The op that computes a value, before its first iteration.
  IteratedOp open(uint64_t value) const;

  const SyntheticProgram &program;
  bool isLast;
  std::vector<Tensor> all;
};

} // namespace gensyn::testing

#endif
