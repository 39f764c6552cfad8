// See RankedProgram.h.

#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include "DividedUpdate.h"
#include "Microbatches.h"
#include "PartInputs.h"
#include "ReportFailures.h"
#include "SumBuckets.h"
#include "SumExchange.h"
#include "Tags.h"
#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/PortUses.h"
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

private:
  using Values = std::vector<Value>;
  using Bindings = std::vector<PartInput>;

  void checkPorts() const;
  Sums exchangeSums(std::vector<Sums> &nodes);
  void shareCuts();
  std::vector<size_t> orderSums() const;
  SumCuts cutSums() const;
  std::vector<Port> sumPorts() const;
  Microbatches::Contributions shareContributions();
  void passOn();
  void update(const Sums &totals, std::span<Value> outputs);
  void runStep(std::span<Value *const> values, std::span<Value> outputs);

  StepParts parts;
  Communicator &ranks;
  RankTimes &times;
  StepLayout layout;
  Bindings ofCarry, ofUpdate;
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
      layout(signature(), parts.phases,
             {parts.parallel, ranks.size(), ranks.rank()}, parts.microbatches),
      addition(std::move(parts.additions)),
      exchange(ranks, layout, cutSums(), addition,
               parts.sharding >= Sharding::Gradients),
      microbatches(std::move(parts.microbatch), signature(), layout, addition,
                   exchange, ranks, times) {
  if (parts.update)
    ofUpdate = bindInputs(*parts.update, signature());
  if (parts.carry)
    ofCarry = bindInputs(*parts.carry, signature());
  checkPorts();
  if (!parts.update) {
    const bool isFetched = parts.sharding == Sharding::Parameters;
    std::vector<bool> gathered = layout.isRead;
    if (isFetched)
      gathered.assign(gathered.size(), false);
    divided.emplace(signature(), sumPorts(), std::move(parts.updates),
                    parts.cuts, std::move(gathered), parts.islands, ranks);
    shareCuts();
    if (isFetched)
      microbatches.fetch(*divided);
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

/// The sums that this rank adds up, in the order in which it completes them.
std::vector<size_t> RankedProgram::orderSums() const {
  std::vector<size_t> order;
  for (const std::unique_ptr<Program> &phase : parts.microbatch)
    for (uint32_t output : orderOutputs(phase->executable().plan()))
      if (const auto [kind, index] =
              bindOutput(phase->signature().outputs[output].name);
          kind == PartInput::Kind::Sum)
        order.push_back(index);
  return order;
}

SumCuts RankedProgram::cutSums() const {
  const std::vector<size_t> order = agreeOnOrder(layout, orderSums(), ranks);
  return {layout, order, parts.cuts, parts.islands, bucketBytes(ranks.size())};
}

std::vector<Port> RankedProgram::sumPorts() const {
  std::vector<Port> ports;
  for (const StepLayout::Sum &sum : layout.sums)
    ports.push_back(sum.port);
  return ports;
}

/// Types and shapes of the parts fit together; plans may come from files.
void RankedProgram::checkPorts() const {
  const std::vector<Port> next =
      parts.carry ? parts.carry->signature().outputs : std::vector<Port>();
  auto check = [&](const Program &part, const Bindings &bindings) {
    for (size_t i = 0; i < bindings.size(); ++i) {
      const Port &port = part.signature().inputs[i];
      const auto [kind, index] = bindings[i];
      const Port *from = nullptr;
      using Kind = PartInput::Kind;
      if (kind == Kind::Step)
        from = &signature().inputs[index];
      else if (kind == Kind::Sum && index < layout.sums.size())
        from = &layout.sums[index].port;
      else if (kind == Kind::Contribution &&
               index < layout.contributions.size())
        from = &layout.contributions[index].port;
      else if (kind == Kind::Passed && index < next.size())
        from = &next[index];
      if (!from)
        failParts("read " + quote(port.name));
      if (port.type != from->type || port.shape != from->shape)
        failParts("read " + quote(port.name) + " as another tensor");
    }
  };
  if (parts.carry)
    check(*parts.carry, ofCarry);
  if (!parts.update)
    return; // DividedUpdate checks its own
  check(*parts.update, ofUpdate);
  const std::vector<Port> &results = parts.update->signature().outputs;
  bool fits = results.size() == signature().outputs.size();
  for (size_t j = 0; fits && j < results.size(); ++j)
    fits = results[j].type == signature().outputs[j].type &&
           results[j].shape == signature().outputs[j].shape;
  if (!fits)
    failParts("have other results");
}

SampleShare RankedProgram::share() const {
  const MicrobatchRange range = layout.range();
  return {range.begin, range.count(), layout.microbatches};
}

void RankedProgram::stage(std::span<const Tensor *const> inputs) {
  stagedNext.clear();
  for (const Tensor *input : inputs)
    stagedNext.push_back(input ? *input : Tensor());
}

/// Gives all ranks what all microbatches contribute, by microbatch and number.
Microbatches::Contributions RankedProgram::shareContributions() {
  const RankGrid &grid = layout.grid;
  std::vector<std::vector<std::byte>> all(static_cast<size_t>(ranks.size()));
  auto &own = all[size_t(grid.rank)];
  for (const auto &[place, tensor] : microbatches.contributions())
    own.insert(own.end(), tensor.data(), tensor.data() + tensor.byteSize());
  // What a rank sends, in order.
  auto visit = [&](int rank, auto function) {
    const MicrobatchRange range = layout.rangeOfGroup(grid.groupOf(rank));
    for (int64_t i = range.begin; i < range.end; ++i)
      for (size_t j = 0; j < layout.contributions.size(); ++j)
        if (layout.contributions[j].place == grid.placeOf(rank))
          function(i, j, layout.contributions[j].port);
  };
  std::vector<Transfer> transfers;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == grid.rank)
      continue;
    int64_t bytes = 0;
    visit(rank, [&](int64_t, size_t, const Port &port) {
      bytes += countBytes(port.type, port.shape).value_or(0);
    });
    all[size_t(rank)].resize(size_t(bytes));
    transfers.push_back(
        ranks.receive(rank, kContributionTag, all[size_t(rank)]));
    transfers.push_back(ranks.send(rank, kContributionTag, own));
  }
  for (const Transfer &transfer : transfers)
    ranks.wait(transfer);
  Microbatches::Contributions shared;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const std::byte *next = all[size_t(rank)].data();
    visit(rank, [&](int64_t microbatch, size_t number, const Port &port) {
      Tensor value(port.type, port.shape);
      std::memcpy(value.data(), next, size_t(value.byteSize()));
      next += value.byteSize();
      shared.emplace(std::pair(microbatch, number), std::move(value));
    });
  }
  return shared;
}

