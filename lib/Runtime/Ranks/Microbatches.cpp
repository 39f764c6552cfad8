// See Microbatches.h.

#include "Microbatches.h"

#include "Tags.h"
#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <utility>

namespace gensyn::runtime {

using Kind = PartInput::Kind;

Microbatches::Microbatches(std::vector<std::unique_ptr<Program>> programs,
                           const Signature &step, const StepLayout &layout,
                           Addition &addition, SumExchange &exchange,
                           communication::Communicator &ranks, RankTimes &times)
    : step(step), layout(layout), addition(addition), exchange(exchange),
      ranks(ranks), times(times), range(layout.range()),
      nodes(nodesIn(range, layout.microbatches)) {
  for (size_t number = 0; number < layout.placeOfPhase.size(); ++number) {
    if (layout.placeOfPhase[number] != layout.grid.place())
      continue;
    if (phases.size() == programs.size())
      failParts("are those of another rank");
    Phase &phase = phases.emplace_back();
    phase.number = number;
    phase.program = std::move(programs[phases.size() - 1]);
    phase.inputs = bindInputs(*phase.program, step);
    phase.fetchedAs.assign(phase.inputs.size(), -1);
    for (const Port &port : phase.program->signature().outputs) {
      phase.outputs.push_back(bindOutput(port.name));
      if (phase.outputs.back().kind == Kind::Sum) {
        phase.sums.push_back(phase.outputs.back().index);
        phase.sumPorts.push_back(port);
      }
      phase.results.emplace_back(port.type, port.shape);
    }
    check(phase);
    phase.isObserved = phase.program->observe(*this);
  }
  schedule();
}

/// Types and shapes fit; plans may come from files.
void Microbatches::check(const Phase &phase) const {
  const Signature &ports = phase.program->signature();
  for (size_t i = 0; i < phase.inputs.size(); ++i) {
    const Port &port = ports.inputs[i];
    const auto [kind, index] = phase.inputs[i];
    auto require = [&](const Port &of, std::vector<int64_t> shape) {
      if (port.type != of.type || port.shape != shape)
        failParts("read " + quote(port.name) + " as another tensor");
    };
    if (kind == Kind::Number) {
      if (port.type != ElementType::I64 || !port.shape.empty())
        failParts("count in " + describeShape(port.shape));
    } else if (kind == Kind::Cut) {
      require(layout.cuts.at(index).port, layout.cuts[index].port.shape);
    } else if (kind == Kind::Sum) {
      const size_t place = phase.placeOf(index);
      if (place == phase.sums.size())
        failParts("read " + quote(port.name));
      require(phase.sumPorts[place], phase.sumPorts[place].shape);
    } else if (kind == Kind::Step) {
      std::vector<int64_t> shape = step.inputs[index].shape;
      if (isSplit(step.inputs[index])) {
        if (shape[0] % layout.microbatches)
          failParts("do not divide " + quote(port.name));
        shape[0] /= layout.microbatches;
      }
      require(step.inputs[index], shape);
    } else {
      failParts("read " + quote(port.name));
    }
  }
}

void Microbatches::fetch(const DividedUpdate &update) {
  std::vector<ParameterFetch::Parameter> parameters;
  std::vector<int> numbers(step.inputs.size(), -1);
  for (size_t i = 0; i < step.inputs.size(); ++i)
    if (layout.isRead[i] && update.cut(i)) {
      numbers[i] = int(parameters.size());
      fetchedInputs.push_back(i);
      parameters.push_back(
          {update.cut(i), byteWidth(step.inputs[i].type), /*uses=*/0});
    }
  for (Phase &phase : phases) {
    const std::vector<uint32_t> uses = phase.program->countUses();
    for (size_t i = 0; i < phase.inputs.size(); ++i) {
      const auto [kind, index] = phase.inputs[i];
      if (kind != Kind::Step || numbers[index] < 0)
        continue;
      phase.fetchedAs[i] = numbers[index];
      parameters[size_t(numbers[index])].uses += phase.isObserved ? uses[i] : 1;
    }
  }
  fetched.emplace(std::move(parameters), range.count(), ranks);
}

Tensor Microbatches::rowsOf(size_t input, int64_t microbatch) const {
  const Port &port = step.inputs[input];
  const Tensor &given = staged[input];
  std::vector<int64_t> shape = port.shape;
  const bool isWhole = given.shape() == shape;
  shape[0] /= layout.microbatches;
  const int64_t bytes = countBytes(port.type, shape).value_or(0);
  const int64_t first = isWhole ? microbatch : microbatch - range.begin;
  // The tensor is kept in `staged` as long as parts run.
  return Tensor::view(port.type, shape, given.data() + first * bytes, nullptr);
}

/// Takes memory for sums that was used before if there is some: new pages cost
/// more than the elements.
void Microbatches::takeSums(Phase &phase) {
  phase.current.clear();
  if (!phase.unused.empty()) {
    phase.current = std::move(phase.unused.back());
    phase.unused.pop_back();
  }
  for (size_t i = phase.current.size(); i < phase.sums.size(); ++i) {
    const Port &port = phase.sumPorts[i];
    phase.current.emplace_back(Tensor(port.type, port.shape));
  }
  sumBytes.clear();
  for (Value &sum : phase.current) {
    Tensor tensor = takeTensor(sum);
    sumBytes.push_back(tensor.data());
    sum = Value(std::move(tensor));
  }
}

/// The updates of other ranks go on while the first kernels run.
void Microbatches::takeArriving() {
  used.clear();
  isUsed.assign(step.inputs.size(), false);
  arriving.resize(step.inputs.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i])
      arriving[i] = kept[i]->takeArriving();
    if (arriving[i])
      *kept[i] = Value(std::move(arriving[i]->tensor));
  }
}

