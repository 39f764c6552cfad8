// See RankedProgram.h.

#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include "SumExchange.h"
#include "Tags.h"
#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstring>
#include <map>
#include <optional>
#include <string_view>

namespace gensyn::runtime {

using communication::Communicator;
using communication::Transfer;

// Names of the parts' own inputs and outputs (train-split-step).
static constexpr std::string_view kNumber = "gensyn.microbatch";
static constexpr std::string_view kSum = "gensyn.sum.";
static constexpr std::string_view kContribution = "gensyn.contribution.";
static constexpr std::string_view kPassed = "gensyn.passed.";

[[noreturn]] static void failParts(const std::string &why) {
  failBadInput("the program is malformed: the parts of the step " + why);
}

/// Where an input of a part comes from.
struct PartInput {
  enum class Kind { Step, Number, Sum, Contribution, Passed };
  Kind kind;
  /// Of the step's inputs, of the sums, ...
  size_t index;
};

namespace {

class RankedProgram final : public Program {
public:
  RankedProgram(StepParts given, Communicator &ranks, RankTimes &times);

  SampleShare share() const override;
  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;
  void stage(std::span<const Tensor *const> inputs) override;
  void begin(std::span<Value *const> kept, std::span<Value> outputs) override;

private:
  using Values = std::vector<Value>;
  using Bindings = std::vector<PartInput>;

  Bindings bind(const Program &part) const;
  void checkPorts() const;
  /// The rows of an input that a microbatch reads.
  Tensor rowsOf(size_t input, int64_t microbatch) const;
  bool isSplit(const Port &port) const {
    return !port.shape.empty() &&
           (port.role == Role::Input || port.role == Role::Target);
  }

  Values makeZeros();
  void runMicrobatch(int64_t number, Values &sums);
  Values runNode(TreeNode node);
  std::vector<Sums> runNodes();
  Sums exchangeSums(std::vector<Sums> nodes);
  void keepMemory(Sums sums);
  void add(Values &left, const Values &right);
  void passOn();
  void update(const Sums &totals, std::span<Value> outputs);

  StepParts parts;
  Communicator &ranks;
  RankTimes &times;
  MicrobatchRange range;
  Bindings ofMicrobatch, ofCarry, ofUpdate;
  std::vector<Port> sumPorts, contributionPorts;
  Addition addition;
  SumExchange exchange;
  /// The inputs of the next run; empty for those that are kept.
  std::vector<Tensor> stagedNext, staged;
  std::vector<Value *> kept;
  /// Results of the part that ran last, for their memory.
  Values microbatchOutputs;
  /// Memory of sums.
  std::vector<Values> unused;
  /// Contributions of this rank's microbatches, one after another.
  std::vector<Tensor> contributions;
  Values passed;
};

/// The number behind a prefix.
std::optional<size_t> numberIn(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix))
    return std::nullopt;
  size_t number = 0;
  for (char digit : name.substr(prefix.size())) {
    if (digit < '0' || digit > '9' || number > 1'000'000)
      return std::nullopt;
    number = number * 10 + size_t(digit - '0');
  }
  return number;
}

/// Takes the tensor, so that it is not shared with the value.
Tensor takeTensor(Value &value) {
  Tensor tensor = value.read();
  value = Value(tensor.elementType(), tensor.shape());
  return tensor;
}

std::vector<Port> outputsWith(const Program &part, std::string_view prefix) {
  std::vector<Port> found;
  for (const Port &port : part.signature().outputs)
    if (numberIn(port.name, prefix) == found.size())
      found.push_back(port);
  return found;
}

} // namespace

RankedProgram::RankedProgram(StepParts given, Communicator &ranks,
                             RankTimes &times)
    : Program(given.step), parts(std::move(given)), ranks(ranks), times(times),
      range(rangeOf(ranks.rank(), ranks.size(), parts.microbatches)),
      ofMicrobatch(bind(*parts.microbatch)), ofUpdate(bind(*parts.update)),
      sumPorts(outputsWith(*parts.microbatch, kSum)),
      contributionPorts(outputsWith(*parts.microbatch, kContribution)),
      addition(std::move(parts.additions)),
      exchange(ranks, sumPorts, parts.microbatches, addition) {
  if (parts.carry)
    ofCarry = bind(*parts.carry);
  checkPorts();
  for (const Port &port : parts.microbatch->signature().outputs)
    microbatchOutputs.emplace_back(port.type, port.shape);
}

