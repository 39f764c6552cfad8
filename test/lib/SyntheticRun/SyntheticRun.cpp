// See SyntheticRun.h.

#include "SyntheticRun.h"

#include "SyntheticProgram.h"
#include "SyntheticSource.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Data/Shuffle.h"

namespace gensyn::testing {

using namespace proof;
using runtime::WitnessedState;
using runtime::witnessTensor;

static constexpr int64_t kSamples = 8, kBatch = 3, kBatches = 3;

/// The rows of these samples.
static Tensor makeInput(const std::vector<int64_t> &samples) {
  std::vector<float> elements;
  for (int64_t sample : samples)
    for (int i = 0; i < 300; ++i)
      elements.push_back(float(sample * 1000 + i));
  return Tensor::of<float>({int64_t(samples.size()), 300}, elements);
}

static const char *programOf(bool isLast) { return isLast ? "last" : "full"; }

struct SyntheticRun::Done {
  bool isLast = false;
  StepSource::Record record;
  WitnessedState before, after, constants;
  std::vector<Tensor> values;
  runtime::SampleVisitor samples;
};

class SyntheticRun::Source final : public StepSource {
public:
  explicit Source(std::shared_ptr<const Done> done)
      : done(done), program(stepProgram(), done->isLast, done->values) {}

  Record record() override { return done->record; }
  WitnessedState before() override { return done->before; }
  WitnessedState after() override { return done->after; }
  WitnessedState constants() override { return done->constants; }
  runtime::SampleVisitor samples() override { return done->samples; }
  std::vector<runtime::WitnessedTensor> values() override {
    return program.values();
  }
  Tensor value(uint64_t number) override { return program.value(number); }
  plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) override {
    return program.listEntries(described);
  }
  plan::EvaluateResponse locate(const plan::EvaluateRequest &request) override {
    return program.locate(request);
  }
  CarriedValues iterate(uint64_t value) override {
    return program.iterate(value);
  }
  std::shared_ptr<ProgramSource> enter(uint64_t value,
                                       uint64_t iteration) override {
    return program.enter(value, iteration);
  }

private:
  std::shared_ptr<const Done> done;
  SyntheticSource program;
};

static WitnessedState witness(const std::map<std::string, Tensor> &tensors) {
  WitnessedState state;
  for (const auto &[name, tensor] : tensors)
    state[name] = witnessTensor(tensor);
  return state;
}

/// The arguments of a program but for the state.
static std::vector<Tensor>
makeArguments(uint64_t seed, int64_t step, const std::vector<int64_t> &samples,
              const std::map<std::string, Tensor> &state) {
  return {state.at("w"),
          state.at("m"),
          Tensor::scalar(int64_t((step - 1) / kBatches)),
          makeInput(samples),
          Tensor::scalar(int64_t(seed)),
          Tensor::scalar(step - 1),
          Tensor::of<float>({2}, {3, 4})};
}

void SyntheticRun::addStep(int64_t step, Tensors &state) {
  const int64_t batch = (step - 1) % kBatches, epoch = (step - 1) / kBatches;
  auto done = std::make_shared<Done>();
  done->isLast = batch == kBatches - 1;
  const std::vector<int64_t> order =
      runtime::permutation(kSamples, seed, uint64_t(epoch) + 1);
  for (int64_t i = batch * kBatch; i < std::min((batch + 1) * kBatch, kSamples);
       ++i)
    done->record.samples.push_back(order[size_t(i)]);
  state[runtime::kEpochState] = Tensor::scalar(epoch);
  done->before = steps.empty() ? start.state : steps.back()->after;
  done->constants = start.constants;
  done->samples = start.visitSamples;
  done->values = runProgram(
      stepProgram(), makeArguments(seed, step, done->record.samples, state),
      done->isLast);
  done->record.programDigest = programOf(done->isLast);
  done->record.loss = double(done->values[Loss].as<float>()[0]);
  state["w"] = done->values[NewParameter];
  state["m"] = done->values[NewState];
  done->after = witness(state);
  runtime::WitnessedStep told;
  told.step = step;
  told.programDigest = done->record.programDigest;
  told.samples = done->record.samples;
  told.loss = done->record.loss;
  found.push_back(
      {digestStep(found.back().history, told), digestState(done->after)});
  steps.push_back(std::move(done));
}

SyntheticRun::SyntheticRun(uint64_t seed) : seed(seed) {
  Tensors state = {{"w", makeTensor(1)},
                   {"m", makeTensor(2)},
                   {"other", makeTensor(3)},
                   {runtime::kEpochState, Tensor::scalar(int64_t(0))}};
  auto rootOf = [&](bool isLast) {
    const std::vector<int64_t> samples(isLast ? 2 : 3);
    std::vector<TensorType> types;
    for (const Tensor &argument : makeArguments(seed, 1, samples, state))
      types.push_back(typeOf(argument));
    return toHex(findProgramRoot(stepProgram(), types, isLast));
  };
  start.facts = {{"program_digest", programOf(false)},
                 {"program_root", rootOf(false)},
                 {"last_batch_program_digest", programOf(true)},
                 {"last_batch_program_root", rootOf(true)},
                 {"data", "some"},
                 {"samples", kSamples},
                 {"batch_size", kBatch},
                 {"shuffle", true},
                 {"seed", seed}};
  start.state = witness(state);
  start.constants = {{"c", witnessTensor(Tensor::of<float>({2}, {3, 4}))}};
  start.visitSamples =
      [](const std::function<void(const WitnessedState &)> &visit) {
        for (int64_t sample = 0; sample < kSamples; ++sample) {
          const Tensor batch = makeInput({sample});
          visit({{"x", witnessTensor(Tensor::view(ElementType::F32, {300},
                                                  batch.data(), nullptr))}});
        }
      };
  found.push_back({digestFacts(writeFacts(start)), digestState(start.state)});
  for (int64_t step = 1; step <= kSteps; ++step)
    addStep(step, state);
}

RunCommitments SyntheticRun::commitments() {
  RunCommitments told;
  told.facts = writeFacts(start);
  for (int64_t step = 0; step <= kSteps; step += kEvery) {
    const StepClaim &claim = found[size_t(step)];
    RunPoint point;
    point.step = step;
    point.history = claim.history;
    point.state = claim.state;
    point.root = digestPoint(
        told.points.empty() ? nullptr : &told.points.back().root, point);
    told.points.push_back(point);
  }
  return told;
}

std::vector<StepClaim> SyntheticRun::claims(const std::vector<int64_t> &asked) {
  std::vector<StepClaim> claims;
  for (int64_t step : asked) {
    if (step < 0 || step >= int64_t(found.size()))
      failBadInput("the run has no such step");
    claims.push_back(found[size_t(step)]);
  }
  return claims;
}

std::shared_ptr<StepSource> SyntheticRun::open(int64_t step) {
  if (step < 1 || step > int64_t(steps.size()))
    failBadInput("the run has no such step");
  return std::make_shared<Source>(steps[size_t(step) - 1]);
}

} // namespace gensyn::testing
