// See AlteredRun.h.

#include "AlteredRun.h"

namespace gensyn::cheats {

using namespace proof;

void spoil(runtime::WitnessedState &state) {
  state.begin()->second.elements[0] ^= 0x80;
}

namespace {

/// A program with one value that is told otherwise, or in an iteration of which
/// one is.
class AlteredProgram final : public ProgramSource {
public:
  AlteredProgram(std::shared_ptr<ProgramSource> honest, const Lie &lie,
                 size_t depth)
      : honest(std::move(honest)), lie(lie), depth(depth) {}

  std::vector<runtime::WitnessedTensor> values() override {
    std::vector<runtime::WitnessedTensor> values = honest->values();
    if (isAltered())
      values[altered()] = runtime::witnessTensor(value(altered()));
    return values;
  }
  Tensor value(uint64_t number) override {
    Tensor value = honest->value(number);
    if (isAltered() && number == altered()) {
      if (isInner())
        value.data()[0] ^= std::byte(1);
      else
        lie.alter(value);
    }
    return value;
  }
  plan::EntriesResponse
  listEntries(const std::vector<uint64_t> &described) override {
    plan::EntriesResponse response = honest->listEntries(described);
    if (lie.program && depth == 0)
      lie.program(response);
    return response;
  }
  plan::EvaluateResponse locate(const plan::EvaluateRequest &request) override {
    return honest->locate(request);
  }
  CarriedValues iterate(uint64_t number) override;
  std::shared_ptr<ProgramSource> enter(uint64_t number,
                                       uint64_t iteration) override {
    std::shared_ptr<ProgramSource> inner = honest->enter(number, iteration);
    if (!isInner() || number != altered() ||
        iteration != lie.path[depth].iteration())
      return inner;
    return std::make_shared<AlteredProgram>(inner, lie, depth + 1);
  }

private:
  bool isInner() const { return depth < lie.path.size(); }
  bool isAltered() const { return isInner() || lie.alter; }
  uint64_t altered() const {
    return isInner() ? lie.path[depth].value() : lie.value;
  }

  std::shared_ptr<ProgramSource> honest;
  const Lie &lie;
  size_t depth;
};

CarriedValues AlteredProgram::iterate(uint64_t number) {
  CarriedValues carried = honest->iterate(number);
  if (!isInner()) {
    if (lie.carried && number == lie.value)
      lie.carried(carried);
    return carried;
  }
  if (number != altered())
    return carried;
  // The one that the altered result is at the end.
  const runtime::WitnessedTensor right = honest->values().at(number);
  size_t c = 0;
  while (digestTensor(carried.back().at(c)) != digestTensor(right))
    ++c;
  for (size_t i = lie.path[depth].iteration(); i < carried.size(); ++i)
    carried[i][c].elements[0] ^= 0x80;
  carried.back()[c] = runtime::witnessTensor(value(number));
  return carried;
}

class AlteredStep final : public StepSource {
public:
  AlteredStep(std::shared_ptr<StepSource> honest, const Lie &lie)
      : honest(honest), lie(lie), program(honest, lie, 0) {}

  Record record() override {
    Record record = honest->record();
    if (lie.record)
      lie.record(record);
    return record;
  }
  runtime::WitnessedState before() override {
    runtime::WitnessedState state = honest->before();
    if (lie.before)
      lie.before(state);
    return state;
  }
  runtime::WitnessedState after() override {
    runtime::WitnessedState state = honest->after();
    if (lie.after)
      lie.after(state);
    return state;
  }
  runtime::WitnessedState constants() override { return honest->constants(); }
  runtime::SampleVisitor samples() override { return honest->samples(); }
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
  std::shared_ptr<StepSource> honest;
  const Lie &lie;
  AlteredProgram program;
};

} // namespace

static Digest spoiled(Digest digest) {
  digest[0] ^= 0x80;
  return digest;
}

StepClaim AlteredRun::alterClaim(int64_t step, const StepClaim &claim) {
  if (step < lie.step)
    return claim;
  const std::shared_ptr<StepSource> source = honest.open(lie.step);
  StepClaim altered = claim;
  if (lie.after)
    altered.state = spoiled(claim.state);
  if (step > lie.step) {
    if (lie.record)
      altered.history = spoiled(claim.history);
    return altered;
  }
  AlteredStep told(source, lie);
  altered.state = digestState(told.after());
  const StepSource::Record record = told.record();
  runtime::WitnessedStep witnessed;
  witnessed.step = step;
  witnessed.programDigest = record.programDigest;
  witnessed.samples = record.samples;
  witnessed.loss = record.loss;
  altered.history =
      digestStep(honest.claims({step - 1}).front().history, witnessed);
  return altered;
}

RunCommitments AlteredRun::commitments() {
  RunCommitments told = honest.commitments();
  if (lie.commitments)
    lie.commitments(told);
  const Digest *before = nullptr;
  for (RunPoint &point : told.points) {
    const StepClaim claim =
        alterClaim(point.step, {point.history, point.state});
    if (point.step > 0) {
      point.history = claim.history;
      point.state = claim.state;
    }
    point.root = digestPoint(before, point);
    before = &point.root;
  }
  return told;
}

std::vector<StepClaim> AlteredRun::claims(const std::vector<int64_t> &steps) {
  std::vector<StepClaim> claims = honest.claims(steps);
  for (size_t i = 0; i < steps.size(); ++i)
    claims[i] = alterClaim(steps[i], claims[i]);
  return claims;
}

std::shared_ptr<StepSource> AlteredRun::open(int64_t step) {
  if (step != lie.step)
    return honest.open(step);
  return std::make_shared<AlteredStep>(honest.open(step), lie);
}

} // namespace gensyn::cheats
