// "compile": a model and a recipe to an executable.

#include "Compiler.h"
#include "Executable.h"
#include "LoadModel.h"
#include "Report.h"
#include "TrainingInfo.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "gensyn/Pipelines/Stages.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// A string in the recipe; nothing if it is absent.
static std::string readWord(const std::string &recipe, StringRef key) {
  auto parsed = llvm::json::parse(recipe);
  if (!parsed) {
    llvm::consumeError(parsed.takeError()); // the stage of the recipe says it
    return "";
  }
  const llvm::json::Object *object = parsed->getAsObject();
  auto text = object ? object->getString(key) : std::nullopt;
  return text ? text->str() : "";
}

std::string chooseAccuracy(const std::string &requested,
                           const std::string &recipe) {
  if (!requested.empty())
    return requested;
  std::string word = readWord(recipe, "accuracy");
  return word.empty() ? "fast" : word;
}

bool trainsBatchNorm(StringRef kind, const std::string &recipe) {
  return (kind == "train" || kind == "grad") &&
         readWord(recipe, "batch_norm") == "train";
}

namespace {
/// The division of a training step's samples into microbatches.
struct StepSamples {
  /// The samples of a microbatch; 0 if the model fixes it.
  int64_t microbatch = 0;
  /// Microbatches of a step in the recipe.
  int64_t accumulate = 1;
};
} // namespace

/// For a request with this many samples a step: the recipe's microbatches, as
/// many as they fill, or a smaller one. Returns false, with the error, if that
/// is impossible. The recipe's stage reports errors in the recipe.
static bool divideStep(const plan::CompileRequest &request, StepSamples &step,
                       plan::Error &error) {
  const int64_t samples = request.batch_size();
  step.microbatch = samples;
  auto parsed = llvm::json::parse(request.recipe_json());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return true;
  }
  const llvm::json::Object *recipe = parsed->getAsObject();
  if (request.kind() != "train" || !recipe)
    return true;
  step.accumulate = recipe->getInteger("accumulate").value_or(1);
  const int64_t size = recipe->getInteger("batch_size").value_or(0);
  if (step.accumulate <= 1 || size <= 0 || samples < size)
    return true;
  step.microbatch = size;
  return samples % size == 0 ||
         fail(error, ExitCode::BadInput,
              "a step of " + Twine(samples) +
                  " samples does not consist of microbatches of " +
                  Twine(size));
}

/// The number of microbatches of a request, given the model, which may fix
/// their size;
/// 0: as the recipe says.
static int64_t countMicrobatches(ModuleOp module,
                                 const plan::CompileRequest &request,
                                 const StepSamples &step) {
  if (step.accumulate <= 1 || request.batch_size() <= 0)
    return 0;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (BlockArgument argument : main.getArguments()) {
    auto role = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  "gensyn.role");
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (role && role.getValue() == "input" && type && type.getRank() > 0 &&
        type.getDimSize(0) > 0 &&
        request.batch_size() % type.getDimSize(0) == 0)
      return request.batch_size() / type.getDimSize(0);
  }
  return 0;
}

/// True if the recipe is valid by itself; checked first, since reading a large
/// model takes a while.
static bool checkRecipe(const plan::CompileRequest &request,
                        MLIRContext &context, plan::Error &error) {
  Report report(&context, request.recipe_name());
  auto location = UnknownLoc::get(&context);
  auto options = train::parseTrainingOptions(request.kind(),
                                             request.recipe_json(), location);
  if (succeeded(options) &&
      succeeded(train::checkTrainingOptions(*options, location)))
    return true;
  report.fill(request.model_path(), ExitCode::BadInput, error);
  return false;
}

OwningOpRef<ModuleOp> freezeModel(const plan::CompileRequest &request,
                                  MLIRContext &context, plan::Error &error) {
  const bool isOfInfo = isOfTrainingInfo(request.kind(), request.recipe_json());
  StepSamples step;
  if (!request.recipe_json().empty() && !isOfInfo &&
      !checkRecipe(request, context, error))
    return nullptr;
  if (!divideStep(request, step, error))
    return nullptr;
  OwningOpRef<ModuleOp> module =
      loadModel(request, step.microbatch, context, error,
                isOfInfo ? StringRef(request.kind()) : "");
  if (!module)
    return nullptr;
  auto run = [&](ExitCode code, auto build) {
    return runStage(*module, request, code, build, error);
  };
  TrainStageOptions training;
  // Its outputs are computed values, like those of a graph.
  training.kind = request.kind() == "initialize" ? "infer" : request.kind();
  training.recipe =
      request.recipe_json().empty() ? "{}" : request.recipe_json();
  training.microbatches = countMicrobatches(*module, request, step);
  FreezeStageOptions freeze;
  freeze.accuracy = chooseAccuracy(request.accuracy(), request.recipe_json());
  // For training_info the recipe's stage reports that it does not use the key.
  const bool trainsNorm =
      !isOfInfo && trainsBatchNorm(request.kind(), request.recipe_json());
  if (!run(ExitCode::BadInput, buildShapeStage) ||
      (trainsNorm && !run(ExitCode::BadInput,
                          [](OpPassManager &p) {
                            p.addPass(onnx::createOnnxUseBatchStatisticsPass());
                          })) ||
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
