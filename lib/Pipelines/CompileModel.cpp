// "compile": a model and a recipe to an executable.

#include "Compiler.h"
#include "Executable.h"
#include "LoadModel.h"
#include "Report.h"
#include "TrainingInfo.h"
#include "gensyn/Pipelines/Stages.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace gensyn {

/// Runs one stage; its errors get the exit code that fits the stage.
static bool runStage(ModuleOp module, const plan::CompileRequest &request,
                     ExitCode code, function_ref<void(OpPassManager &)> build,
                     plan::Error &error) {
  Report report(module.getContext(), request.recipe_name());
  PassManager pipeline(module.getContext());
  build(pipeline);
  if (succeeded(pipeline.run(module)))
    return true;
  report.fill(request.model_path(), code, error);
  return false;
}

std::string chooseAccuracy(const std::string &requested,
                           const std::string &recipe) {
  if (!requested.empty())
    return requested;
  auto parsed = llvm::json::parse(recipe);
  if (!parsed) {
    llvm::consumeError(parsed.takeError()); // the stage of the recipe says it
    return "fast";
  }
  const llvm::json::Object *object = parsed->getAsObject();
  auto text = object ? object->getString("accuracy") : std::nullopt;
  return text ? text->str() : "fast";
}

OwningOpRef<ModuleOp> freezeModel(const plan::CompileRequest &request,
                                  MLIRContext &context, plan::Error &error) {
  std::map<std::string, int64_t> dims(request.dims().begin(),
                                      request.dims().end());
  const std::string &file = request.model_path();
  const bool isOfInfo =
      isOfTrainingInfo(request.kind(), request.recipe_json());
  OwningOpRef<ModuleOp> module =
      loadModel(file, dims, request.batch_size(), context, error,
                isOfInfo ? StringRef(request.kind()) : "");
  if (!module)
    return nullptr;
  auto run = [&](ExitCode code, auto build) {
    return runStage(*module, request, code, build, error);
  };
  TrainStageOptions training;
  // Its outputs are what it computes, like those of a graph.
  training.kind =
      request.kind() == "initialize" ? "infer" : request.kind();
  training.recipe =
      request.recipe_json().empty() ? "{}" : request.recipe_json();
  FreezeStageOptions freeze;
  freeze.accuracy = chooseAccuracy(request.accuracy(), request.recipe_json());
  if (!run(ExitCode::BadInput, buildShapeStage) ||
      !run(ExitCode::Unsupported,
           [&](OpPassManager &p) {
             buildConversionStage(p, training.kind.getValue() == "eval");
           }) ||
      !run(ExitCode::BadInput,
           [&](OpPassManager &p) { buildStepStage(p, training); }) ||
      !run(ExitCode::Unsupported, buildDerivativeStage) ||
      !run(ExitCode::Unsupported,
           [&](OpPassManager &p) { buildFreezeStage(p, freeze); }))
    return nullptr;
  return module;
}

plan::CompileResponse compileModel(const plan::CompileRequest &request) {
  plan::CompileResponse response;
  auto context = createContext();
  OwningOpRef<ModuleOp> module =
      freezeModel(request, *context, *response.mutable_error());
  if (module)
    buildExecutable(*module, request, *response.mutable_executable(),
                    *response.mutable_error());
  if (response.error().exit_code() != 0)
    response.clear_executable();
  return response;
}

} // namespace gensyn