void Microbatches::awaitInput(size_t input) {
  if (!isUsed[input])
    used.push_back(input);
  isUsed[input] = true;
  if (arriving[input])
    arriving[input]->wait();
}

/// The sum of no microbatch, just before one is added to it.
void Microbatches::beforeInput(size_t input) {
  if (const int number = active->fetchedAs[input]; fetched && number >= 0)
    return fetched->acquire(size_t(number));
  const auto [kind, index] = active->inputs[input];
  if (kind == Kind::Step)
    return awaitInput(index);
  if (kind != Kind::Sum || !isFirstOfLeaf)
    return;
  const size_t place = active->placeOf(index);
  if (isFilled[place])
    return;
  isFilled[place] = true;
  const Port &port = active->sumPorts[place];
  Tensor sum = Tensor::over(port.type, port.shape, sumBytes[place]);
  fillTensor(sum, -0.0);
}

void Microbatches::afterInput(size_t input) {
  if (const int number = active->fetchedAs[input]; fetched && number >= 0)
    fetched->release(size_t(number));
}

void Microbatches::afterOutput(size_t output, std::byte *bytes) {
  const auto [kind, index] = active->outputs[output];
  if (kind == Kind::Sum && isLastOfNode)
    offer(index, bytes);
}

/// Sends a sum of the active phase's node, which stays where it is.
void Microbatches::offer(size_t sum, std::byte *bytes) {
  exchange.offer(active->node, sum, bytes);
  exchange.progress();
}

void Microbatches::expectCuts(const Phase &phase, int64_t microbatch) {
  for (const auto [kind, index] : phase.inputs) {
    const std::pair place(microbatch, index);
    if (kind != Kind::Cut || layout.cuts[index].place == layout.grid.place() ||
        held.contains(place) || received.contains(place))
      continue;
    const StepLayout::CutValue &value = layout.cuts[index];
    Tensor tensor(value.port.type, value.port.shape);
    const std::span<std::byte> bytes(tensor.data(), size_t(tensor.byteSize()));
    received[place] = {
        ranks.receive(layout.rankAt(value.place), tagOfCut(index), bytes),
        std::move(tensor)};
  }
}

