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

std::vector<PartInput> bindInputs(const Program &part, const Signature &step) {
  using Kind = PartInput::Kind;
  static constexpr std::pair<std::string_view, Kind> numbered[] = {
      {kSum, Kind::Sum},
      {kContribution, Kind::Contribution},
      {kPassed, Kind::Passed},
      {kPartial, Kind::Partial}};
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < step.inputs.size(); ++i)
    known[step.inputs[i].name] = i;
  auto find = [&](const std::string &name) -> PartInput {
    if (name == kNumber)
      return {Kind::Number, 0};
    for (const auto &[prefix, kind] : numbered)
      if (auto number = numberIn(name, prefix))
        return {kind, *number};
    if (auto found = known.find(name); found != known.end())
      return {Kind::Step, found->second};
    failParts("read " + quote(name));
  };
  std::vector<PartInput> bindings;
  for (const Port &port : part.signature().inputs)
    bindings.push_back(find(port.name));
  return bindings;
}

static std::vector<Port> outputsWith(const Program &part,
                                     std::string_view prefix) {
  std::vector<Port> found;
  for (const Port &port : part.signature().outputs)
    if (numberIn(port.name, prefix) == found.size())
      found.push_back(port);
  return found;
}

std::vector<Port> findSums(const Program &part) {
  return outputsWith(part, kSum);
}

std::vector<Port> findContributions(const Program &part) {
  return outputsWith(part, kContribution);
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
