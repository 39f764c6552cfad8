// See RankedProgram.h.

#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include "DividedUpdate.h"
#include "Microbatches.h"
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

class RankedProgram final : public Program {
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
  Sums exchangeSums(std::vector<Sums> &nodes);
  void shareCuts();
  std::vector<Cut> cutSums();
  void passOn();
  void update(const Sums &totals, std::span<Value> outputs);
  void runStep(std::span<Value *const> values, std::span<Value> outputs);

  StepParts parts;
  Communicator &ranks;
  RankTimes &times;
  MicrobatchRange range;
  Bindings ofCarry, ofUpdate;
  std::vector<Port> sumPorts, contributionPorts;
  /// The sums of which all ranks get all elements.
  std::vector<size_t> sharedSums;
  Addition addition;
  SumExchange exchange;
  Microbatches microbatches;
  std::optional<DividedUpdate> divided;
  /// True if this rank has no memory for elements of other ranks.
  bool isForgotten = false;
  /// The inputs of the next run; empty for those that are kept.
  std::vector<Tensor> stagedNext, staged;
  std::vector<Value *> kept;
  Values passed;
};

} // namespace

RankedProgram::RankedProgram(StepParts given, Communicator &ranks,
                             RankTimes &times)
    : Program(given.step), parts(std::move(given)), ranks(ranks), times(times),
      range(rangeOf(ranks.rank(), ranks.size(), parts.microbatches)),
      sumPorts(findSums(*parts.microbatch)),
      contributionPorts(findContributions(*parts.microbatch)),
      addition(std::move(parts.additions)),
      exchange(ranks, sumPorts, cutSums(), parts.microbatches, addition,
               parts.sharding >= Sharding::Gradients),
      microbatches(std::move(parts.microbatch), signature(), parts.microbatches,
                   range, addition, exchange, times) {
  if (parts.update)
    ofUpdate = bindInputs(*parts.update, signature());
  if (parts.carry)
    ofCarry = bindInputs(*parts.carry, signature());
  checkPorts();
  if (!parts.update) {
    const bool isFetched = parts.sharding == Sharding::Parameters;
    std::vector<bool> isRead(signature().inputs.size(), false);
    for (const auto &[kind, index] : microbatches.inputs())
      if (kind == PartInput::Kind::Step)
        isRead[index] = !isFetched;
    divided.emplace(signature(), sumPorts, std::move(parts.stages), parts.cuts,
                    std::move(isRead), ranks);
    shareCuts();
    if (isFetched)
      microbatches.fetch(*divided, ranks);
  }
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
          microbatches.part().signature().outputs.size())
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
  check(microbatches.part(), microbatches.inputs(), true);
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
  for (const Tensor &tensor : microbatches.contributions())
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
  if (divided && (!isForgotten || !parts.state->isDivided))
    divided->forget(kept);
  isForgotten = true;
  if (divided)
    parts.state->isDivided = true;
  std::vector<Sums> nodes = microbatches.run(kept, staged);
  Sums totals = exchangeSums(nodes);
  const TimedPart part(times.updating);
  microbatches.finish();
  passOn();
  if (divided)
    divided->run(exchange, totals, passed, kept, staged, outputs);
  else
    update(totals, outputs);
  if (!nodes.empty())
    for (size_t sum : sharedSums)
      nodes.front()[sum] = std::move(totals[sum]);
  for (Sums &sums : nodes)
    microbatches.keepMemory(std::move(sums));
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
