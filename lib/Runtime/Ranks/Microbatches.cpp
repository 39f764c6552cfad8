// See Microbatches.h.

#include "Microbatches.h"

#include "gensyn/Executable/Packages/InitialValues.h"

#include <utility>

namespace gensyn::runtime {

Microbatches::Microbatches(std::unique_ptr<Program> given,
                           const Signature &step, int64_t microbatches,
                           MicrobatchRange range, Addition &addition,
                           SumExchange &exchange, RankTimes &times)
    : program(std::move(given)), step(step), microbatches(microbatches),
      range(range), addition(addition), exchange(exchange), times(times),
      bindings(bindInputs(*program, step)), sumPorts(findSums(*program)) {
  for (const Port &port : program->signature().outputs)
    outputs.emplace_back(port.type, port.shape);
  isObserved = program->observe(*this);
}

void Microbatches::fetch(const DividedUpdate &update,
                         communication::Communicator &ranks) {
  const std::vector<uint32_t> uses = program->countUses();
  std::vector<ParameterFetch::Parameter> parameters;
  for (size_t i = 0; i < bindings.size(); ++i) {
    fetchedAs.push_back(-1);
    const auto [kind, index] = bindings[i];
    if (kind != PartInput::Kind::Step || !update.cut(index))
      continue;
    fetchedAs.back() = int(parameters.size());
    fetchedInputs.push_back(index);
    parameters.push_back({update.cut(index), byteWidth(step.inputs[index].type),
                          isObserved ? uses[i] : 1});
  }
  fetched.emplace(std::move(parameters), range.count(), ranks);
}

Tensor Microbatches::rowsOf(size_t input, int64_t microbatch) const {
  const Port &port = step.inputs[input];
  const Tensor &given = staged[input];
  std::vector<int64_t> shape = port.shape;
  const bool isWhole = given.shape() == shape;
  shape[0] /= microbatches;
  const int64_t bytes = countBytes(port.type, shape).value_or(0);
  const int64_t first = isWhole ? microbatch : microbatch - range.begin;
  // The tensor is kept in `staged` as long as parts run.
  return Tensor::view(port.type, shape, given.data() + first * bytes, nullptr);
}

/// Memory for sums that was used before if there is some: new pages cost more
/// than the elements.
Microbatches::Values Microbatches::takeSums() {
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
void Microbatches::beforeInput(size_t input) {
  if (fetched && fetchedAs[input] >= 0)
    return fetched->acquire(size_t(fetchedAs[input]));
  const auto [kind, index] = bindings[input];
  if (kind != PartInput::Kind::Sum || !isFirstOfNode || isFilled[index])
    return;
  isFilled[index] = true;
  Tensor sum = Tensor::over(sumPorts[index].type, sumPorts[index].shape,
                            sumBytes[index]);
  fillTensor(sum, -0.0);
}

void Microbatches::afterInput(size_t input) {
  if (fetched && fetchedAs[input] >= 0)
    fetched->release(size_t(fetchedAs[input]));
}

void Microbatches::afterOutput(size_t output, std::byte *bytes) {
  if (isLastOfNode && output < sumPorts.size())
    offer(output, bytes);
}

/// Sends a sum of the present node, which stays where it is.
void Microbatches::offer(size_t sum, std::byte *bytes) {
  exchange.offer(node, sum, bytes);
  exchange.progress();
}

/// Adds the microbatch's values to `sums`.
void Microbatches::runMicrobatch(int64_t number, Values &sums, bool isFirst,
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
  std::vector<Tensor> made(bindings.size());
  std::vector<const Tensor *> inputs(bindings.size(), nullptr);
  std::vector<Value *> values(bindings.size(), nullptr);
  for (size_t i = 0; i < bindings.size(); ++i) {
    const auto [kind, index] = bindings[i];
    if (kind == PartInput::Kind::Sum) {
      values[i] = &sums[index];
    } else if (kind == PartInput::Kind::Number) {
      made[i] = Tensor::scalar(number);
      inputs[i] = &made[i];
    } else if (Value *value = kept[index]) {
      values[i] = value;
    } else if (isSplit(step.inputs[index])) {
      made[i] = rowsOf(index, number);
      inputs[i] = &made[i];
    } else {
      inputs[i] = &staged[index];
    }
  }
  for (size_t i = 0; i < bindings.size() && !isObserved; ++i)
    beforeInput(i);
  program->stage(inputs);
  program->begin(values, outputs);
  program->end();
  for (size_t i = 0; i < sums.size(); ++i)
    std::swap(sums[i], outputs[i]);
  for (size_t i = 0; i < bindings.size() && !isObserved; ++i)
    afterInput(i);
  for (size_t i = 0; i < sums.size() && isLast && !isObserved; ++i) {
    Tensor sum = takeTensor(sums[i]);
    afterOutput(i, sum.data());
    sums[i] = Value(std::move(sum));
  }
  for (size_t i = sums.size(); i < outputs.size(); ++i) {
    contributed.push_back(outputs[i].read());
    outputs[i] = Value(outputs[i].elementType(), outputs[i].shape());
  }
}

/// `isLast` if the node is none of another one of this rank, so that its sums
/// are sent.
Microbatches::Values Microbatches::runNode(TreeNode node, bool isLast) {
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

void Microbatches::add(Values &left, const Values &right, bool isLast) {
  for (size_t i = 0; i < left.size(); ++i) {
    Tensor sum = takeTensor(left[i]);
    addition.add(sum, right[i].read());
    if (isLast)
      offer(i, sum.data());
    left[i] = Value(std::move(sum));
  }
}

std::vector<Sums> Microbatches::run(std::span<Value *const> keptOfStep,
                                    std::span<const Tensor> stagedOfStep) {
  const TimedPart part(times.computing);
  kept = keptOfStep;
  staged = stagedOfStep;
  contributed.clear();
  if (fetched)
    beginFetch();
  times.microbatches += range.count();
  std::vector<Sums> nodes;
  node = 0;
  exchange.begin();
  for (TreeNode each : nodesIn(range, microbatches)) {
    Values sums = runNode(each, true);
    ++node;
    Sums &taken = nodes.emplace_back();
    for (Value &sum : sums)
      taken.push_back(takeTensor(sum));
  }
  return nodes;
}

void Microbatches::keepMemory(Sums sums) {
  if (sums.empty())
    return;
  Values &values = unused.emplace_back();
  for (Tensor &tensor : sums)
    values.emplace_back(std::move(tensor));
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

} // namespace gensyn::runtime