/// Computes the values that the last microbatch passes on.
void RankedProgram::passOn() {
  if (!parts.carry)
    return;
  const Microbatches::Contributions shared = shareContributions();
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
  for (int64_t microbatch = 0; microbatch < layout.microbatches; ++microbatch) {
    std::vector<const Tensor *> inputs(ofCarry.size(), nullptr);
    std::vector<Value *> taken(ofCarry.size(), nullptr);
    for (size_t i = 0; i < ofCarry.size(); ++i) {
      const auto [kind, index] = ofCarry[i];
      if (kind == PartInput::Kind::Contribution)
        inputs[i] = &shared.at({microbatch, index});
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
  const TimedPart part(times, "sums", &RankTimes::exchanging);
  exchange.finish();
  Sums totals(layout.sums.size());
  for (size_t sum = 0; sum < totals.size(); ++sum)
    if (exchange.isShared(sum))
      totals[sum] = exchange.isInOffered(sum) ? std::move(nodes.front()[sum])
                                              : exchange.takeTotal(sum);
  return totals;
}

void RankedProgram::begin(std::span<Value *const> values,
                          std::span<Value> outputs) {
  reportFailures(ranks, [&] { runStep(values, outputs); });
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
  const TimedPart part(times, "update", &RankTimes::updating);
  microbatches.finish();
  passOn();
  if (divided)
    divided->run(exchange, totals, passed, kept, staged, outputs,
                 microbatches.firstUses());
  else
    update(totals, outputs);
  for (size_t sum = 0; sum < totals.size(); ++sum)
    if (exchange.isShared(sum) && exchange.isInOffered(sum))
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