RankedProgram::Bindings RankedProgram::bind(const Program &part) const {
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < signature().inputs.size(); ++i)
    known[signature().inputs[i].name] = i;
  using Kind = PartInput::Kind;
  Bindings bindings;
  for (const Port &port : part.signature().inputs) {
    if (port.name == kNumber)
      bindings.push_back({Kind::Number, 0});
    else if (auto sum = numberIn(port.name, kSum))
      bindings.push_back({Kind::Sum, *sum});
    else if (auto contribution = numberIn(port.name, kContribution))
      bindings.push_back({Kind::Contribution, *contribution});
    else if (auto value = numberIn(port.name, kPassed))
      bindings.push_back({Kind::Passed, *value});
    else if (auto found = known.find(port.name); found != known.end())
      bindings.push_back({Kind::Step, found->second});
    else
      failParts("read " + quote(port.name));
  }
  return bindings;
}

/// Types and shapes of the parts fit together; plans may come from files.
void RankedProgram::checkPorts() const {
  if (parts.microbatches < 2 ||
      sumPorts.size() + contributionPorts.size() !=
          parts.microbatch->signature().outputs.size())
    failParts("are of another step");
  const std::vector<Port> next =
      parts.carry ? parts.carry->signature().outputs : std::vector<Port>();
  auto check = [&](const Program &part, const Bindings &bindings,
                   bool ofOneMicrobatch) {
    for (size_t i = 0; i < bindings.size(); ++i) {
      const Port &port = part.signature().inputs[i];
      const auto [kind, index] = bindings[i];
      const std::vector<Port> *from =
          kind == PartInput::Kind::Step           ? &signature().inputs
          : kind == PartInput::Kind::Sum          ? &sumPorts
          : kind == PartInput::Kind::Contribution ? &contributionPorts
          : kind == PartInput::Kind::Passed       ? &next
                                                  : nullptr;
      if (!from) {
        if (port.type != ElementType::I64 || !port.shape.empty())
          failParts("count in " + describeShape(port.shape));
        continue;
      }
      if (index >= from->size())
        failParts("read " + quote(port.name));
      std::vector<int64_t> shape = (*from)[index].shape;
      if (kind == PartInput::Kind::Step && ofOneMicrobatch &&
          isSplit(signature().inputs[index])) {
        if (shape[0] % parts.microbatches)
          failParts("do not divide " + quote(port.name));
        shape[0] /= parts.microbatches;
      }
      if (port.type != (*from)[index].type || port.shape != shape)
        failParts("read " + quote(port.name) + " as another tensor");
    }
  };
  check(*parts.microbatch, ofMicrobatch, true);
  check(*parts.update, ofUpdate, false);
  if (parts.carry)
    check(*parts.carry, ofCarry, false);
  const std::vector<Port> &results = parts.update->signature().outputs;
  bool fits = results.size() == signature().outputs.size();
  for (size_t j = 0; fits && j < results.size(); ++j)
    fits = results[j].type == signature().outputs[j].type &&
           results[j].shape == signature().outputs[j].shape;
  if (!fits)
    failParts("have other results");
}

SampleShare RankedProgram::share() const {
  return {range.begin, range.count(), parts.microbatches};
}

void RankedProgram::stage(std::span<const Tensor *const> inputs) {
  stagedNext.clear();
  for (const Tensor *input : inputs)
    stagedNext.push_back(input ? *input : Tensor());
}

Tensor RankedProgram::rowsOf(size_t input, int64_t microbatch) const {
  const Port &port = signature().inputs[input];
  const Tensor &given = staged[input];
  std::vector<int64_t> shape = port.shape;
  const bool isWhole = given.shape() == shape;
  shape[0] /= parts.microbatches;
  const int64_t bytes = countBytes(port.type, shape).value_or(0);
  const int64_t first = isWhole ? microbatch : microbatch - range.begin;
  // The tensor is kept in `staged` as long as parts run.
  return Tensor::view(port.type, shape, given.data() + first * bytes, nullptr);
}

