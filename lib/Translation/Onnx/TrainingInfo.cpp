// Reads training_info: its graphs, and the names that bind their outputs to
// initializers.

#include "TrainingInfo.h"
#include "CheckModel.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {
using Entries =
    google::protobuf::RepeatedPtrField<::onnx::StringStringEntryProto>;

/// The model without its graph, its training_info and its documentation.
::onnx::ModelProto modelAround(const ::onnx::ModelProto &model) {
  ::onnx::ModelProto around;
  around.set_ir_version(model.ir_version());
  *around.mutable_opset_import() = model.opset_import();
  *around.mutable_functions() = model.functions();
  return around;
}

LogicalResult checkGraph(::onnx::ModelProto &model, const std::string &field,
                         MLIRContext *context, bool keepUnknown,
                         ImportError &error) {
  if (succeeded(checkModel(model, context, keepUnknown, error)) &&
      succeeded(sortNodes(*model.mutable_graph(), error)))
    return success();
  error.message = field + ": " + error.message;
  return failure();
}

/// Reads the bindings of one field, whose values name outputs of `graph` and
/// whose keys are among `variables`.
LogicalResult readBindings(const Entries &entries, const std::string &field,
                           const ::onnx::GraphProto &graph,
                           const std::set<std::string> &initializers,
                           Bindings &bindings, ImportError &error) {
  std::set<std::string> outputs, keys;
  for (const auto &output : graph.output())
    outputs.insert(output.name());
  for (int i = 0; i < entries.size(); ++i) {
    auto fail = [&](const std::string &why) {
      error = {Kind::BadModel, field + "[" + std::to_string(i) + "]: " + why};
      return failure();
    };
    const std::string &key = entries[i].key(), &value = entries[i].value();
    if (!initializers.count(key))
      return fail("key '" + key + "' is not an initializer");
    if (!outputs.count(value))
      return fail("value '" + value + "' is not a graph output");
    if (!keys.insert(key).second)
      return fail("'" + key + "' is bound twice");
    bindings[value].push_back(key);
  }
  return success();
}

void append(::onnx::GraphProto &graph, const ::onnx::GraphProto &more) {
  graph.mutable_input()->MergeFrom(more.input());
  graph.mutable_initializer()->MergeFrom(more.initializer());
  graph.mutable_sparse_initializer()->MergeFrom(more.sparse_initializer());
  graph.mutable_node()->MergeFrom(more.node());
  graph.mutable_value_info()->MergeFrom(more.value_info());
  graph.mutable_output()->MergeFrom(more.output());
}
} // namespace

LogicalResult readTrainingInfo(const ::onnx::ModelProto &model,
                               MLIRContext *context, bool keepUnknown,
                               TrainingInfo &info, ImportError &error) {
  if (model.training_info_size() != 1) {
    error = {Kind::Unsupported, "training_info: has " +
                                    std::to_string(model.training_info_size()) +
                                    " entries, one is supported"};
    return failure();
  }
  const ::onnx::TrainingInfoProto &entry = model.training_info(0);
  const std::string field = "training_info[0].";

  info.algorithm = modelAround(model);
  *info.algorithm.mutable_graph() = model.graph();
  ::onnx::GraphProto &graph = *info.algorithm.mutable_graph();
  info.mainNodes = graph.node_size();
  info.mainOutputs = graph.output_size();
  append(graph, entry.algorithm());
  info.initialization = modelAround(model);
  *info.initialization.mutable_graph() = entry.initialization();
  if (entry.initialization().input_size()) {
    error = {Kind::BadModel, field + "initialization: has the input '" +
                                 entry.initialization().input(0).name() +
                                 "', and nobody gives it one"};
    return failure();
  }
  if (failed(checkGraph(info.algorithm, field + "algorithm", context,
                        keepUnknown, error)) ||
      failed(checkGraph(info.initialization, field + "initialization", context,
                        keepUnknown, error)))
    return failure();

  for (const auto &input : entry.algorithm().input())
    info.added.insert(input.name());
  for (const auto &tensor : entry.algorithm().initializer())
    info.added.insert(tensor.name());
  std::set<std::string> initializers;
  for (const auto &tensor : graph.initializer())
    initializers.insert(tensor.name());
  if (failed(readBindings(entry.update_binding(), field + "update_binding",
                          graph, initializers, info.updates, error)) ||
      failed(readBindings(
          entry.initialization_binding(), field + "initialization_binding",
          entry.initialization(), initializers, info.initializations, error)))
    return failure();
  for (const Bindings *bindings : {&info.updates, &info.initializations})
    for (const auto &[value, keys] : *bindings)
      info.variables.insert(keys.begin(), keys.end());
  return success();
}
} // namespace gensyn
