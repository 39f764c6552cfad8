// Tensors that persist between steps, and their digest.

#include "gensyn/Runtime/Devices/ParameterStore.h"

#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Convert.h"

namespace gensyn::runtime {

void ParameterStore::adopt(const Signature &signature) {
  InitialValues values;
  for (const Port &port : signature.inputs) {
    if (!isKept(port))
      continue;
    auto found = entries.find(port.name);
    if (found != entries.end()) {
      const Value &value = found->second.value;
      if (value.elementType() != port.type || value.shape() != port.shape)
        failBadInput("two programs disagree about " + quote(port.name) + ": " +
                     describeShape(value.shape()) + " and " +
                     describeShape(port.shape));
      continue;
    }
    Kind kind = Kind::Constant;
    if (port.role == Role::Parameter)
      kind = Kind::Parameter;
    else if (port.role == Role::Average)
      kind = Kind::Average;
    else if (port.role == Role::State)
      kind = port.initial->value_case() == plan::Initial::kFill
                 ? Kind::OptimizerState
                 : Kind::ModelState;
    entries.emplace(port.name, Entry{kind, Value(values.load(port))});
  }
}

const Tensor &ParameterStore::at(const std::string &name) const {
  return entries.at(name).value.read();
}

Value &ParameterStore::value(const std::string &name) {
  return entries.at(name).value;
}

ParameterStore::Names ParameterStore::select(Kind first, Kind second) const {
  Names result;
  for (const auto &[name, entry] : entries)
    if (entry.kind == first || entry.kind == second)
      result.emplace(name, name);
  return result;
}

TensorMap ParameterStore::read(const Names &names) const {
  TensorMap result;
  for (const auto &[name, stored] : names)
    result.emplace(name, at(stored));
  return result;
}

/// True if a tensor of type `given` may replace one of type `wanted`: the f32
/// masters of f16 or bf16 parameters are rounded back.
static bool isMasterOf(ElementType given, ElementType wanted) {
  return given == wanted ||
         (given == ElementType::F32 &&
          (wanted == ElementType::F16 || wanted == ElementType::BF16));
}

void ParameterStore::replace(const TensorFile &file) {
  const std::string where = file.path().string() + ": ";
  for (const auto &[name, given] : file.entries()) {
    auto found = entries.find(name);
    if (found == entries.end() || found->second.kind == Kind::OptimizerState)
      failBadInput(where + "the program has no parameter " + quote(name),
                   "is it the file of another model?");
    const Value &value = found->second.value;
    if (!isMasterOf(given.type, value.elementType()) ||
        given.shape != value.shape())
      failBadInput(where + quote(name) + " is " + longName(given.type) +
                   describeShape(given.shape) + ", the program wants " +
                   longName(value.elementType()) +
                   describeShape(value.shape()));
  }
  for (const auto &[name, given] : file.entries()) {
    Value &value = entries.at(name).value;
    const Tensor tensor = file.tensor(name);
    value = Value(given.type == value.elementType()
                      ? tensor
                      : scalar::convertTensor(tensor, value.elementType()));
  }
}

TensorMap ParameterStore::model() const { return read(modelNames()); }

TensorMap ParameterStore::optimizer() const { return read(optimizerNames()); }

std::string averageName(const std::string &parameter) {
  return parameter + ".ema";
}

ParameterStore::Names ParameterStore::averagedNames() const {
  if (select(Kind::Average, Kind::Average).empty())
    return {};
  Names result = modelNames();
  for (auto &[name, stored] : result)
    if (auto found = entries.find(averageName(name));
        found != entries.end() && found->second.kind == Kind::Average)
      stored = found->first;
  return result;
}

TensorMap ParameterStore::averaged() const { return read(averagedNames()); }

TensorMap ParameterStore::constants() const {
  return read(select(Kind::Constant, Kind::Constant));
}

void ParameterStore::requireFitting(const TensorHeaders &model,
                                    const TensorHeaders &optimizer,
                                    const std::string &where) const {
  size_t wanted = 0;
  for (const auto &[name, entry] : entries) {
    if (entry.kind == Kind::Constant)
      continue;
    ++wanted;
    const TensorHeaders &map =
        entry.kind == Kind::OptimizerState || entry.kind == Kind::Average
            ? optimizer
            : model;
    auto found = map.find(name);
    if (found == map.end())
      failBadInput(where + ": has no " + quote(name));
    const TensorHeader &tensor = found->second;
    if (tensor.type != entry.value.elementType() ||
        tensor.shape != entry.value.shape())
      failBadInput(where + ": " + quote(name) + " is " + longName(tensor.type) +
                   describeShape(tensor.shape) + ", the program wants " +
                   longName(entry.value.elementType()) +
                   describeShape(entry.value.shape()));
  }
  if (model.size() + optimizer.size() != wanted)
    failBadInput(where + ": has tensors that the program has not");
}

void ParameterStore::restore(const TensorMap &model, const TensorMap &optimizer,
                             const std::string &where) {
  requireFitting(headersOf(model), headersOf(optimizer), where);
  for (const TensorMap *map : {&model, &optimizer})
    for (const auto &[name, tensor] : *map)
      entries.at(name).value = Value(tensor);
}

int64_t ParameterStore::parameterCount() const {
  int64_t count = 0;
  for (const auto &[name, entry] : entries)
    if (entry.kind == Kind::Parameter)
      count += countElements(entry.value.shape()).value_or(0);
  return count;
}

std::string ParameterStore::digest() const { return digestTensors(model()); }

static void appendNumber(std::string &text, uint64_t number) {
  for (int i = 0; i < 8; ++i)
    text += char(number >> (8 * i));
}

std::string TensorDigest::describe(const std::string &name, ElementType type,
                                   const std::vector<int64_t> &shape) {
  std::string text;
  for (const std::string_view part :
       {std::string_view(name), gensyn::name(type)}) {
    appendNumber(text, part.size());
    text += part;
  }
  appendNumber(text, shape.size());
  for (int64_t extent : shape)
    appendNumber(text, uint64_t(extent));
  appendNumber(text, uint64_t(tensorBytes(type, shape)));
  return text;
}

void TensorDigest::add(const std::string &name, const Tensor &tensor) {
  hasher.update(describe(name, tensor.elementType(), tensor.shape()));
  hasher.update(tensor.data(), size_t(tensor.byteSize()));
}

std::string digestTensors(const TensorMap &tensors) {
  TensorDigest digest;
  for (const auto &[name, tensor] : tensors)
    digest.add(name, tensor);
  return digest.hex();
}

} // namespace gensyn::runtime
