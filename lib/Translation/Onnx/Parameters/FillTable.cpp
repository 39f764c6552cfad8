// Makes one initializer for each tensor of the module, and fills the parameter
// table.

#include "Restorer.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace gensyn;
using namespace gensyn::restore;
using llvm::StringRef;
using ::onnx::TensorProto;

void Restorer::rewire(const Use &use, const std::string &value) {
  const std::string &old = use.node->input(use.operand);
  if (old == value)
    return;
  rewired.insert(old);
  use.node->set_input(use.operand, value);
}

/// Makes one initializer for all readers of a tensor of the module.
void Restorer::restore(const std::string &target,
                       const std::vector<Use> &uses) {
  auto storedAt = [&](const Use &use) {
    return find(use.node->input(use.operand));
  };
  const Stored *own = find(target);
  std::string holder = own && own->isExact ? target : "";
  Form form = Form::Exact;
  auto exact = llvm::find_if(
      uses, [](const Use &use) { return use.form == Form::Exact; });
  auto give = [&](const Use &use) {
    edits.copy(*storedAt(use)->tensor, target, kinds[target]);
    restored.insert(target);
    holder = target;
  };
  if (holder.empty() && exact == uses.end()) {
    form = uses.front().form;
    for (const Use &use : uses)
      if (storedAt(use)->targets == std::set{target} && holder.empty())
        holder = use.node->input(use.operand);
  }
  if (holder.empty()) {
    if (edits.isTaken(target)) {
      unresolved.insert(target);
      return;
    }
    give(exact == uses.end() ? uses.front() : *exact);
  }
  if (form != Form::Exact)
    mark(holder, form, {target});
  for (const Use &use : uses) {
    const TensorProto &tensor = *storedAt(use)->tensor;
    if (tensor.name() == holder)
      continue;
    std::optional<std::string> value;
    if (form == Form::Exact || form == use.form)
      value = edits.derive(holder, tensor,
                           form == Form::Exact ? use.form : Form::Exact);
    if (value)
      rewire(use, *value);
    else
      mark(tensor.name(), Form::Computed, {target});
  }
}

/// The tied names of tensors: maps "a.weight" to "b.weight" if module a reads
/// b's weight.
std::map<std::string, std::string> Restorer::findAliases() const {
  std::map<std::string, std::string> aliases;
  for (const CallNodes &call : calls) {
    if (call.isOfScope)
      continue;
    for (const ModuleCall::Argument &argument : call.call.arguments)
      for (const std::string &value : argument.values) {
        auto found = notes.placeholders.find(value);
        if (found == notes.placeholders.end())
          continue;
        const std::string &target = found->second.target;
        std::string name = splitTarget(target).second.str();
        if (!call.call.scope.empty())
          name = call.call.scope + "." + name;
        aliases.try_emplace(name, target);
      }
  }
  return aliases;
}

/// Marks a parameter that is in two initializers, since it would be trained as
/// two parameters.
void Restorer::markTwins() {
  std::map<std::string, std::set<std::string>> holders;
  for (const auto &[name, row] : marked)
    for (const auto &names : row.names)
      holders[names.front()].insert(name);
  for (auto &[target, names] : holders) {
    if (edits.find(target))
      names.insert(target);
    if (names.size() > 1)
      for (const std::string &name : names)
        if (auto found = marked.find(name); found != marked.end())
          found->second.form = Form::Computed;
  }
}

void Restorer::fillTable() {
  table.isComplete = true;
  std::set<std::string> held = restored, refused;
  for (const auto &[name, row] : marked)
    for (const auto &names : row.names) {
      held.insert(names.front());
      if (row.form == Form::Computed)
        refused.insert(names.front());
    }
  std::map<std::string, std::vector<std::string>> aliases;
  const std::map<std::string, std::string> read = findAliases();
  for (const auto &[target, kind] : kinds) {
    const bool isHeld = held.count(target) || edits.find(target);
    // If a parameter is held by some initializer, another use of it may be
    // missing.
    const bool isLost = unresolved.count(target) && !refused.count(target);
    if (kind != "PARAMETER" || (isHeld && !isLost))
      continue;
    auto alias = read.find(target);
    if (alias != read.end() && !unresolved.count(target))
      aliases[alias->second].push_back(target);
    else
      table.parameters.push_back(
          {"",
           {{target}},
           unresolved.count(target) || hasGaps ? Form::Lost : Form::Unused});
  }
  for (auto &[name, row] : marked) {
    for (auto &names : row.names)
      if (auto found = aliases.find(names.front()); found != aliases.end())
        llvm::append_range(names, found->second);
    table.parameters.push_back(row);
  }
  for (const auto &[target, others] : aliases)
    if (edits.find(target) && !marked.count(target)) {
      std::vector<std::string> names = {target};
      llvm::append_range(names, others);
      table.parameters.push_back({target, {names}, Form::Exact});
    }
  for (const auto &[name, one] : stored)
    if (!marked.count(name) && !kinds.count(name))
      table.constants.insert(name);
}
