// Binds stored and given tensors to a program's ports.

#include "gensyn/Runtime/Devices/Session.h"

#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gensyn::runtime {

Session::Session(std::unique_ptr<Program> loaded, ParameterStore &store)
    : program(std::move(loaded)), store(store) {
  store.adopt(program->signature());
  sharePorts = signature();
  for (Port &port : sharePorts.inputs)
    if ((port.role == Role::Input || port.role == Role::Target) &&
        !port.shape.empty() && !share().isWhole())
      port.shape[0] = port.shape[0] / share().of * share().count;
  for (std::vector<Value> &results : outputs)
    for (const Port &port : signature().outputs)
      results.emplace_back(port.type, port.shape);
}

int64_t Session::batchSize() const {
  for (const Port &port : signature().inputs)
    if ((port.role == Role::Input || port.role == Role::Target) &&
        !port.shape.empty())
      return port.shape[0];
  return 0;
}

/// Returns the seed as two 32-bit words, low word first, or as a single number.
static Tensor makeKey(const Port &port, uint64_t seed) {
  Tensor key(port.type, port.shape);
  if (port.type == ElementType::UI32 && key.numElements() == 2) {
    key.as<uint32_t>()[0] = uint32_t(seed);
    key.as<uint32_t>()[1] = uint32_t(seed >> 32);
  } else if (port.type == ElementType::UI64 && key.numElements() == 1) {
    key.as<uint64_t>()[0] = seed;
  } else {
    failBadInput("the program is malformed: its key is neither two ui32 nor "
                 "one ui64");
  }
  return key;
}

static Value *checkValue(Value &value, const Port &port) {
  if (value.elementType() != port.type || value.shape() != port.shape)
    throw Failure(ExitCode::Bug,
                  "no fitting tensor for the program's " + quote(port.name));
  return &value;
}

/// Returns the given values in the order of the signature; null for kept ones.
std::vector<Tensor> Session::makeInputs(const StepInputs &given) const {
  std::vector<Tensor> inputs;
  inputs.reserve(signature().inputs.size());
  for (const Port &port : signature().inputs) {
    if (isKept(port) || given.onDevice.count(port.name)) {
      inputs.emplace_back();
    } else if (port.role == Role::Key) {
      inputs.push_back(makeKey(port, given.seed));
    } else if (port.role == Role::Step) {
      fillTensor(inputs.emplace_back(port.type, port.shape),
                 double(given.step));
    } else {
      auto found = given.tensors.find(port.name);
      if (found == given.tensors.end() ||
          found->second.elementType() != port.type ||
          (found->second.shape() != port.shape &&
           found->second.shape() != sharePorts.inputs[inputs.size()].shape))
        throw Failure(ExitCode::Bug, "no fitting tensor for the program's " +
                                         quote(port.name));
      inputs.push_back(found->second);
    }
  }
  return inputs;
}

void Session::stage(const StepInputs &given) {
  const std::vector<Tensor> made = makeInputs(given);
  std::vector<const Tensor *> inputs;
  borrowedValues.assign(given.onDevice.empty() ? 0 : made.size(), nullptr);
  for (size_t i = 0; i < made.size(); ++i) {
    const Port &port = signature().inputs[i];
    const auto found = given.onDevice.find(port.name);
    const bool isBorrowed = !isKept(port) && found != given.onDevice.end();
    if (isBorrowed)
      borrowedValues[i] = checkValue(*found->second, port);
    inputs.push_back(isKept(port) || isBorrowed ? nullptr : &made[i]);
  }
  program->stage(inputs);
}

std::vector<Tensor> Session::listInputs(const StepInputs &given) {
  std::vector<Tensor> inputs = makeInputs(given);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const Port &port = signature().inputs[i]; isKept(port))
      inputs[i] = kept(port).read();
    else if (auto found = given.onDevice.find(port.name);
             found != given.onDevice.end())
      inputs[i] = found->second->read();
  return inputs;
}

Value &Session::kept(const Port &port) const {
  if (ofAverages && port.role == Role::Parameter)
    if (std::string average = averageName(port.name); store.has(average))
      return store.value(average);
  return store.value(port.name);
}

void Session::findKept() {
  // Another program may add averages to the store at any time.
  if (ofAverages)
    keptValues.clear();
  if (keptValues.empty())
    for (const Port &port : signature().inputs)
      keptValues.push_back(isKept(port) ? &kept(port) : nullptr);
}

void Session::begin() {
  findKept();
  if (running > 0 && !std::exchange(isWrittenBack, true))
    writeBack(outputs[oldest]);
  std::vector<Value *> values = keptValues;
  for (size_t i = 0; i < borrowedValues.size(); ++i)
    if (borrowedValues[i])
      values[i] = borrowedValues[i];
  alternates |= running > 0;
  const size_t slot = running > 0 ? oldest ^ 1 : ended ^ size_t(alternates);
  program->begin(values, outputs[slot]);
  if (running++ == 0)
    oldest = slot;
}

void Session::end() {
  const size_t run = oldest;
  const bool hasBeenRead = std::exchange(isWrittenBack, false);
  if (--running > 0)
    oldest ^= 1;
  program->end();
  ended = run;
  if (!hasBeenRead)
    writeBack(outputs[run]);
}

/// Moves donated outputs to the store.
void Session::writeBack(std::vector<Value> &results) {
  for (size_t j = 0; j < results.size(); ++j)
    if (int i = signature().donated[j]; i >= 0) {
      std::swap(results[j], store.value(signature().inputs[i].name));
      // Frees the memory of outdated values, which the other programs of the
      // store reuse, and a run that begins now: it follows the one that reads
      // them.
      results[j].takeMemory();
    }
}

int Session::findOutput(Role role, const std::string &name) const {
  int result = -1, count = 0;
  const std::vector<Port> &ports = signature().outputs;
  for (size_t j = 0; j < ports.size(); ++j)
    if (ports[j].role == role && (name.empty() || ports[j].name == name)) {
      result = int(j);
      ++count;
    }
  return count == 1 ? result : -1;
}

Tensor Session::takeOutput(size_t index) {
  Value &output = outputs[ended][index];
  Tensor taken = output.read();
  output = Value(taken.elementType(), taken.shape());
  return taken;
}

Value Session::takeValue(size_t index) {
  Value &output = outputs[ended][index];
  return std::exchange(output, Value(output.elementType(), output.shape()));
}

double Session::loss() const {
  int index = findOutput(Role::Loss, "");
  if (index < 0)
    failBadInput("the program is malformed: it has no loss");
  return scalarValue(output(size_t(index)));
}

std::vector<std::pair<std::string, double>> Session::metrics() const {
  std::vector<std::pair<std::string, double>> result;
  const std::vector<Port> &ports = signature().outputs;
  for (size_t j = 0; j < ports.size(); ++j)
    if (ports[j].role == Role::Metric)
      result.emplace_back(ports[j].name, scalarValue(output(j)));
  return result;
}

double scalarValue(const Tensor &tensor) {
  if (tensor.numElements() == 1) {
    if (tensor.elementType() == ElementType::F32)
      return *tensor.as<float>();
    if (tensor.elementType() == ElementType::F64)
      return *tensor.as<double>();
  }
  throw Failure(ExitCode::Bug, "a figure of " + longName(tensor.elementType()) +
                                   describeShape(tensor.shape()) +
                                   " is not a number");
}

} // namespace gensyn::runtime
