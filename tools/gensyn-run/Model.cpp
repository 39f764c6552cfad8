// Opens the compiler and the device, and asks for programs.

#include "Model.h"

#include "gensyn/Runtime/Devices.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Files.h"
#include "gensyn/Runtime/Json.h"
#include "gensyn/Runtime/Recipe.h"

namespace gensyn::run {

static std::filesystem::path ownPath() {
  std::error_code error;
  auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path("gensyn-run") : path;
}

static std::unique_ptr<runtime::Device>
makeDevice(const Options &options,
           std::shared_ptr<runtime::Compiler> compiler) {
  if (options.backend == "reference")
    return runtime::makeReferenceDevice(std::move(compiler));
  if (options.backend == "ptx-sim")
    return runtime::makePtxSimDevice("sm_" + std::to_string(options.sm),
                                     options.threads);
  return runtime::makeCpuDevice(
      runtime::chooseInstructionSet(options.instructionSet), options.threads);
}

Model::Model(const Options &options) : options(options) {
  runtime::MappedFile readable(options.model);
  if (!options.recipe.empty()) {
    recipe = runtime::readRecipeText(options.recipe);
    // Checked here, before the compiler is even looked for.
    runtime::parseRecipe(recipe, options.recipe.string());
  }
  compiler = runtime::Compiler::open(ownPath());
  device = makeDevice(options, compiler);
}

std::unique_ptr<runtime::Program> Model::program(const std::string &kind,
                                                 int64_t batchSize) {
  plan::CompileRequest request;
  request.set_model_path(options.model.string());
  request.set_kind(kind);
  request.set_recipe_json(kind == "infer" ? std::string() : recipe);
  for (const auto &[name, value] : options.dims)
    (*request.mutable_dims())[name] = value;
  request.set_target(device->target());
  request.set_batch_size(batchSize);
  request.set_cache_dir(options.cache.string());
  request.set_threads(options.threads);
  request.set_accuracy(options.accuracy);
  return device->load(compiler->compile(request));
}

std::string Model::info() const {
  plan::InfoRequest request;
  request.set_model_path(options.model.string());
  for (const auto &[name, value] : options.dims)
    (*request.mutable_dims())[name] = value;
  request.set_recipe_json(recipe);
  request.set_accuracy(options.accuracy);
  request.set_orders(options.orders);
  return compiler->info(request);
}

int64_t Model::classes() const {
  runtime::Recipe parsed =
      runtime::parseRecipe(recipe, options.recipe.string());
  if (parsed.loss.kind != runtime::LossKind::SoftmaxCrossEntropy)
    return 0;
  try {
    const nlohmann::json facts = nlohmann::json::parse(info());
    for (const nlohmann::json &output : facts.at("outputs")) {
      if (!parsed.loss.output.empty() &&
          output.at("name") != parsed.loss.output)
        continue;
      const nlohmann::json &shape = output.at("shape");
      int64_t axis = parsed.loss.axis.value_or(-1);
      axis += axis < 0 ? int64_t(shape.size()) : 0;
      const nlohmann::json &extent = shape.at(size_t(axis));
      return extent.is_number_integer() ? extent.get<int64_t>() : 0;
    }
  } catch (const nlohmann::json::exception &) {
    // The model is described in another way: then targets go unchecked here.
  }
  return 0;
}

} // namespace gensyn::run