/// A value that an earlier phase has passed on.
Tensor Microbatches::takeCut(const Phase &phase, size_t cut,
                             int64_t microbatch) {
  const StepLayout::CutValue &value = layout.cuts[cut];
  const std::pair place(microbatch, cut);
  if (auto arriving = received.extract(place)) {
    ranks.wait(arriving.mapped().transfer);
    held.emplace(place, std::move(arriving.mapped().tensor));
  }
  const auto found = held.find(place);
  // It came once for all phases of this rank.
  const bool isReadAgain =
      std::any_of(value.phases.begin(), value.phases.end(), [&](size_t other) {
        return other > phase.number &&
               layout.placeOfPhase[other] == layout.grid.place();
      });
  return isReadAgain ? found->second : std::move(held.extract(found).mapped());
}

void Microbatches::passCut(size_t cut, int64_t microbatch, Tensor value) {
  for (int place : layout.cuts[cut].readers)
    if (place == layout.grid.place())
      held.emplace(std::pair(microbatch, cut), value);
    else
      sent.push_back({ranks.send(layout.rankAt(place), tagOfCut(cut),
                                 std::as_const(value).byteSpan()),
                      value});
  std::erase_if(sent, [&](const Travelling &one) {
    if (!ranks.isDone(one.transfer))
      return false;
    ranks.wait(one.transfer); // throws if it failed
    return true;
  });
}

/// For a timeline.
std::string Microbatches::describe(const Phase &phase,
                                   int64_t microbatch) const {
  std::string text = "microbatch " + std::to_string(microbatch);
  if (layout.grid.parallel.stages > 1)
    text += ", segment " + std::to_string(layout.segmentOfPhase[phase.number]);
  if (layout.grid.parallel.tensors > 1)
    text += ", phase " + std::to_string(phase.number);
  return text;
}

void Microbatches::runPhase(Phase &phase, int64_t microbatch) {
  const TimedPart part(times, describe(phase, microbatch), nullptr);
  const TreeNode leaf = leafOf(microbatch, nodes[phase.node]);
  const bool isLastOfLeaf = microbatch + 1 == leaf.end();
  active = &phase;
  isFirstOfLeaf = microbatch == leaf.first;
  isLastOfNode = isLastOfLeaf && leaf == nodes[phase.node];
  isFilled.assign(phase.sums.size(), false);
  // Later sums stay where they are, perhaps on a device.
  if (isFirstOfLeaf)
    takeSums(phase);
  const size_t count = phase.inputs.size();
  std::vector<Tensor> made(count);
  std::vector<const Tensor *> inputs(count, nullptr);
  std::vector<Value *> values(count, nullptr);
  for (size_t i = 0; i < count; ++i) {
    const auto [kind, index] = phase.inputs[i];
    inputs[i] = &made[i];
    if (kind == Kind::Number) {
      made[i] = Tensor::scalar(microbatch);
    } else if (kind == Kind::Cut) {
      made[i] = takeCut(phase, index, microbatch);
    } else if (kind == Kind::Step && isSplit(step.inputs[index])) {
      made[i] = rowsOf(index, microbatch);
    } else if (kind == Kind::Step && !kept[index]) {
      inputs[i] = &staged[index];
    } else {
      inputs[i] = nullptr;
      values[i] = kind == Kind::Sum ? &phase.current[phase.placeOf(index)]
                                    : kept[index];
    }
  }
  for (size_t i = 0; i < count && !phase.isObserved; ++i)
    beforeInput(i);
  phase.program->stage(inputs);
  phase.program->begin(values, phase.results);
  phase.program->end();
  for (size_t i = 0; i < count && !phase.isObserved; ++i)
    afterInput(i);
  takeResults(phase, microbatch);
  if (isLastOfLeaf)
    closeLeaf(phase, leaf);
}

