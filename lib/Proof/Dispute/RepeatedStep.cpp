// See RepeatedStep.h.

#include "RepeatedStep.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <set>

namespace gensyn::proof {

/// Ops whose values are computed at a time, and values that are kept.
static constexpr size_t mostOps = 512, mostKept = 64;

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
    : options(options), step(step), witness(std::make_unique<Witness>(step)),
      replay(options.run, start, step, *witness, [&](int64_t done) {
        if (options.progress)
          options.progress("repeating step " + std::to_string(start + done));
      }) {
  stateBefore = witness->newest;
  const runtime::ProgramRun &run = replay.program();
  say("listing the ops of step " + std::to_string(step));
  program = listEntries({});
  ops = run.model->listOps(run.request, run.digest);
  computeValues();
  replay.advance();
}

RepeatedStep::~RepeatedStep() = default;

StepSource::Record RepeatedStep::record() { return witness->record; }

runtime::WitnessedState RepeatedStep::after() { return witness->newest; }

runtime::WitnessedState RepeatedStep::constants() { return witness->constants; }

runtime::SampleVisitor RepeatedStep::samples() { return witness->visitSamples; }

void RepeatedStep::addValue(const Tensor &tensor) {
  Hasher hasher;
  hasher.update(tensor.data(), size_t(tensor.byteSize()));
  digests.push_back({tensor.elementType(), tensor.shape(), hasher.digest()});
}

void RepeatedStep::computeValues() {
  const runtime::ProgramRun &run = replay.program();
  for (const Tensor &input : run.inputs)
    addValue(input);
  std::vector<int64_t> chosen;
  uint64_t bytes = 0;
  auto compute = [&] {
    if (chosen.empty())
      return;
    say("computing value " + std::to_string(digests.size()) + " of step " +
        std::to_string(step));
    for (const Tensor &value : runtime::computeOpValues(run, ops, chosen))
      addValue(value);
    chosen.clear();
    bytes = 0;
  };
  for (const plan::EntriesResponse::Entry &entry : program.entries()) {
    uint64_t more = 0;
    for (const runtime::ProgramOp::Result &result :
         ops.at(entry.position()).results)
      more += uint64_t(countBytes(result.type, result.shape).value_or(0));
    if (chosen.size() == mostOps || bytes + more > options.memory)
      compute();
    chosen.push_back(entry.position());
    bytes += more;
  }
  compute();
}

uint64_t findEntry(const plan::EntriesResponse &program, uint64_t value) {
  // An op without results begins where the next one does.
  const auto after = std::upper_bound(
      program.entries().begin(), program.entries().end(), value,
      [](uint64_t value, const plan::EntriesResponse::Entry &entry) {
        return value < entry.first_value();
      });
  if (after == program.entries().begin())
    failBadInput("value " + std::to_string(value) + " is an argument");
  return uint64_t(after - program.entries().begin()) - 1;
}

void RepeatedStep::computeAgain(const std::vector<int64_t> &positions) {
  say("computing values of step " + std::to_string(step) + " again");
  std::vector<Tensor> computed =
      runtime::computeOpValues(replay.program(), ops, positions);
  const size_t most = std::max(mostKept, computed.size());
  size_t at = 0;
  for (int64_t position : positions) {
    const auto entry = std::ranges::find_if(
        program.entries(), [&](const plan::EntriesResponse::Entry &entry) {
          return int64_t(entry.position()) == position;
        });
    for (uint64_t r = 0; r < ops.at(size_t(position)).results.size(); ++r)
      kept.emplace_front(entry->first_value() + r, std::move(computed[at++]));
  }
  while (kept.size() > most)
    kept.pop_back();
}

Tensor RepeatedStep::value(uint64_t number) {
  if (number >= digests.size())
    failBadInput("the program has no value " + std::to_string(number));
  const runtime::ProgramRun &run = replay.program();
  if (number < run.inputs.size())
    return run.inputs[number];
  auto find = [&] {
    return std::ranges::find_if(
        kept, [&](const auto &entry) { return entry.first == number; });
  };
  if (const auto found = find(); found != kept.end())
    return found->second;
  // With what it is computed from, which is asked for next.
  const int64_t position =
      program.entries(int(findEntry(program, number))).position();
  std::set<int64_t> wanted = {position};
  for (const runtime::ProgramOp::Operand &operand :
       ops.at(size_t(position)).operands)
    if (operand.op >= 0 && !ops.at(size_t(operand.op)).isConstant)
      wanted.insert(operand.op);
  computeAgain({wanted.begin(), wanted.end()});
  const auto found = find();
  if (found == kept.end())
    throw Failure(ExitCode::Bug, "a value was not computed");
  return found->second;
}

plan::EntriesResponse
RepeatedStep::listEntries(const std::vector<uint64_t> &described) {
  const runtime::ProgramRun &run = replay.program();
  return run.model->listEntries(run.request, run.digest, described);
}

plan::EvaluateResponse
RepeatedStep::locate(const plan::EvaluateRequest &request) {
  return replay.program().model->openedCompiler()->evaluate(request);
}

} // namespace gensyn::proof
