// See RankedProgram.h.

#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include "DividedUpdate.h"
#include "ParameterFetch.h"
#include "PartInputs.h"
#include "SumExchange.h"
#include "Tags.h"
#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstring>
#include <optional>

namespace gensyn::runtime {

using communication::Communicator;
using communication::Transfer;

namespace {

class RankedProgram final : public Program, private RunObserver {
public:
  RankedProgram(StepParts given, Communicator &ranks, RankTimes &times);

  SampleShare share() const override;
  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;
  void stage(std::span<const Tensor *const> inputs) override;
  void begin(std::span<Value *const> kept, std::span<Value> outputs) override;
  bool isCut(size_t input) const override {
    return divided && divided->isCut(input);
  }
  void gather(std::span<Value *const> kept) override {
    if (divided && parts.state->isDivided)
      divided->gather(kept);
    isForgotten = false;
  }

private:
  using Values = std::vector<Value>;
  using Bindings = std::vector<PartInput>;

  void checkPorts() const;
  /// The rows of an input that a microbatch reads.
  Tensor rowsOf(size_t input, int64_t microbatch) const;
  bool isSplit(const Port &port) const {
    return !port.shape.empty() &&
           (port.role == Role::Input || port.role == Role::Target);
  }

  // Of the microbatch that runs.
  void beforeInput(size_t input) override;
  void afterInput(size_t input) override;
  void afterOutput(size_t output, std::byte *bytes) override;

  Values takeSums();
  void runMicrobatch(int64_t number, Values &sums, bool isFirst, bool isLast);
  Values runNode(TreeNode node, bool isLast);
  std::vector<Sums> runNodes();
  Sums exchangeSums(std::vector<Sums> &nodes);
  void offer(size_t sum, std::byte *bytes);
  void shareCuts();
  void prepareFetch();
  void beginFetch();
  std::vector<Cut> cutSums();
  void keepMemory(Sums sums);
  void add(Values &left, const Values &right, bool isLast);
  void passOn();
  void update(const Sums &totals, std::span<Value> outputs);
  void runStep(std::span<Value *const> values, std::span<Value> outputs);

