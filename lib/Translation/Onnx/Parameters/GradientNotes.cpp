// See GradientNotes.h.

#include "GradientNotes.h"

#include "InitializerEdits.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;
using ::onnx::NodeProto;

namespace gensyn {

/// Whether a value is named by a call of aten::detach: detach, detach_3.
static bool isDetached(StringRef value) {
  return value.rtrim("0123456789").rtrim('_') == "detach";
}

static bool isOperator(const NodeProto &node, StringRef name) {
  return node.op_type() == name && node.domain().empty();
}

/// An argument of a call, by its place or by its name; "" where it is not
/// given.
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
                   "' has scale_grad_by_freq, which is not implemented");
}

/// Whether all arguments of a clamp but the first are scalars: numbers, or
/// results of aten::scalar_tensor, which integers become beside floats.
static bool hasScalarBounds(const ModuleCall &call) {
  return llvm::all_of(llvm::drop_begin(call.arguments), [](const auto &bound) {
    return llvm::all_of(bound.values, [](StringRef value) {
      return value.starts_with("scalar_tensor");
    });
  });
}

/// The names that values of the module have in the file.
static std::set<std::string> findKnown(::onnx::GraphProto &graph,
                                       const ModuleNotes &notes) {
  std::set<std::string> known = notes.inputs;
  for (const auto &tensor : graph.initializer())
    known.insert(tensor.name());
  for (const auto &value : graph.input())
    known.insert(value.name());
  for (const auto &[name, note] : notes.tensors)
    known.insert(note.foldedFrom.begin(), note.foldedFrom.end());
  forEachGraphNode(graph, [&](NodeProto &node) {
    known.insert(node.output().begin(), node.output().end());
    ModuleCall call;
    if (readModuleCall(node, call))
      known.insert(call.value);
  });
  return known;
}

std::vector<std::string> noteGradients(::onnx::GraphProto &graph,
                                       const ModuleNotes &notes) {
  std::vector<std::string> lost;
  const std::set<std::string> known = findKnown(graph, notes);
  std::set<std::string> seen;
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
    for (const ModuleCall::Argument &argument : call.arguments)
      for (const std::string &value : argument.values)
        if (isDetached(value) && !known.count(value) &&
            seen.insert(value).second)
          lost.push_back("'" + value + "', which '" + node.name() +
                         "' reads, was removed");
  });
  return lost;
}

} // namespace gensyn
