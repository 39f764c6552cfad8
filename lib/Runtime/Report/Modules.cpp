// Sorts layers and kernels by module and by part of the step.

#include "Sections.h"

#include <algorithm>
#include <set>

namespace gensyn::runtime::report {

using nlohmann::json;

/// Appends the parts of a dotted name; the rest of a very long one is left out.
static void addParts(ModulePath &path, std::string_view name) {
  constexpr size_t most = 64;
  while (!name.empty() && path.size() < most) {
    const size_t dot = std::min(name.find('.'), name.size());
    if (dot != 0)
      path.emplace_back(name.substr(0, dot));
    name.remove_prefix(std::min(dot + 1, name.size()));
  }
}

/// Nodes are named "/layer1/layer1.0/conv1/Conv" by PyTorch's older exporter,
/// in which a part may repeat the one before, and "net/dense/MatMul" by others.
static ModulePath pathOfNode(std::string_view name) {
  ModulePath path;
  std::string before;
  for (size_t slash; (slash = name.find('/')) != std::string_view::npos;
       name.remove_prefix(slash + 1)) {
    std::string_view part = name.substr(0, slash);
    const std::string whole(part);
    if (!before.empty() && part.starts_with(before + "."))
      part.remove_prefix(before.size() + 1);
    addParts(path, part);
    before = whole;
  }
  return path;
}

ModulePath moduleOfParameter(const std::string &name) {
  ModulePath path;
  addParts(path, name);
  if (!path.empty())
    path.pop_back();
  return path;
}

ModulePath findModule(const json &layer) {
  ModulePath path;
  addParts(path, layer.value("scope", ""));
  if (!path.empty())
    return path;
  const std::string node = layer.value("node", "");
  if (node.find('/') != std::string::npos)
    return pathOfNode(node);
  const json names = layer.value("parameter_names", json::array());
  return names.empty() ? path : moduleOfParameter(names.front());
}

const char *nameOf(Phase phase) {
  switch (phase) {
  case Phase::Forward:
    return "forward";
  case Phase::Loss:
    return "loss";
  case Phase::Backward:
    return "backward";
  case Phase::Update:
    break;
  }
  return "update";
}

std::map<std::string, Phase> findPhases(const json &info) {
  std::map<std::string, Phase> phases;
  std::set<std::string> parameters, ofLoss;
  for (const json &parameter : info.value("parameters", json::array()))
    parameters.insert(parameter.value("name", ""));
  const bool isStep = info.contains("trained");
  const json kernels = info.value("kernels", json::array());
  // Kernels are in program order: writers before readers.
  for (const json &kernel : kernels) {
    const std::string name = kernel.value("name", "");
    const json nodes = kernel.value("nodes", json::array());
    Phase phase = Phase::Forward;
    if (isStep && parameters.contains(kernel.value("node", "")))
      phase = Phase::Update;
    else if (isStep && nodes.empty())
      phase = Phase::Loss;
    else if (ofLoss.contains(name))
      phase = Phase::Backward;
    phases[name] = phase;
    if (phase != Phase::Loss && phase != Phase::Backward)
      continue;
    for (const json &border : kernel.value("borders", json::array()))
      ofLoss.insert(border.value("reader", ""));
  }
  return phases;
}

} // namespace gensyn::runtime::report
