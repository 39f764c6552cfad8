// See GradientNotes.h.

#include "GradientNotes.h"

#include "InitializerEdits.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;
using ::onnx::NodeProto;

namespace gensyn {

static bool isOperator(const NodeProto &node, StringRef name) {
  return node.op_type() == name && node.domain().empty();
}

/// An argument of a call, by its position or its name; "" if it is not given.
static StringRef argumentOf(const ModuleCall &call, size_t place,
                            StringRef key) {
  if (place < call.arguments.size() && call.arguments[place].key.empty())
    return call.arguments[place].text;
  auto named =
      llvm::find_if(call.arguments, [&](const ModuleCall::Argument &one) {
        return one.key == key;
      });
  return named == call.arguments.end() ? StringRef() : StringRef(named->text);
}

static void setAttribute(NodeProto &node, StringRef name, int64_t value) {
  auto *attribute = node.add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(::onnx::AttributeProto::INT);
  attribute->set_i(value);
}

/// aten::embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse).
static void noteEmbedding(NodeProto &node, const ModuleCall &call,
                          std::vector<std::string> &lost) {
  int64_t row = -1;
  if (!argumentOf(call, 2, "padding_idx").getAsInteger(10, row) && row >= 0)
    setAttribute(node, onnx::names::paddingRow, row);
  if (argumentOf(call, 3, "scale_grad_by_freq") == "True")
    lost.push_back("the embedding '" + node.name() +
                   "' has scale_grad_by_freq, which is not supported");
}

/// True if all arguments of a clamp but the first are scalars: numbers, or
/// results of aten::scalar_tensor, into which the exporter converts integers
/// that occur beside floats.
static bool hasScalarBounds(const ModuleCall &call) {
  return llvm::all_of(llvm::drop_begin(call.arguments), [](const auto &bound) {
    return llvm::all_of(bound.values, [](StringRef value) {
      return value.starts_with("scalar_tensor");
    });
  });
}

namespace {
/// The nodes that compute a call.
struct Group {
  ModuleCall call;
  std::vector<NodeProto *> nodes;
  /// True if one of them is in a graph of an If or a Loop.
  bool isInner = false;
};

/// Restores calls of aten::detach that the exporter removed.
class Detached {
public:
  Detached(::onnx::GraphProto &graph, const ModuleNotes &notes)
      : graph(graph), notes(notes) {}

  /// Restores the calls. Returns a phrase for each call whose detached operand
  /// is ambiguous.
  std::vector<std::string> restore();

private:
  void readFile();
  void readGroups();
  bool restore(const Group &group, const std::string &value);

  ::onnx::GraphProto &graph;
  const ModuleNotes &notes;
  /// Tensors that the exporter computed: no node detaches their sources.
  std::set<std::string> folded;
  std::set<std::string> initializers, values;
  /// By value and operator, in the order of the file.
  std::vector<Group> groups;
  /// Detached values, by the name of the call.
  std::map<std::string, std::string> sources;
};
} // namespace

void Detached::readFile() {
  for (const auto &[name, note] : notes.tensors)
    folded.insert(note.foldedFrom.begin(), note.foldedFrom.end());
  for (const auto &tensor : graph.initializer())
    initializers.insert(tensor.name());
  for (const auto &value : graph.input())
    values.insert(value.name());
  forEachGraphNode(graph, [&](NodeProto &node) {
    values.insert(node.output().begin(), node.output().end());
    if (isOperator(node, "Constant"))
      initializers.insert(node.output().begin(), node.output().end());
  });
}

void Detached::readGroups() {
  std::map<std::string, size_t> places;
  std::set<const NodeProto *> outer;
  for (const NodeProto &node : graph.node())
    outer.insert(&node);
  forEachGraphNode(graph, [&](NodeProto &node) {
    ModuleCall call;
    if (!readModuleCall(node, call))
      return;
    auto [place, isNew] =
        places.try_emplace(call.value + ' ' + call.op, groups.size());
    if (isNew)
      groups.push_back({std::move(call), {}});
    Group &group = groups[place->second];
    group.nodes.push_back(&node);
    group.isInner |= !outer.count(&node);
  });
}

/// Finds the detached value: the operand that matches no other argument of the
/// call.
bool Detached::restore(const Group &group, const std::string &value) {
  if (group.isInner)
    return false;
  std::set<std::string> given, made, open;
  for (const ModuleCall::Argument &argument : group.call.arguments)
    for (const std::string &other : argument.values) {
      if (other != value && !values.count(other) &&
          !initializers.count(other) && !notes.placeholders.count(other))
        return false;
      given.insert(other);
    }
  for (const NodeProto *node : group.nodes)
    made.insert(node->output().begin(), node->output().end());
  for (const NodeProto *node : group.nodes)
    for (const std::string &input : node->input())
      if (!input.empty() && !made.count(input) && !given.count(input) &&
          !initializers.count(input))
        open.insert(input);
  if (open.size() != 1)
    return false;
  auto [source, isNew] = sources.try_emplace(value, *open.begin());
  if (source->second != *open.begin())
    return false;
  for (NodeProto *node : group.nodes)
    for (std::string &input : *node->mutable_input())
      if (input == source->second)
        input = value;
  return true;
}

std::vector<std::string> Detached::restore() {
  readFile();
  readGroups();
  std::vector<std::string> lost;
  std::set<std::string> seen;
  for (const Group &group : groups)
    for (const ModuleCall::Argument &argument : group.call.arguments)
      for (const std::string &value : argument.values)
        if (rootOf(value) == "detach" && !values.count(value) &&
            !folded.count(value) && !initializers.count(value) &&
            !notes.inputs.count(value) && !restore(group, value) &&
            seen.insert(value).second)
          lost.push_back("'" + value + "', which '" +
                         group.nodes.front()->name() + "' reads, was removed");
  // The nodes of the main graph, which is sorted again.
  for (const auto &[value, source] : sources) {
    NodeProto &node = *graph.add_node();
    node.set_op_type("Identity");
    node.set_name(value);
    node.add_input(source);
    node.add_output(value);
    setAttribute(node, onnx::names::stopsGradient, 1);
  }
  return lost;
}

std::vector<std::string> noteGradients(::onnx::GraphProto &graph,
                                       const ModuleNotes &notes) {
  std::vector<std::string> lost;
  forEachGraphNode(graph, [&](NodeProto &node) {
    ModuleCall call;
    if (!readModuleCall(node, call))
      return;
    if (call.op == "detach" && isOperator(node, "Identity"))
      setAttribute(node, onnx::names::stopsGradient, 1);
    if ((isOperator(node, "Min") || isOperator(node, "Max")) &&
        StringRef(call.op).starts_with("clamp") && !call.arguments.empty() &&
        hasScalarBounds(call))
      setAttribute(node, onnx::names::isBounded, 1);
    if (call.op == "embedding" && isOperator(node, "Gather"))
      noteEmbedding(node, call, lost);
  });
  llvm::append_range(lost, Detached(graph, notes).restore());
  return lost;
}

} // namespace gensyn