void Microbatches::takeResults(Phase &phase, int64_t microbatch) {
  for (size_t j = 0; j < phase.outputs.size(); ++j) {
    const auto [kind, index] = phase.outputs[j];
    Value &result = phase.results[j];
    if (kind == Kind::Sum) {
      Value &sum = phase.current[phase.placeOf(index)];
      std::swap(sum, result);
      if (isLastOfNode && !phase.isObserved) {
        Tensor tensor = takeTensor(sum);
        offer(index, tensor.data());
        sum = Value(std::move(tensor));
      }
    } else if (kind == Kind::Contribution) {
      contributed[{microbatch, index}] = takeTensor(result);
    } else {
      passCut(index, microbatch, takeTensor(result));
    }
  }
}

/// Adds a node to its left neighbour, and so on, up to the node that is
/// computed.
void Microbatches::closeLeaf(Phase &phase, TreeNode leaf) {
  const TreeNode root = nodes[phase.node];
  auto &complete = phase.complete;
  complete.emplace_back(leaf, std::move(phase.current));
  while (complete.size() > 1) {
    auto &[left, sums] = complete[complete.size() - 2];
    auto &[right, others] = complete.back();
    if (!areSiblings(left, right, root))
      break;
    left.count += right.count;
    for (size_t i = 0; i < sums.size(); ++i) {
      Tensor sum = takeTensor(sums[i]);
      addition.add(sum, others[i].read());
      if (left == root)
        offer(phase.sums[i], sum.data());
      sums[i] = Value(std::move(sum));
    }
    phase.unused.push_back(std::move(others));
    complete.pop_back();
  }
  if (complete.front().first != root)
    return;
  for (size_t i = 0; i < phase.sums.size(); ++i)
    results[phase.node][phase.sums[i]] = takeTensor(complete.front().second[i]);
  complete.clear();
  ++phase.node;
}

void Microbatches::beginFetch() {
  std::vector<std::byte *> bytes;
  for (size_t index : fetchedInputs) {
    Tensor whole = takeTensor(*kept[index]);
    bytes.push_back(whole.data());
    *kept[index] = Value(std::move(whole));
  }
  fetched->begin(std::move(bytes));
}

/// The phases of each segment that this rank's stage runs.
void Microbatches::schedule() {
  for (const SegmentRun &run : scheduleStage(
           layout.grid.stage(), layout.grid.parallel.pipeline(), range))
    for (Phase &phase : phases)
      if (layout.segmentOfPhase[phase.number] == run.segment)
        runs.push_back({&phase, run.microbatch});
}

std::vector<Sums> Microbatches::run(std::span<Value *const> keptOfStep,
                                    std::span<const Tensor> stagedOfStep) {
  const TimedPart part(times, "microbatches", &RankTimes::computing);
  kept = keptOfStep;
  staged = stagedOfStep;
  contributed.clear();
  held.clear();
  takeArriving();
  if (fetched)
    beginFetch();
  times.microbatches += range.count();
  results.assign(nodes.size(), Sums(layout.sums.size()));
  exchange.begin();
  for (Phase &phase : phases)
    phase.node = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    // What the next run reads travels beside this one.
    for (size_t j = i; j < std::min(i + 2, runs.size()); ++j)
      expectCuts(*runs[j].phase, runs[j].microbatch);
    runPhase(*runs[i].phase, runs[i].microbatch);
  }
  for (const std::unique_ptr<ArrivingTensor> &one : arriving)
    if (one)
      one->wait();
  arriving.clear();
  return std::move(results);
}

void Microbatches::finish() {
  if (fetched)
    fetched->finish();
  for (const Travelling &one : sent)
    ranks.wait(one.transfer);
  sent.clear();
}

void Microbatches::keepMemory(Sums sums) {
  for (Phase &phase : phases) {
    Values &values = phase.unused.emplace_back();
    for (size_t sum : phase.sums)
      values.emplace_back(std::move(sums[sum]));
  }
}

} // namespace gensyn::runtime
