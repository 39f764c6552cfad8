// A step that is repeated.
#ifndef GENSYN_LIB_PROOF_DISPUTE_REPEATEDSTEP_H
#define GENSYN_LIB_PROOF_DISPUTE_REPEATEDSTEP_H

#include "RunProgram.h"
#include "gensyn/Runtime/Replay/RepeatRun.h"

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
  std::vector<runtime::WitnessedTensor> values() override {
    return program->values();
  }
  Tensor value(uint64_t number) override { return program->value(number); }
  plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) override {
    return program->listEntries(described);
  }
  plan::EvaluateResponse locate(const plan::EvaluateRequest &request) override {
    return program->locate(request);
  }
  CarriedValues iterate(uint64_t value) override {
    return program->iterate(value);
  }
  std::shared_ptr<ProgramSource> enter(uint64_t value,
                                       uint64_t iteration) override {
    return program->enter(value, iteration);
  }

private:
  class Witness;

  std::unique_ptr<Witness> witness;
  runtime::StepReplay replay;
  runtime::WitnessedState stateBefore;
  std::unique_ptr<RunProgram> program;
};

} // namespace gensyn::proof

#endif
