// See PartInputs.h.

#include "PartInputs.h"

#include "gensyn/Executable/Support/Error.h"

#include <map>

namespace gensyn::runtime {

// Names of the parts' own inputs and outputs.
static constexpr std::string_view kNumber = "gensyn.microbatch";
static constexpr std::string_view kSum = "gensyn.sum.";
static constexpr std::string_view kContribution = "gensyn.contribution.";
static constexpr std::string_view kPassed = "gensyn.passed.";
static constexpr std::string_view kPartial = "gensyn.partial.";
static constexpr std::string_view kCutValue = "gensyn.cut.";

void failParts(const std::string &why) {
  failBadInput("the program is malformed: the parts of the step " + why);
}

/// The number behind a prefix.
static std::optional<size_t> numberIn(std::string_view name,
                                      std::string_view prefix) {
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

using Kind = PartInput::Kind;

static constexpr std::pair<std::string_view, Kind> numbered[] = {
    {kSum, Kind::Sum},
    {kContribution, Kind::Contribution},
    {kPassed, Kind::Passed},
    {kPartial, Kind::Partial},
    {kCutValue, Kind::Cut}};

static std::optional<PartInput> findNumbered(const std::string &name) {
  for (const auto &[prefix, kind] : numbered)
    if (auto number = numberIn(name, prefix))
      return PartInput{kind, *number};
  return std::nullopt;
}

PartInput bindInput(const std::string &name, const Signature &step) {
  if (name == kNumber)
    return {Kind::Number, 0};
  if (auto found = findNumbered(name))
    return *found;
  for (size_t i = 0; i < step.inputs.size(); ++i)
    if (step.inputs[i].name == name)
      return {Kind::Step, i};
  failParts("read " + quote(name));
}

std::vector<PartInput> bindInputs(const Program &part, const Signature &step) {
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < step.inputs.size(); ++i)
    known[step.inputs[i].name] = i;
  std::vector<PartInput> bindings;
  for (const Port &port : part.signature().inputs) {
    auto found = known.find(port.name);
    bindings.push_back(found == known.end()
                           ? bindInput(port.name, step)
                           : PartInput{Kind::Step, found->second});
  }
  return bindings;
}

PartInput bindOutput(const std::string &name) {
  const std::optional<PartInput> found = findNumbered(name);
  if (!found || found->kind == Kind::Passed || found->kind == Kind::Partial)
    failParts("have other results");
  return *found;
}

std::optional<size_t> numberOfPartial(const std::string &name) {
  return numberIn(name, kPartial);
}

std::string nameOfSum(size_t number) {
  return std::string(kSum) + std::to_string(number);
}

std::string nameOfPartial(size_t number) {
  return std::string(kPartial) + std::to_string(number);
}

bool isSplit(const Port &port) {
  return !port.shape.empty() &&
         (port.role == Role::Input || port.role == Role::Target);
}

Tensor takeTensor(Value &value) {
  Tensor tensor = value.read();
  value = Value(tensor.elementType(), tensor.shape());
  return tensor;
}

} // namespace gensyn::runtime
