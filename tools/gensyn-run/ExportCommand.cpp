// export: writes trained tensors into the model's ONNX file.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/export.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Models/Model.h"

#include <cstring>

namespace gensyn::run {

using namespace runtime;
namespace fs = std::filesystem;

/// The offset of the first tensor's bytes in a checked safetensors file: after
/// the length of the header and the header.
static uint64_t bodyOf(const fs::path &path) {
  MappedFile file(path);
  uint64_t length = 0;
  if (file.size() >= sizeof length)
    std::memcpy(&length, file.data(), sizeof length);
  return sizeof length + length;
}

/// A file's tensors by offset, from which the compiler reads them.
static void addTensors(const fs::path &path, plan::ExportRequest &request) {
  SafeTensors file(path);
  // Tensors are contiguous, so the one with the lowest address is the first.
  const uint8_t *first = nullptr;
  for (const auto &[name, entry] : file.entries()) {
    // These have been copied to other memory.
    if (bitWidth(entry.type) < 8 && entry.type != ElementType::I1)
      failUnsupported(path.string() + ": " + quote(name) + " is " +
                      longName(entry.type) +
                      ", of which several share a byte: no such tensor is "
                      "exported");
    if (entry.size && (!first || entry.data < first))
      first = entry.data;
  }
  const uint64_t body = bodyOf(path);
  for (const auto &[name, entry] : file.entries()) {
    plan::ExportRequest::Trained &tensor = *request.add_tensors();
    tensor.set_name(name);
    tensor.set_element_type(std::string(gensyn::name(entry.type)));
    for (int64_t extent : entry.shape)
      tensor.add_shape(extent);
    tensor.mutable_file()->set_path(path.string());
    tensor.mutable_file()->set_offset(
        entry.size ? body + uint64_t(entry.data - first) : body);
    tensor.mutable_file()->set_length(entry.size);
  }
}

ExitCode runExport(const Options &options) {
  if (options.trained.empty() && !options.trainingInfo)
    throw Failure(ExitCode::Usage, "--parameters is required",
                  "it is the file or run folder that training made");
  if (isPackage(options.model))
    failBadInput(options.model.string() + ": is compiled already",
                 "export takes the ONNX file that it was compiled from");
  plan::ExportRequest request;
  request.set_model_path(options.model.string());
  request.set_output_path(options.outputs.string());
  request.set_inline_limit(uint64_t(options.inlineLimit));
  request.set_keep_training_form(options.trainingForm);
  if (options.trainingInfo) {
    request.set_recipe_json(readRecipeText(options.recipe));
    request.set_recipe_name(options.recipe.string());
    if (parseRecipe(request.recipe_json(), options.recipe.string())
            .usesTrainingInfo)
      failBadInput(options.recipe.string() + ": no 'loss'");
  }
  if (!options.trained.empty()) {
    std::error_code ignored;
    addTensors(fs::is_directory(options.trained, ignored)
                   ? options.trained / "parameters.safetensors"
                   : options.trained,
               request);
  }
  requireWritableFile(options.outputs);
  plan::ExportResponse response = openCompiler(options)->exportModel(request);
  if (options.json)
    printRecord({{"command", "export"},
                 {"output", options.outputs.string()},
                 {"data", response.data_path()},
                 {"replaced", response.replaced()},
                 {"inference_nodes", response.inference_nodes()},
                 {"training_info", options.trainingInfo}});
  if (options.json || options.quiet)
    return ExitCode::Ok;
  printLine("wrote      " + options.outputs.string() + ", with " +
            counted(response.replaced(), "trained initializer"));
  if (response.inference_nodes())
    printLine("inference  " + counted(response.inference_nodes(), "node") +
              " put into inference mode");
  if (!response.data_path().empty())
    printLine("data       " + response.data_path());
  if (options.trainingInfo)
    printLine("training   as training_info, by " + options.recipe.string());
  return ExitCode::Ok;
}

} // namespace gensyn::run