/// The sums of no microbatch, in memory that was used before if there is some:
/// new pages cost more than the elements.
RankedProgram::Values RankedProgram::makeZeros() {
  Values zeros;
  if (!unused.empty()) {
    zeros = std::move(unused.back());
    unused.pop_back();
  }
  for (size_t i = 0; i < sumPorts.size(); ++i) {
    Tensor tensor = i < zeros.size()
                        ? takeTensor(zeros[i])
                        : Tensor(sumPorts[i].type, sumPorts[i].shape);
    fillTensor(tensor, -0.0);
    if (i < zeros.size())
      zeros[i] = Value(std::move(tensor));
    else
      zeros.emplace_back(std::move(tensor));
  }
  return zeros;
}

/// Adds the microbatch's values to `sums`.
void RankedProgram::runMicrobatch(int64_t number, Values &sums) {
  std::vector<Tensor> made(ofMicrobatch.size());
  std::vector<const Tensor *> inputs(ofMicrobatch.size(), nullptr);
  std::vector<Value *> values(ofMicrobatch.size(), nullptr);
  for (size_t i = 0; i < ofMicrobatch.size(); ++i) {
    const auto [kind, index] = ofMicrobatch[i];
    if (kind == PartInput::Kind::Sum) {
      values[i] = &sums[index];
    } else if (kind == PartInput::Kind::Number) {
      made[i] = Tensor::scalar(number);
      inputs[i] = &made[i];
    } else if (Value *value = kept[index]) {
      values[i] = value;
    } else if (isSplit(signature().inputs[index])) {
      made[i] = rowsOf(index, number);
      inputs[i] = &made[i];
    } else {
      inputs[i] = &staged[index];
    }
  }
  parts.microbatch->stage(inputs);
  parts.microbatch->begin(values, microbatchOutputs);
  parts.microbatch->end();
  for (size_t i = 0; i < sums.size(); ++i)
    std::swap(sums[i], microbatchOutputs[i]);
  for (size_t i = sums.size(); i < microbatchOutputs.size(); ++i) {
    contributions.push_back(microbatchOutputs[i].read());
    microbatchOutputs[i] =
        Value(microbatchOutputs[i].elementType(), microbatchOutputs[i].shape());
  }
}

RankedProgram::Values RankedProgram::runNode(TreeNode node) {
  if (node.count <= 2) {
    Values sums = makeZeros();
    for (int64_t i = 0; i < node.count; ++i)
      runMicrobatch(node.first + i, sums);
    return sums;
  }
  const auto [left, right] = node.children();
  Values sums = runNode(left), others = runNode(right);
  add(sums, others);
  unused.push_back(std::move(others));
  return sums;
}

void RankedProgram::add(Values &left, const Values &right) {
  for (size_t i = 0; i < left.size(); ++i) {
    Tensor sum = takeTensor(left[i]);
    addition.add(sum, right[i].read());
    left[i] = Value(std::move(sum));
  }
}

/// Sends what this rank's microbatches contribute, and computes the values that
/// the last microbatch passes on.
void RankedProgram::passOn() {
  if (!parts.carry)
    return;
  const size_t each = contributionPorts.size();
  int64_t bytesOfEach = 0;
  for (const Port &port : contributionPorts)
    bytesOfEach += countBytes(port.type, port.shape).value_or(0);
  std::vector<std::vector<std::byte>> all(static_cast<size_t>(ranks.size()));
  std::vector<Transfer> transfers;
  auto &own = all[size_t(ranks.rank())];
  for (const Tensor &tensor : contributions)
    own.insert(own.end(), tensor.data(), tensor.data() + tensor.byteSize());
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank())
      continue;
    const auto other = rangeOf(rank, ranks.size(), parts.microbatches);
    all[size_t(rank)].resize(size_t(other.count() * bytesOfEach));
    transfers.push_back(
        ranks.receive(rank, kContributionTag, all[size_t(rank)]));
    transfers.push_back(ranks.send(rank, kContributionTag, own));
  }
  for (const Transfer &transfer : transfers)
    ranks.wait(transfer);
  const Signature &ports = parts.carry->signature();
  passed.clear();
  Values outputs;
  std::vector<size_t> states;
  for (size_t j = 0; j < ports.outputs.size(); ++j) {
    const int input = ports.donated[j];
    if (input < 0)
      failParts("pass on " + quote(ports.outputs[j].name));
    // Not in its own memory: the update may read the old value.
    passed.emplace_back(kept[ofCarry[size_t(input)].index]->read());
    outputs.emplace_back(ports.outputs[j].type, ports.outputs[j].shape);
    states.push_back(size_t(input));
  }
  for (const std::vector<std::byte> &bytes : all)
    for (const std::byte *next = bytes.data(), *end = next + bytes.size();
         next != end;) {
      std::vector<Tensor> values;
      for (size_t i = 0; i < each; ++i) {
        const Port &port = contributionPorts[i];
        Tensor &value = values.emplace_back(port.type, port.shape);
        std::memcpy(value.data(), next, size_t(value.byteSize()));
        next += value.byteSize();
      }
      std::vector<const Tensor *> inputs(ofCarry.size(), nullptr);
      std::vector<Value *> taken(ofCarry.size(), nullptr);
      for (size_t i = 0; i < ofCarry.size(); ++i) {
        const auto [kind, index] = ofCarry[i];
        if (kind == PartInput::Kind::Contribution)
          inputs[i] = &values[index];
        else if (kept[index])
          taken[i] = kept[index];
        else
          inputs[i] = &staged[index];
      }
      for (size_t j = 0; j < states.size(); ++j)
        taken[states[j]] = &passed[j];
      parts.carry->stage(inputs);
      parts.carry->begin(taken, outputs);
      parts.carry->end();
      for (size_t j = 0; j < states.size(); ++j)
        std::swap(passed[j], outputs[j]);
    }
}

