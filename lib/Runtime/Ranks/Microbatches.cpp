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
  for (std::unique_ptr<Program> &program : programs) {
    Segment &segment = segments.emplace_back();
    const auto stage = size_t(layout.grid.stage());
    segment.number = segments.size() == 1
                         ? stage
                         : size_t(2 * layout.grid.stages - 2) - stage;
    segment.program = std::move(program);
    segment.inputs = bindInputs(*segment.program, step);
    segment.fetchedAs.assign(segment.inputs.size(), -1);
    for (const Port &port : segment.program->signature().outputs) {
      segment.outputs.push_back(bindOutput(port.name));
      if (segment.outputs.back().kind == Kind::Sum)
        segment.sums.push_back(segment.outputs.back().index);
      segment.results.emplace_back(port.type, port.shape);
    }
    check(segment);
    segment.isObserved = segment.program->observe(*this);
  }
}

/// Types and shapes fit; plans may come from files.
void Microbatches::check(const Segment &segment) const {
  const Signature &ports = segment.program->signature();
  for (size_t i = 0; i < segment.inputs.size(); ++i) {
    const Port &port = ports.inputs[i];
    const auto [kind, index] = segment.inputs[i];
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
      if (segment.placeOf(index) == segment.sums.size())
        failParts("read " + quote(port.name));
      require(layout.sums[index].port, layout.sums[index].port.shape);
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
  for (Segment &segment : segments) {
    const std::vector<uint32_t> uses = segment.program->countUses();
    for (size_t i = 0; i < segment.inputs.size(); ++i) {
      const auto [kind, index] = segment.inputs[i];
      if (kind != Kind::Step || numbers[index] < 0)
        continue;
      segment.fetchedAs[i] = numbers[index];
      parameters[size_t(numbers[index])].uses +=
          segment.isObserved ? uses[i] : 1;
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
void Microbatches::takeSums(Segment &segment) {
  segment.current.clear();
  if (!segment.unused.empty()) {
    segment.current = std::move(segment.unused.back());
    segment.unused.pop_back();
  }
  for (size_t i = segment.current.size(); i < segment.sums.size(); ++i) {
    const Port &port = layout.sums[segment.sums[i]].port;
    segment.current.emplace_back(Tensor(port.type, port.shape));
  }
  sumBytes.clear();
  for (Value &sum : segment.current) {
    Tensor tensor = takeTensor(sum);
    sumBytes.push_back(tensor.data());
    sum = Value(std::move(tensor));
  }
}

/// The sum of no microbatch, just before one is added to it.
void Microbatches::beforeInput(size_t input) {
  if (const int number = active->fetchedAs[input]; fetched && number >= 0)
    return fetched->acquire(size_t(number));
  const auto [kind, index] = active->inputs[input];
  if (kind != Kind::Sum || !isFirstOfLeaf)
    return;
  const size_t place = active->placeOf(index);
  if (isFilled[place])
    return;
  isFilled[place] = true;
  const Port &port = layout.sums[index].port;
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

/// Sends a sum of the active segment's node, which stays where it is.
void Microbatches::offer(size_t sum, std::byte *bytes) {
  exchange.offer(active->node, sum, bytes);
  exchange.progress();
}

void Microbatches::expectCuts(const Segment &segment, int64_t microbatch) {
  for (const auto [kind, index] : segment.inputs) {
    const std::pair place(microbatch, index);
    if (kind != Kind::Cut || layout.cuts[index].stage == layout.grid.stage() ||
        held.contains(place) || received.contains(place))
      continue;
    const StepLayout::CutValue &value = layout.cuts[index];
    Tensor tensor(value.port.type, value.port.shape);
    const std::span<std::byte> bytes(tensor.data(), size_t(tensor.byteSize()));
    received[place] = {
        ranks.receive(layout.grid.rankOf(layout.grid.group(), value.stage),
                      tagOfCut(index), bytes),
        std::move(tensor)};
  }
}

/// A value that an earlier segment has passed on.
Tensor Microbatches::takeCut(const Segment &segment, size_t cut,
                             int64_t microbatch) {
  const StepLayout::CutValue &value = layout.cuts[cut];
  const std::pair place(microbatch, cut);
  if (auto arriving = received.extract(place)) {
    ranks.wait(arriving.mapped().transfer);
    held.emplace(place, std::move(arriving.mapped().tensor));
  }
  const auto found = held.find(place);
  // It came once for both segments of the stage.
  const bool isReadAgain = std::any_of(
      value.segments.begin(), value.segments.end(), [&](size_t other) {
        return other > segment.number &&
               layout.stageOfSegment(other) == layout.grid.stage();
      });
  return isReadAgain ? found->second : std::move(held.extract(found).mapped());
}

void Microbatches::passCut(size_t cut, int64_t microbatch, Tensor value) {
  for (int64_t stage : layout.cuts[cut].readers)
    if (stage == layout.grid.stage())
      held.emplace(std::pair(microbatch, cut), value);
    else
      sent.push_back(
          {ranks.send(layout.grid.rankOf(layout.grid.group(), stage),
                      tagOfCut(cut), std::as_const(value).byteSpan()),
           value});
  std::erase_if(sent, [&](const Travelling &one) {
    if (!ranks.isDone(one.transfer))
      return false;
    ranks.wait(one.transfer); // throws if it failed
    return true;
  });
}

void Microbatches::runSegment(Segment &segment, int64_t microbatch) {
  const TreeNode leaf = leafOf(microbatch, nodes[segment.node]);
  const bool isLastOfLeaf = microbatch + 1 == leaf.end();
  active = &segment;
  isFirstOfLeaf = microbatch == leaf.first;
  isLastOfNode = isLastOfLeaf && leaf == nodes[segment.node];
  isFilled.assign(segment.sums.size(), false);
  // Later sums stay where they are, perhaps on a device.
  if (isFirstOfLeaf)
    takeSums(segment);
  const size_t count = segment.inputs.size();
  std::vector<Tensor> made(count);
  std::vector<const Tensor *> inputs(count, nullptr);
  std::vector<Value *> values(count, nullptr);
  for (size_t i = 0; i < count; ++i) {
    const auto [kind, index] = segment.inputs[i];
    inputs[i] = &made[i];
    if (kind == Kind::Number) {
      made[i] = Tensor::scalar(microbatch);
    } else if (kind == Kind::Cut) {
      made[i] = takeCut(segment, index, microbatch);
    } else if (kind == Kind::Step && isSplit(step.inputs[index])) {
      made[i] = rowsOf(index, microbatch);
    } else if (kind == Kind::Step && !kept[index]) {
      inputs[i] = &staged[index];
    } else {
      inputs[i] = nullptr;
      values[i] = kind == Kind::Sum ? &segment.current[segment.placeOf(index)]
                                    : kept[index];
    }
  }
  for (size_t i = 0; i < count && !segment.isObserved; ++i)
    beforeInput(i);
  segment.program->stage(inputs);
  segment.program->begin(values, segment.results);
  segment.program->end();
  for (size_t i = 0; i < count && !segment.isObserved; ++i)
    afterInput(i);
  takeResults(segment, microbatch);
  if (isLastOfLeaf)
    closeLeaf(segment, leaf);
}

void Microbatches::takeResults(Segment &segment, int64_t microbatch) {
  for (size_t j = 0; j < segment.outputs.size(); ++j) {
    const auto [kind, index] = segment.outputs[j];
    Value &result = segment.results[j];
    if (kind == Kind::Sum) {
      Value &sum = segment.current[segment.placeOf(index)];
      std::swap(sum, result);
      if (isLastOfNode && !segment.isObserved) {
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
void Microbatches::closeLeaf(Segment &segment, TreeNode leaf) {
  const TreeNode root = nodes[segment.node];
  auto &complete = segment.complete;
  complete.emplace_back(leaf, std::move(segment.current));
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
        offer(segment.sums[i], sum.data());
      sums[i] = Value(std::move(sum));
    }
    segment.unused.push_back(std::move(others));
    complete.pop_back();
  }
  if (complete.front().first != root)
    return;
  for (size_t i = 0; i < segment.sums.size(); ++i)
    results[segment.node][segment.sums[i]] =
        takeTensor(complete.front().second[i]);
  complete.clear();
  ++segment.node;
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

std::vector<Sums> Microbatches::run(std::span<Value *const> keptOfStep,
                                    std::span<const Tensor> stagedOfStep) {
  const TimedPart part(times.computing);
  kept = keptOfStep;
  staged = stagedOfStep;
  contributed.clear();
  held.clear();
  if (fetched)
    beginFetch();
  times.microbatches += range.count();
  results.assign(nodes.size(), Sums(layout.sums.size()));
  exchange.begin();
  for (Segment &segment : segments)
    segment.node = 0;
  const std::vector<SegmentRun> runs =
      scheduleStage(layout.grid.stage(), layout.grid.stages, range);
  auto segmentOf = [&](const SegmentRun &run) -> Segment & {
    return run.segment == layout.grid.stage() ? segments.front()
                                              : segments.back();
  };
  for (size_t i = 0; i < runs.size(); ++i) {
    // What the next run reads travels beside this one.
    for (size_t j = i; j < std::min(i + 2, runs.size()); ++j)
      expectCuts(segmentOf(runs[j]), runs[j].microbatch);
    runSegment(segmentOf(runs[i]), runs[i].microbatch);
  }
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
  for (Segment &segment : segments) {
    Values &values = segment.unused.emplace_back();
    for (size_t sum : segment.sums)
      values.emplace_back(std::move(sums[sum]));
  }
}

} // namespace gensyn::runtime
