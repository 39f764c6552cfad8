// Restores parameters from the metadata of PyTorch's newer exporter; see
// RestoreParameters.h.

#include "RestoreParameters.h"

#include "GradientNotes.h"
#include "Restorer.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace gensyn;
using namespace gensyn::restore;
using llvm::StringRef;
using ::onnx::NodeProto;

std::pair<StringRef, StringRef> restore::splitTarget(StringRef target) {
  auto [module, leaf] = target.rsplit('.');
  return target.contains('.') ? std::pair(module, leaf)
                              : std::pair(StringRef(), target);
}

Stored *Restorer::find(const std::string &name) {
  auto found = stored.find(name);
  return found == stored.end() ? nullptr : &found->second;
}

bool Restorer::isParameter(const std::string &target) const {
  auto found = kinds.find(target);
  return found != kinds.end() && found->second == "PARAMETER";
}

bool Restorer::holdsParameter(const Stored &stored) const {
  return llvm::any_of(stored.targets, [&](const std::string &target) {
    return isParameter(target);
  });
}

void Restorer::readStored() {
  for (const auto &[name, tensor] : notes.placeholders)
    kinds[tensor.target] = tensor.isParameter ? "PARAMETER" : "BUFFER";
  const bool notesKinds = llvm::any_of(notes.tensors, [](const auto &entry) {
    return !entry.second.kind.empty();
  });
  for (auto &tensor : *graph.mutable_initializer()) {
    known.insert(tensor.name());
    if (!isFloatTensor(tensor))
      continue;
    Stored &one = stored[tensor.name()];
    one.tensor = &tensor;
    const TensorNote &note = notes.tensors[tensor.name()];
    if (kinds.count(tensor.name())) {
      one.targets.insert(tensor.name());
      // A tensor into which the exporter fused another keeps its name but not
      // its metadata.
      one.isExact = !note.kind.empty() || !notesKinds;
    }
    for (const std::string &from : note.foldedFrom)
      (kinds.count(from) ? one.targets : one.values).insert(from);
  }
  for (const auto &[name, note] : notes.tensors)
    known.insert(note.foldedFrom.begin(), note.foldedFrom.end());
}

/// Reads a call of which only the scope is recorded: its arguments may be any
/// tensors of its module.
bool Restorer::readScope(const NodeProto &node, ModuleCall &call) const {
  if (!readModuleScope(node, call))
    return false;
  for (const auto &[name, tensor] : notes.placeholders) {
    auto [module, leaf] = splitTarget(tensor.target);
    if (module == call.scope)
      call.arguments.push_back({leaf.str(), {name}, ""});
  }
  return true;
}

void Restorer::addCall(NodeProto &node, ModuleCall call, bool isOfScope) {
  known.insert(call.value);
  auto [place, isNew] = callIndex.try_emplace(
      call.value + ' ' + call.op + ' ' + call.scope, calls.size());
  if (isNew)
    calls.push_back({std::move(call), {&node}, isOfScope});
  else
    calls[place->second].nodes.push_back(&node);
}

void Restorer::readCalls() {
  bool notesCalls = false;
  forEachGraphNode(graph, [&](NodeProto &node) {
    ModuleCall call;
    notesCalls |= readModuleCall(node, call);
    known.insert(node.output().begin(), node.output().end());
    for (const std::string &output : node.output())
      makers[output] = &node;
  });
  forEachGraphNode(graph, [&](NodeProto &node) {
    ModuleCall call;
    if (notesCalls ? readModuleCall(node, call) : readScope(node, call)) {
      addCall(node, std::move(call), !notesCalls);
      return;
    }
    for (int i = 0; i < node.input_size(); ++i)
      if (Stored *one = find(node.input(i)); one && holdsParameter(*one)) {
        hasGaps = true;
        unnoted.insert(node.input(i));
        if (one->isExact)
          uses[node.input(i)].push_back({&node, i, Form::Exact});
      }
  });
  for (const auto &value : graph.input())
    known.insert(value.name());
  known.insert(notes.inputs.begin(), notes.inputs.end());
}

void Restorer::mark(const std::string &initializer, Form form,
                    const std::set<std::string> &targets) {
  if (llvm::none_of(targets,
                    [&](const std::string &t) { return isParameter(t); }))
    return;
  ModuleParameter &row = marked[initializer];
  if (row.initializer.empty() || form == Form::Computed)
    row.form = form;
  row.initializer = initializer;
  for (const std::string &target : targets)
    if (isParameter(target) &&
        !llvm::is_contained(row.names, std::vector{target}))
      row.names.push_back({target});
}

ParameterTable Restorer::run() {
  readStored();
  readCalls();
  for (CallNodes &call : calls)
    resolve(call);
  for (const auto &[name, one] : stored)
    if (kinds.count(name) && !one.isExact)
      mark(one.tensor->name(), Form::Computed, {name});
  findMergedCalls();
  for (const auto &[target, list] : uses)
    restore(target, list);
  edits.removeUnread(rewired);
  std::erase_if(marked,
                [&](const auto &entry) { return !edits.find(entry.first); });
  markTwins();
  fillTable();
  return std::move(table);
}

ParameterTable gensyn::restoreParameters(::onnx::ModelProto &model,
                                         ModelFolder &folder) {
  ::onnx::GraphProto &graph = *model.mutable_graph();
  ModuleNotes notes = readModuleNotes(graph);
  if (!notes.placeholders.empty()) {
    std::vector<std::string> lost = noteGradients(graph, notes);
    ParameterTable table = Restorer(graph, folder, std::move(notes)).run();
    table.lostGradients = std::move(lost);
    return table;
  }
  if (model.producer_name() == "pytorch")
    return restoreByNames(graph, folder);
  return suspectMerged(graph);
}