void RankedProgram::update(const Sums &totals, std::span<Value> outputs) {
  std::vector<const Tensor *> inputs(ofUpdate.size(), nullptr);
  std::vector<Value *> values(ofUpdate.size(), nullptr);
  // The part keeps what was staged, and the memory is needed again.
  std::vector<Tensor> views;
  for (const Tensor &total : totals)
    views.push_back(Tensor::view(total.elementType(), total.shape(),
                                 total.data(), nullptr));
  for (size_t i = 0; i < ofUpdate.size(); ++i) {
    const auto [kind, index] = ofUpdate[i];
    if (kind == PartInput::Kind::Sum)
      inputs[i] = &views[index];
    else if (kind == PartInput::Kind::Passed)
      inputs[i] = &passed[index].read();
    else if (kept[index])
      values[i] = kept[index];
    else
      inputs[i] = &staged[index];
  }
  parts.update->stage(inputs);
  parts.update->begin(values, outputs);
  parts.update->end();
}

/// Runs this rank's microbatches.
std::vector<Sums> RankedProgram::runNodes() {
  const TimedPart part(times.computing);
  times.microbatches += range.count();
  std::vector<Sums> nodes;
  for (TreeNode node : nodesIn(range, parts.microbatches)) {
    Values sums = runNode(node);
    Sums &taken = nodes.emplace_back();
    for (Value &sum : sums)
      taken.push_back(takeTensor(sum));
  }
  return nodes;
}

Sums RankedProgram::exchangeSums(std::vector<Sums> nodes) {
  const TimedPart part(times.exchanging);
  Sums totals = exchange.run(nodes);
  for (Sums &rest : nodes)
    keepMemory(std::move(rest));
  return totals;
}

void RankedProgram::keepMemory(Sums sums) {
  if (sums.empty())
    return;
  Values &values = unused.emplace_back();
  for (Tensor &tensor : sums)
    values.emplace_back(std::move(tensor));
}

void RankedProgram::begin(std::span<Value *const> values,
                          std::span<Value> outputs) {
  kept.assign(values.begin(), values.end());
  staged = std::move(stagedNext);
  stagedNext.clear();
  contributions.clear();
  Sums totals = exchangeSums(runNodes());
  const TimedPart part(times.updating);
  passOn();
  update(totals, outputs);
  keepMemory(std::move(totals));
  kept.clear();
}

/// All runs go by way of begin().
void RankedProgram::run(std::span<const Tensor *const>, std::span<Tensor>) {
  throw Failure(ExitCode::Bug, "a step of several ranks runs on values");
}

std::unique_ptr<Program> makeRankedProgram(StepParts parts,
                                           communication::Communicator &ranks,
                                           RankTimes &times) {
  return std::make_unique<RankedProgram>(std::move(parts), ranks, times);
}

} // namespace gensyn::runtime