  StepParts parts;
  Communicator &ranks;
  RankTimes &times;
  MicrobatchRange range;
  Bindings ofMicrobatch, ofCarry, ofUpdate;
  std::vector<Port> sumPorts, contributionPorts;
  /// The sums of which all ranks get all elements.
  std::vector<size_t> sharedSums;
  Addition addition;
  SumExchange exchange;
  std::optional<DividedUpdate> divided;
  std::optional<ParameterFetch> fetch;
  /// For each input of a microbatch its number in `fetch`, or -1; for each of
  /// these numbers the step's input.
  std::vector<int> fetchedAs;
  std::vector<size_t> fetched;
  /// True if this rank has no memory for elements of other ranks.
  bool isForgotten = false;
  /// The inputs of the next run; empty for those that are kept.
  std::vector<Tensor> stagedNext, staged;
  std::vector<Value *> kept;
  /// Results of the part that ran last, for their memory.
  Values microbatchOutputs;
  /// Memory of sums.
  std::vector<Values> unused;
  /// True if the microbatch says when it uses its inputs.
  bool isObserved = false;
  /// The node that is computed, by its number; and of the microbatch that runs:
  /// where its sums are, and if they are zero before it, and complete after it.
  size_t node = 0;
  std::vector<std::byte *> sumBytes;
  std::vector<bool> isFilled;
  bool isFirstOfNode = false, isLastOfNode = false;
  /// Contributions of this rank's microbatches, one after another.
  std::vector<Tensor> contributions;
  Values passed;
};

} // namespace

RankedProgram::RankedProgram(StepParts given, Communicator &ranks,
                             RankTimes &times)
    : Program(given.step), parts(std::move(given)), ranks(ranks), times(times),
      range(rangeOf(ranks.rank(), ranks.size(), parts.microbatches)),
      ofMicrobatch(bindInputs(*parts.microbatch, signature())),
      sumPorts(findSums(*parts.microbatch)),
      contributionPorts(findContributions(*parts.microbatch)),
      addition(std::move(parts.additions)),
      exchange(ranks, sumPorts, cutSums(), parts.microbatches, addition,
               parts.sharding >= Sharding::Gradients) {
  if (parts.update)
    ofUpdate = bindInputs(*parts.update, signature());
  if (parts.carry)
    ofCarry = bindInputs(*parts.carry, signature());
  checkPorts();
  if (!parts.update) {
    const bool isFetched = parts.sharding == Sharding::Parameters;
    std::vector<bool> isRead(signature().inputs.size(), false);
    for (const auto &[kind, index] : ofMicrobatch)
      if (kind == PartInput::Kind::Step)
        isRead[index] = !isFetched;
    divided.emplace(signature(), sumPorts, std::move(parts.stages), parts.cuts,
                    std::move(isRead), ranks);
    shareCuts();
  }
  for (const Port &port : parts.microbatch->signature().outputs)
    microbatchOutputs.emplace_back(port.type, port.shape);
  isObserved = parts.microbatch->observe(*this);
  if (parts.sharding == Sharding::Parameters)
    prepareFetch();
}

/// All programs of the model divide the state alike.
void RankedProgram::shareCuts() {
  std::map<std::string, Cut> cuts;
  for (size_t i = 0; i < signature().inputs.size(); ++i)
    if (divided->isCut(i))
      cuts[signature().inputs[i].name] = *divided->cut(i);
  std::map<std::string, Cut> &known = parts.state->cuts;
  if (!known.empty() && known != cuts)
    throw Failure(ExitCode::Bug, "two programs divide the state otherwise");
  known = std::move(cuts);
}

/// Finds the inputs of a microbatch that are fetched when it reads them.
void RankedProgram::prepareFetch() {
  const std::vector<uint32_t> uses = parts.microbatch->countUses();
  std::vector<ParameterFetch::Parameter> parameters;
  for (size_t i = 0; i < ofMicrobatch.size(); ++i) {
    fetchedAs.push_back(-1);
    const auto [kind, index] = ofMicrobatch[i];
    if (kind != PartInput::Kind::Step || !divided->cut(index))
      continue;
    fetchedAs.back() = int(parameters.size());
    fetched.push_back(index);
    parameters.push_back({divided->cut(index),
                          byteWidth(signature().inputs[index].type),
                          isObserved ? uses[i] : 1});
  }
  fetch.emplace(std::move(parameters), range.count(), ranks);
}

/// The cuts of all sums, and which of them ranks share.
std::vector<Cut> RankedProgram::cutSums() {
  std::vector<Cut> cuts(sumPorts.size());
  std::vector<Port> shared;
  for (size_t i = 0; i < sumPorts.size(); ++i) {
    const Port &port = sumPorts[i];
    if (const Cut *cut = parts.cuts.find(
            nameOfSum(i), countElements(port.shape).value_or(0))) {
      cuts[i] = *cut;
    } else {
      sharedSums.push_back(i);
      shared.push_back(port);
    }
  }
  const std::vector<Cut> even = cutEvenly(shared, ranks.size());
  for (size_t i = 0; i < sharedSums.size(); ++i)
    cuts[sharedSums[i]] = even[i];
  return cuts;
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
  if (parts.carry)
    check(*parts.carry, ofCarry, false);
  if (!parts.update)
    return; // DividedUpdate checks its own
  check(*parts.update, ofUpdate, false);
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

/// Memory for sums that was used before if there is some: new pages cost more
/// than the elements.
RankedProgram::Values RankedProgram::takeSums() {
  Values sums;
  if (!unused.empty()) {
    sums = std::move(unused.back());
    unused.pop_back();
  }
  for (size_t i = sums.size(); i < sumPorts.size(); ++i)
    sums.emplace_back(Tensor(sumPorts[i].type, sumPorts[i].shape));
  return sums;
}

/// The sum of no microbatch, just before one is added to it.
void RankedProgram::beforeInput(size_t input) {
  if (fetch && fetchedAs[input] >= 0)
    return fetch->acquire(size_t(fetchedAs[input]));
  const auto [kind, index] = ofMicrobatch[input];
  if (kind != PartInput::Kind::Sum || !isFirstOfNode || isFilled[index])
    return;
  isFilled[index] = true;
  Tensor sum = Tensor::over(sumPorts[index].type, sumPorts[index].shape,
                            sumBytes[index]);
  fillTensor(sum, -0.0);
}

void RankedProgram::afterInput(size_t input) {
  if (fetch && fetchedAs[input] >= 0)
    fetch->release(size_t(fetchedAs[input]));
}

void RankedProgram::afterOutput(size_t output, std::byte *bytes) {
  if (isLastOfNode && output < sumPorts.size())
    offer(output, bytes);
}

/// Sends a sum of the present node, which stays where it is.
void RankedProgram::offer(size_t sum, std::byte *bytes) {
  exchange.offer(node, sum, bytes);
  exchange.progress();
}

/// Adds the microbatch's values to `sums`.
void RankedProgram::runMicrobatch(int64_t number, Values &sums, bool isFirst,
                                  bool isLast) {
  isFirstOfNode = isFirst;
  isLastOfNode = isLast;
  isFilled.assign(sums.size(), false);
  sumBytes.clear();
  // Later sums stay where they are, perhaps on a device.
  for (Value &sum : isFirst ? std::span(sums) : std::span<Value>()) {
    Tensor tensor = takeTensor(sum);
    sumBytes.push_back(tensor.data());
    sum = Value(std::move(tensor));
  }
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
  for (size_t i = 0; i < ofMicrobatch.size() && !isObserved; ++i)
    beforeInput(i);
  parts.microbatch->stage(inputs);
  parts.microbatch->begin(values, microbatchOutputs);
  parts.microbatch->end();
  for (size_t i = 0; i < sums.size(); ++i)
    std::swap(sums[i], microbatchOutputs[i]);
  for (size_t i = 0; i < ofMicrobatch.size() && !isObserved; ++i)
    afterInput(i);
  for (size_t i = 0; i < sums.size() && isLast && !isObserved; ++i) {
    Tensor sum = takeTensor(sums[i]);
    afterOutput(i, sum.data());
    sums[i] = Value(std::move(sum));
  }
  for (size_t i = sums.size(); i < microbatchOutputs.size(); ++i) {
    contributions.push_back(microbatchOutputs[i].read());
    microbatchOutputs[i] =
        Value(microbatchOutputs[i].elementType(), microbatchOutputs[i].shape());
  }
}

/// `isLast` if the node is none of another one of this rank, so that its sums
/// are sent.
RankedProgram::Values RankedProgram::runNode(TreeNode node, bool isLast) {
  if (node.count <= 2) {
    Values sums = takeSums();
    for (int64_t i = 0; i < node.count; ++i)
      runMicrobatch(node.first + i, sums, i == 0,
                    isLast && i + 1 == node.count);
    return sums;
  }
  const auto [left, right] = node.children();
  Values sums = runNode(left, false), others = runNode(right, false);
  add(sums, others, isLast);
  unused.push_back(std::move(others));
  return sums;
}

void RankedProgram::add(Values &left, const Values &right, bool isLast) {
  for (size_t i = 0; i < left.size(); ++i) {
    Tensor sum = takeTensor(left[i]);
    addition.add(sum, right[i].read());
    if (isLast)
      offer(i, sum.data());
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
  node = 0;
  exchange.begin();
  for (TreeNode each : nodesIn(range, parts.microbatches)) {
    Values sums = runNode(each, true);
    ++node;
    Sums &taken = nodes.emplace_back();
    for (Value &sum : sums)
      taken.push_back(takeTensor(sum));
  }
  return nodes;
}

/// Leaves this rank's ranges of all sums in `exchange`, and returns those that
/// are whole everywhere.
Sums RankedProgram::exchangeSums(std::vector<Sums> &nodes) {
  const TimedPart part(times.exchanging);
  exchange.finish();
  Sums totals(sumPorts.size());
  for (size_t sum : sharedSums)
    totals[sum] = nodes.empty()
                      ? Tensor(sumPorts[sum].type, sumPorts[sum].shape)
                      : std::move(nodes.front()[sum]);
  exchange.share(sharedSums, totals);
  return totals;
}

void RankedProgram::keepMemory(Sums sums) {
  if (sums.empty())
    return;
  Values &values = unused.emplace_back();
  for (Tensor &tensor : sums)
    values.emplace_back(std::move(tensor));
}

void RankedProgram::beginFetch() {
  std::vector<std::byte *> bytes;
  for (size_t index : fetched) {
    Tensor whole = takeTensor(*kept[index]);
    bytes.push_back(whole.data());
    *kept[index] = Value(std::move(whole));
  }
  fetch->begin(std::move(bytes));
}

/// Tells the other ranks of a failure while what is on its way still has its
/// memory.
void RankedProgram::begin(std::span<Value *const> values,
                          std::span<Value> outputs) {
  try {
    runStep(values, outputs);
  } catch (const Failure &failure) {
    ranks.reportFailure(failure);
    throw;
  } catch (const std::exception &failure) {
    ranks.reportFailure(Failure(ExitCode::OutOfResources, failure.what()));
    throw;
  }
}

void RankedProgram::runStep(std::span<Value *const> values,
                            std::span<Value> outputs) {
  kept.assign(values.begin(), values.end());
  staged = std::move(stagedNext);
  stagedNext.clear();
  contributions.clear();
  if (divided && (!isForgotten || !parts.state->isDivided))
    divided->forget(kept);
  isForgotten = true;
  if (divided)
    parts.state->isDivided = true;
  if (fetch)
    beginFetch();
  std::vector<Sums> nodes = runNodes();
  Sums totals = exchangeSums(nodes);
  const TimedPart part(times.updating);
  if (fetch)
    fetch->finish();
  passOn();
  if (divided)
    divided->run(exchange, totals, passed, kept, staged, outputs);
  else
    update(totals, outputs);
  if (!nodes.empty())
    for (size_t sum : sharedSums)
      nodes.front()[sum] = std::move(totals[sum]);
  for (Sums &sums : nodes)
    keepMemory(std::move(sums));
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
