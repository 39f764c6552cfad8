// "export": writes trained values into a model's file.

#include "Compiler.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Translation/Onnx/ExportTrained.h"

using namespace mlir;

namespace gensyn {

plan::ExportResponse exportModel(const plan::ExportRequest &request) {
  plan::ExportResponse response;
  auto context = createContext();
  TrainedModel model;
  model.path = request.model_path();
  model.recipe = request.recipe_json();
  model.inlineLimit = request.inline_limit();
  model.keepsTrainingForm = request.keep_training_form();
  for (const plan::ExportRequest::Trained &given : request.tensors()) {
    TrainedTensor &tensor = model.tensors.emplace_back();
    tensor.name = given.name();
    tensor.element = given.element_type();
    tensor.shape.assign(given.shape().begin(), given.shape().end());
    tensor.file = given.file().path();
    tensor.offset = given.file().offset();
    tensor.length = given.file().length();
  }
  TrainedFiles files;
  ImportError why;
  if (failed(exportTrained(model, request.output_path(), context.get(), files,
                           why))) {
    StringRef message = why.message;
    std::string text = why.message;
    if (!request.recipe_name().empty() && message.consume_front("recipe"))
      text = request.recipe_name() + message.str();
    response.mutable_error()->set_exit_code(static_cast<int>(why.exitCode()));
    response.mutable_error()->set_message(text);
    return response;
  }
  response.set_replaced(files.replaced);
  response.set_inference_nodes(files.inferenceNodes);
  response.set_data_path(files.data);
  return response;
}

} // namespace gensyn
