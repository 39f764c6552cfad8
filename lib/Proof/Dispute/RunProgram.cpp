// See RunProgram.h.

#include "RunProgram.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Models/Model.h"

#include <algorithm>
#include <set>

namespace gensyn::proof {

/// Ops whose values are computed at a time, and values that are kept.
static constexpr size_t mostOps = 512, mostKept = 64;

RunProgram::RunProgram(const RepeatOptions &options,
                       std::shared_ptr<const runtime::ProgramRun> run,
                       std::string name)
    : options(options), run(std::move(run)), name(std::move(name)) {
  say("listing the ops of " + this->name);
  program = listEntries({});
  ops = this->run->model->listOps(this->run->request, this->run->digest);
  computeValues();
}

void RunProgram::addValue(const Tensor &tensor) {
  digests.push_back(runtime::witnessTensor(tensor));
}

void RunProgram::computeValues() {
  for (const Tensor &input : run->inputs)
    addValue(input);
  std::vector<int64_t> chosen;
  uint64_t bytes = 0;
  auto compute = [&] {
    if (chosen.empty())
      return;
    say("computing value " + std::to_string(digests.size()) + " of " + name);
    for (const Tensor &value : runtime::computeOpValues(*run, ops, chosen))
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

void RunProgram::computeAgain(const std::vector<int64_t> &positions) {
  say("computing values of " + name + " again");
  std::vector<Tensor> computed = runtime::computeOpValues(*run, ops, positions);
  // What was asked for, and others as long as they are few.
  const size_t needed = computed.size();
  size_t at = 0;
  for (int64_t position : positions) {
    const auto entry = std::ranges::find_if(
        program.entries(), [&](const plan::EntriesResponse::Entry &entry) {
          return int64_t(entry.position()) == position;
        });
    for (uint64_t r = 0; r < ops.at(size_t(position)).results.size(); ++r)
      kept.emplace_front(entry->first_value() + r, std::move(computed[at++]));
  }
  uint64_t bytes = 0;
  size_t used = 0;
  for (const auto &[number, tensor] : kept) {
    bytes += uint64_t(tensor.byteSize());
    if (++used > needed && (used > mostKept || bytes > options.memory))
      break;
  }
  while (kept.size() > std::max(used, needed))
    kept.pop_back();
}

/// The positions of the ops that compute what an op reads.
std::set<int64_t> RunProgram::findOperands(int64_t position) const {
  std::set<int64_t> found;
  for (const runtime::ProgramOp::Operand &operand :
       ops.at(size_t(position)).operands)
    if (operand.op >= 0 && !ops.at(size_t(operand.op)).isConstant)
      found.insert(operand.op);
  return found;
}

Tensor RunProgram::value(uint64_t number) {
  if (number >= digests.size())
    failBadInput("the program has no value " + std::to_string(number));
  if (number < run->inputs.size())
    return run->inputs[number];
  auto find = [&] {
    return std::ranges::find_if(
        kept, [&](const auto &entry) { return entry.first == number; });
  };
  if (const auto found = find(); found != kept.end())
    return found->second;
  // With what it is computed from, which is asked for next.
  const int64_t position =
      program.entries(int(findEntry(program, number))).position();
  std::set<int64_t> wanted = findOperands(position);
  wanted.insert(position);
  computeAgain({wanted.begin(), wanted.end()});
  const auto found = find();
  if (found == kept.end())
    throw Failure(ExitCode::Bug, "a value was not computed");
  return found->second;
}

plan::EntriesResponse
RunProgram::listEntries(const std::vector<uint64_t> &described) {
  return run->model->listEntries(run->request, run->digest, described);
}

plan::EvaluateResponse
RunProgram::locate(const plan::EvaluateRequest &request) {
  return run->model->openedCompiler()->evaluate(request);
}

Tensor viewOf(const plan::TensorValue &value,
              std::shared_ptr<const void> owner) {
  const std::optional<ElementType> type =
      elementTypeFromName(value.element_type());
  std::vector<int64_t> shape(value.shape().begin(), value.shape().end());
  if (!type || countBytes(*type, shape) != int64_t(value.data().size()))
    throw Failure(ExitCode::Bug, "a constant has another size than its type");
  return Tensor::view(*type, std::move(shape), value.data().data(),
                      std::move(owner));
}

/// What one iteration of an op needs.
struct RunProgram::IteratedOp {
  plan::OpIterations iterations;
  std::vector<Tensor> operands;
  /// Of one iteration.
  runtime::ProgramRequest request;

  /// The carried values before the first one.
  std::vector<Tensor> begin() const {
    std::vector<Tensor> carried;
    for (uint32_t operand : iterations.initial())
      carried.push_back(operands.at(operand));
    return carried;
  }
  /// The arguments of an iteration behind `before` others.
  std::vector<Tensor> arguments(const std::vector<Tensor> &carried,
                                uint64_t before) const;
  bool goesOn(const std::vector<Tensor> &carried, uint64_t before) const {
    return before < iterations.most() &&
           (!iterations.has_flag() ||
            carried.at(iterations.flag()).data()[0] != std::byte(0));
  }
};

std::vector<Tensor>
RunProgram::IteratedOp::arguments(const std::vector<Tensor> &carried,
                                  uint64_t before) const {
  using Argument = plan::OpIterations::Argument;
  std::vector<Tensor> arguments;
  for (const Argument &argument : iterations.arguments()) {
    if (argument.kind() == Argument::INDEX)
      arguments.push_back(Tensor::scalar(int64_t(before)));
    else
      arguments.push_back(argument.kind() == Argument::CARRIED
                              ? carried.at(argument.number())
                              : operands.at(argument.number()));
  }
  return arguments;
}

RunProgram::IteratedOp RunProgram::readOp(uint64_t value) {
  const uint64_t entry = findEntry(program, value);
  IteratedOp op;
  // Operands that are constants are its bytes, for as long as they are used.
  const auto response =
      std::make_shared<const plan::EntriesResponse>(listEntries({entry}));
  const plan::EntriesResponse::Described &described = response->described(0);
  plan::EvaluateRequest request;
  *request.mutable_text() = described.text();
  const plan::EvaluateResponse found = locate(request);
  if (!found.has_iterations())
    failBadInput("value " + std::to_string(value) +
                 " is not computed by iterations");
  op.iterations = found.iterations();
  const std::set<int64_t> wanted =
      findOperands(program.entries(int(entry)).position());
  if (!wanted.empty())
    computeAgain({wanted.begin(), wanted.end()});
  for (int i = 0; i < described.text().operands_size(); ++i) {
    const plan::EntryOperand &operand = described.text().operands(i);
    op.operands.push_back(operand.constant().empty()
                              ? this->value(operand.value())
                              : viewOf(described.constants(i), response));
  }
  op.request = run->request;
  uint32_t variant = 0;
  if (op.iterations.has_choice())
    variant = op.operands.at(op.iterations.choice()).data()[0] == std::byte(0)
                  ? 1
                  : 0;
  op.request.nested.push_back(
      {program.entries(int(entry)).position(), variant});
  return op;
}

/// Runs an iteration.
static std::vector<Tensor> runIteration(runtime::Program &program,
                                        const std::vector<Tensor> &arguments) {
  std::vector<const Tensor *> inputs;
  for (const Tensor &argument : arguments)
    inputs.push_back(&argument);
  std::vector<Tensor> outputs = makeOutputs(program.signature());
  program.run(inputs, outputs);
  return outputs;
}

static std::vector<runtime::WitnessedTensor>
witness(const std::vector<Tensor> &tensors) {
  std::vector<runtime::WitnessedTensor> witnessed;
  for (const Tensor &tensor : tensors)
    witnessed.push_back(runtime::witnessTensor(tensor));
  return witnessed;
}

CarriedValues RunProgram::iterate(uint64_t value) {
  const IteratedOp op = readOp(value);
  const auto iteration = run->model->programWithValues(op.request, {});
  std::vector<Tensor> carried = op.begin();
  CarriedValues values = {witness(carried)};
  for (uint64_t before = 0; op.goesOn(carried, before); ++before) {
    say("repeating iteration " + std::to_string(before + 1) + " of value " +
        std::to_string(value) + " of " + name);
    carried = runIteration(*iteration, op.arguments(carried, before));
    values.push_back(witness(carried));
  }
  return values;
}

std::shared_ptr<ProgramSource> RunProgram::enter(uint64_t value,
                                                 uint64_t iteration) {
  const IteratedOp op = readOp(value);
  std::vector<Tensor> carried = op.begin();
  uint64_t before = 0;
  if (iteration > 1) {
    const auto program = run->model->programWithValues(op.request, {});
    for (; before + 1 < iteration && op.goesOn(carried, before); ++before)
      carried = runIteration(*program, op.arguments(carried, before));
  }
  if (iteration != before + 1 || !op.goesOn(carried, before))
    failBadInput("value " + std::to_string(value) + " has no iteration " +
                 std::to_string(iteration));
  auto inner = std::make_shared<runtime::ProgramRun>();
  inner->model = run->model;
  inner->request = op.request;
  inner->digest = run->digest;
  inner->inputs = op.arguments(carried, before);
  return std::make_shared<RunProgram>(options, std::move(inner),
                                      "iteration " + std::to_string(iteration) +
                                          " of value " + std::to_string(value) +
                                          " of " + name);
}

} // namespace gensyn::proof
