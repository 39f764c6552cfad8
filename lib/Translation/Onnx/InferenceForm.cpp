// Rewrites training mode in attributes, outputs and operands; see
// InferenceForm.h.

#include "InferenceForm.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

using ::onnx::NodeProto;

namespace gensyn {
namespace {
class Rewriter {
public:
  explicit Rewriter(int opset) : opset(opset) {}
  /// The nodes of a graph or of a function.
  template <class Nodes> void collect(Nodes &nodes);
  template <class Nodes> void rewrite(Nodes &nodes);
  void addOutput(const std::string &name) { read.insert(name); }
  unsigned getCount() const { return count; }

private:
  bool rewriteNormalization(NodeProto &node);
  bool rewriteDropout(NodeProto &node);

  int opset;
  unsigned count = 0;
  std::set<std::string> read;
  /// Values that do not depend on data.
  std::set<std::string> constant;
};
} // namespace

static ::onnx::AttributeProto *find(NodeProto &node, llvm::StringRef name) {
  for (auto &attribute : *node.mutable_attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

/// Sets inference mode in the form before version 7 of both operators.
static bool setTestMode(NodeProto &node) {
  ::onnx::AttributeProto *mode = find(node, "is_test");
  if (mode && mode->i() != 0)
    return false;
  if (!mode)
    mode = node.add_attribute();
  mode->set_name("is_test");
  mode->set_type(::onnx::AttributeProto::INT);
  mode->set_i(1);
  return true;
}

template <class Nodes> void Rewriter::collect(Nodes &nodes) {
  for (NodeProto &node : nodes) {
    read.insert(node.input().begin(), node.input().end());
    if (node.op_type() == "Constant")
      constant.insert(node.output().begin(), node.output().end());
    for (auto &attribute : *node.mutable_attribute())
      if (attribute.has_g()) {
        for (const auto &tensor : attribute.g().initializer())
          constant.insert(tensor.name());
        for (const auto &value : attribute.g().output())
          read.insert(value.name());
        collect(*attribute.mutable_g()->mutable_node());
      }
  }
}

bool Rewriter::rewriteNormalization(NodeProto &node) {
  if (opset < 7)
    return setTestMode(node);
  ::onnx::AttributeProto *mode = find(node, "training_mode");
  if (opset < 14 ? node.output_size() <= 1 : !mode || mode->i() == 0)
    return false;
  for (int i = 1; i < node.output_size(); ++i)
    if (read.count(node.output(i)) && !node.output(i).empty())
      return false;
  if (mode)
    mode->set_i(0);
  node.mutable_output()->DeleteSubrange(1, node.output_size() - 1);
  return true;
}

bool Rewriter::rewriteDropout(NodeProto &node) {
  if (opset < 7)
    return setTestMode(node);
  if (opset < 12 || node.input_size() < 3 || node.input(2).empty() ||
      !constant.count(node.input(2)))
    return false;
  node.mutable_input()->DeleteSubrange(2, node.input_size() - 2);
  return true;
}

template <class Nodes> void Rewriter::rewrite(Nodes &nodes) {
  for (NodeProto &node : nodes) {
    if (node.domain().empty() || node.domain() == "ai.onnx")
      count += (node.op_type() == "BatchNormalization" &&
                rewriteNormalization(node)) ||
               (node.op_type() == "Dropout" && rewriteDropout(node));
    for (auto &attribute : *node.mutable_attribute())
      if (attribute.has_g())
        rewrite(*attribute.mutable_g()->mutable_node());
  }
}

template <class Imports> static int defaultOpset(const Imports &imports) {
  for (const auto &opset : imports)
    if (opset.domain().empty() || opset.domain() == "ai.onnx")
      return int(opset.version());
  return 0;
}

unsigned useInferenceForm(::onnx::ModelProto &model) {
  ::onnx::GraphProto &graph = *model.mutable_graph();
  Rewriter main(defaultOpset(model.opset_import()));
  ::onnx::GraphProto outer; // collects all graphs in the same way
  auto &holder = *outer.add_node();
  holder.add_attribute()->mutable_g()->Swap(&graph);
  main.collect(*outer.mutable_node());
  main.rewrite(*outer.mutable_node());
  holder.mutable_attribute(0)->mutable_g()->Swap(&graph);
  unsigned count = main.getCount();
  for (auto &function : *model.mutable_functions()) {
    int opset = defaultOpset(function.opset_import());
    Rewriter rewriter(opset ? opset : defaultOpset(model.opset_import()));
    for (const std::string &output : function.output())
      rewriter.addOutput(output);
    rewriter.collect(*function.mutable_node());
    rewriter.rewrite(*function.mutable_node());
    count += rewriter.getCount();
  }
  return count;
}

} // namespace gensyn
