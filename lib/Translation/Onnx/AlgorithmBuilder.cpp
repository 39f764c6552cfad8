// See AlgorithmBuilder.h.

#include "AlgorithmBuilder.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn {

AlgorithmBuilder::AlgorithmBuilder(const ::onnx::GraphProto &main,
                                   ::onnx::GraphProto &graph, int opset)
    : graph(graph), opset(opset) {
  collect(main);
}

void AlgorithmBuilder::collect(const ::onnx::GraphProto &graph) {
  for (const auto &input : graph.input())
    taken.insert(input.name());
  for (const auto &tensor : graph.initializer())
    taken.insert(tensor.name());
  for (const auto &sparse : graph.sparse_initializer())
    taken.insert(sparse.values().name());
  for (const auto &node : graph.node()) {
    taken.insert(node.output().begin(), node.output().end());
    for (const auto &attribute : node.attribute())
      if (attribute.has_g())
        collect(attribute.g());
  }
}

std::string AlgorithmBuilder::fresh(const std::string &wanted) {
  std::string name = wanted;
  for (int i = 1; !taken.insert(name).second; ++i)
    name = wanted + "_" + std::to_string(i);
  return name;
}

::onnx::NodeProto &AlgorithmBuilder::addNode(const std::string &op,
                                             const std::string &domain) {
  ::onnx::NodeProto &node = *graph.add_node();
  node.set_op_type(op);
  if (!domain.empty())
    node.set_domain(domain);
  return node;
}

std::string AlgorithmBuilder::node(const std::string &op,
                                   std::vector<std::string> inputs,
                                   const std::string &wanted) {
  ::onnx::NodeProto &node = addNode(op, "");
  for (const std::string &input : inputs)
    node.add_input(input);
  std::string name = fresh(wanted);
  node.set_name(name);
  node.add_output(name);
  return name;
}

std::string AlgorithmBuilder::fill(const std::string &wanted, int elementType,
                                   ArrayRef<int64_t> shape, double value) {
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh(wanted));
  tensor.set_data_type(elementType);
  int64_t count = 1;
  for (int64_t size : shape) {
    tensor.add_dims(size);
    count *= size;
  }
  std::string &bytes = *tensor.mutable_raw_data();
  auto append = [&](auto element) {
    bytes.reserve(size_t(count) * sizeof element);
    for (int64_t i = 0; i < count; ++i)
      bytes.append(reinterpret_cast<const char *>(&element), sizeof element);
  };
  if (elementType == TensorProto::FLOAT)
    append(static_cast<float>(value));
  else if (elementType == TensorProto::DOUBLE)
    append(value);
  else
    append(static_cast<int64_t>(value));
  return tensor.name();
}

void AlgorithmBuilder::output(const std::string &name,
                              const ::onnx::TypeProto *type) {
  auto &output = *graph.add_output();
  output.set_name(name);
  if (type)
    *output.mutable_type() = *type;
}
} // namespace gensyn
