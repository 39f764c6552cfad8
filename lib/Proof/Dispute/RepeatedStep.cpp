// See RepeatedStep.h.

#include "RepeatedStep.h"

#include "gensyn/Executable/Support/Error.h"

namespace gensyn::proof {

/// Learns the states before and after the step, and what the step does.
class RepeatedStep::Witness final : public runtime::RunWitness {
public:
  explicit Witness(int64_t step) : wanted(step) {}

  bool wantsState(int64_t step) const override { return step >= wanted - 1; }
  bool wantsCheckpoints() const override { return false; }
  void begin(const runtime::WitnessedStart &start) override {
    newest = start.state;
    constants = start.constants;
    visitSamples = start.visitSamples;
  }
  void resume(int64_t, const runtime::WitnessedStart &start,
              const nlohmann::json &) override {
    begin(start);
  }
  void step(const runtime::WitnessedStep &step) override {
    record = {step.programDigest,
              {step.samples.begin(), step.samples.end()},
              step.loss};
  }
  void state(const runtime::WitnessedState &state, bool) override {
    newest = state;
  }

  runtime::WitnessedState newest, constants;
  Record record;
  runtime::SampleVisitor visitSamples;

private:
  int64_t wanted;
};

RepeatedStep::RepeatedStep(const RepeatOptions &options, int64_t start,
                           int64_t step)
    : witness(std::make_unique<Witness>(step)),
      replay(options.run, start, step, *witness, [&](int64_t done) {
        if (options.progress)
          options.progress("repeating step " + std::to_string(start + done));
      }) {
  stateBefore = witness->newest;
  // The replay has it until this ends.
  program = std::make_unique<RunProgram>(
      options,
      std::shared_ptr<const runtime::ProgramRun>(
          std::shared_ptr<const runtime::ProgramRun>(), &replay.program()),
      "step " + std::to_string(step));
  replay.advance();
}

RepeatedStep::~RepeatedStep() = default;

StepSource::Record RepeatedStep::record() { return witness->record; }

runtime::WitnessedState RepeatedStep::after() { return witness->newest; }

runtime::WitnessedState RepeatedStep::constants() { return witness->constants; }

runtime::SampleVisitor RepeatedStep::samples() { return witness->visitSamples; }

} // namespace gensyn::proof
