// "compile": a model and a recipe to an executable.

#include "BindInputs.h"
#include "Compiler.h"
#include "CrashReproducer.h"
#include "Executable.h"
#include "ProbedOps.h"
#include "Report.h"
#include "StepParts.h"
#include "TrainingInfo.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/IR/Iterations.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Pipelines/Stages.h"
#include "gensyn/Translation/Onnx/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace gensyn {

/// Runs one stage; its errors get the exit code that fits the stage.
static bool runStage(ModuleOp module, const plan::CompileRequest &request,
                     ExitCode code, function_ref<void(OpPassManager &)> build,
                     plan::Error &error) {
  Report report(module.getContext(), request.recipe_name());
  PassManager pipeline(module.getContext());
  addReproducer(pipeline, request.crash_reproducer());
  build(pipeline);
  if (succeeded(pipeline.run(module)))
    return true;
  report.fill(request.model_path(), code, error);
  return false;
}

std::optional<Recipe> readRecipe(const std::string &text,
                                 const std::string &name,
                                 const std::string &path, MLIRContext &context,
                                 plan::Error &error) {
  Report report(&context, name);
  auto recipe = train::readRecipe(text, UnknownLoc::get(&context));
  if (succeeded(recipe))
    return std::move(*recipe);
  report.fill(path, ExitCode::BadInput, error);
  return std::nullopt;
}

std::string chooseAccuracy(const std::string &requested, const Recipe &recipe) {
  if (!requested.empty())
    return requested;
  return recipe.accuracy.empty() ? "fast" : recipe.accuracy;
}

bool trainsBatchNorm(std::optional<ProgramKind> kind, const Recipe &recipe) {
  return (kind == ProgramKind::Train || kind == ProgramKind::Grad) &&
         recipe.trainsBatchNorm;
}

namespace {
/// The division of a training step's samples into microbatches.
struct StepSamples {
  /// The samples of a microbatch; 0 if the model fixes it.
  int64_t microbatch = 0;
  /// Microbatches of a step in the recipe.
  int64_t accumulate = 1;
  /// Microbatches of this step; 0 if the recipe does not say how large they
  /// are.
  int64_t count = 0;
};
} // namespace

/// For a request with this many samples a step: the recipe's microbatches, as
/// many as they fill, or a smaller one. Returns false, with the error, if that
/// is impossible.
static bool divideStep(const plan::CompileRequest &request,
                       const Recipe &recipe, StepSamples &step,
                       plan::Error &error) {
  const int64_t samples = request.batch_size();
  step.microbatch = samples;
  if (programKindFromName(request.kind()) != ProgramKind::Train)
    return true;
  step.accumulate = recipe.accumulate;
  const int64_t size = recipe.batchSize;
  if (step.accumulate <= 1 || size <= 0 || samples < size)
    return true;
  step.microbatch = size;
  step.count = samples / size;
  return samples % size == 0 ||
         fail(error, ExitCode::BadInput,
              "a step of " + Twine(samples) +
                  " samples does not consist of microbatches of " +
                  Twine(size));
}

/// The number of microbatches of a request. Where the recipe does not say how
/// large they are, or these are fewer samples, the model may;
/// 0: as the recipe says.
static int64_t countMicrobatches(ModuleOp module,
                                 const plan::CompileRequest &request,
                                 const StepSamples &step) {
  if (step.count || step.accumulate <= 1 || request.batch_size() <= 0)
    return step.count;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (BlockArgument argument : main.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (program::hasRole(main, argument.getArgNumber(), Role::Input) && type &&
        type.getRank() > 0 && type.getDimSize(0) > 0 &&
        request.batch_size() % type.getDimSize(0) == 0)
      return request.batch_size() / type.getDimSize(0);
  }
  return 0;
}

/// True if the recipe is valid by itself; checked first, since reading a large
/// model takes a while.
static bool checkRecipe(const plan::CompileRequest &request,
                        const Recipe &recipe, MLIRContext &context,
                        plan::Error &error) {
  Report report(&context, request.recipe_name());
  auto location = UnknownLoc::get(&context);
  auto options = train::makeTrainingOptions(request.kind(), recipe, location);
  if (succeeded(options) &&
      succeeded(train::checkTrainingOptions(*options, location)))
    return true;
  report.fill(request.model_path(), ExitCode::BadInput, error);
  return false;
}

/// Reads the model of a request and binds its symbolic dimensions
/// (BindInputs.h). `batchSize` is the first dimension of every graph input, or
/// 0 if unknown. Null, with `error` filled, if the model is bad or a dimension
/// is still symbolic. `@main` is the graph, or the function of training_info
/// for the kind of program `training` (TrainingInfo.h), if there is one.
static OwningOpRef<ModuleOp> loadModel(const plan::CompileRequest &request,
                                       const Recipe &recipe, int64_t batchSize,
                                       MLIRContext &context, plan::Error &error,
                                       std::optional<ProgramKind> training) {
  const std::string &path = request.model_path();
  ImportOptions options;
  options.isKnown = [](StringRef domain, StringRef op, int since) {
    return isConvertible(domain, op, since);
  };
  // Sizes are bound later: the batch's name is only known from the model.
  options.checkShapes = false;
  options.trainingInfo = training.has_value();
  if (request.has_symbolic_seed())
    options.symbolicSeed = request.symbolic_seed();
  ImportError why;
  OwningOpRef<ModuleOp> module = importOnnxFile(path, options, &context, why);
  if (!module) {
    error.set_exit_code(static_cast<int>(why.exitCode()));
    error.set_message(why.message);
    return nullptr;
  }
  if (training && !selectTrainingInfo(*module, *training, path, error))
    return nullptr;
  // An initialization has no inputs, and so no dimensions.
  if ((training != ProgramKind::Initialize &&
       !bindInputs(*module, request, recipe, batchSize, error)) ||
      !requireBound(*module, request, error))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> freezeModel(const plan::CompileRequest &request,
                                  const Recipe &recipe, MLIRContext &context,
                                  plan::Error &error, int64_t *microbatches) {
  // None where it is unknown, which the first stage that needs it reports.
  const std::optional<ProgramKind> kind = programKindFromName(request.kind());
  const bool isOfInfo = isOfTrainingInfo(kind, recipe);
  StepSamples step;
  if (!request.recipe_json().empty() && !isOfInfo &&
      !checkRecipe(request, recipe, context, error))
    return nullptr;
  if (!divideStep(request, recipe, step, error))
    return nullptr;
  OwningOpRef<ModuleOp> module =
      loadModel(request, recipe, step.microbatch, context, error,
                isOfInfo ? kind : std::nullopt);
  if (!module)
    return nullptr;
  auto run = [&](ExitCode code, auto build) {
    return runStage(*module, request, code, build, error);
  };
  TrainStageOptions training;
  // Its outputs are computed values, like those of a graph.
  training.kind = kind == ProgramKind::Initialize
                      ? std::string(name(ProgramKind::Infer))
                      : request.kind();
  training.recipe =
      request.recipe_json().empty() ? "{}" : request.recipe_json();
  training.microbatches = countMicrobatches(*module, request, step);
  if (microbatches)
    *microbatches = training.microbatches
                        ? training.microbatches
                        : std::max<int64_t>(recipe.accumulate, 1);
  FreezeStageOptions freeze;
  freeze.accuracy = chooseAccuracy(request.accuracy(), recipe);
  freeze.integerSums = request.integer_sums();
  // For training_info the recipe's stage reports that it does not use the key.
  const bool trainsNorm = !isOfInfo && trainsBatchNorm(kind, recipe);
  if (!run(ExitCode::BadInput, buildShapeStage) ||
      (trainsNorm && !run(ExitCode::BadInput,
                          [](OpPassManager &p) {
                            p.addPass(onnx::createOnnxUseBatchStatisticsPass());
                          })) ||
      !run(ExitCode::Unsupported,
           [&](OpPassManager &p) {
             buildConversionStage(p, kind == ProgramKind::Eval);
           }) ||
      !run(ExitCode::BadInput,
           [&](OpPassManager &p) { buildStepStage(p, training); }) ||
      !run(ExitCode::Unsupported, buildDerivativeStage) ||
      !run(ExitCode::Unsupported,
           [&](OpPassManager &p) { buildFreezeStage(p, freeze); }))
    return nullptr;
  return module;
}

/// Replaces the program by the nested one that the request names.
static bool enterNested(const plan::CompileRequest &request,
                        OwningOpRef<ModuleOp> &module, plan::Error &error) {
  for (const plan::NestedProgram &nested : request.nested()) {
    Block &body = module->lookupSymbol<func::FuncOp>("main").getBody().front();
    if (nested.position() >= body.getOperations().size())
      return fail(error, ExitCode::BadInput,
                  "the program has no op at " + Twine(nested.position()));
    Operation *op = &*std::next(body.begin(), nested.position());
    if (!repro::getIterations(op))
      return fail(error, ExitCode::BadInput,
                  "op " + Twine(nested.position()) + ", " +
                      op->getName().getStringRef() + ", has no iterations");
    OwningOpRef<ModuleOp> inner = repro::buildIteration(op, nested.variant());
    FailureOr<std::string> digest = repro::computeDigest(*inner);
    if (failed(digest))
      return fail(error, ExitCode::Bug, "an iteration has no digest");
    (*inner)->setAttr(repro::kDigestAttr,
                      StringAttr::get(module->getContext(), *digest));
    module = std::move(inner);
  }
  return true;
}

OwningOpRef<ModuleOp> freezeAgain(const plan::CompileRequest &request,
                                  const std::string &digest,
                                  MLIRContext &context, plan::Error &error) {
  const std::optional<Recipe> recipe =
      readRecipe(request.recipe_json(), request.recipe_name(),
                 request.model_path(), context, error);
  if (!recipe)
    return nullptr;
  OwningOpRef<ModuleOp> module = freezeModel(request, *recipe, context, error);
  if (!module)
    return nullptr;
  if ((*module)->getAttrOfType<StringAttr>(repro::kDigestAttr).getValue() !=
      digest) {
    fail(error, ExitCode::BadInput,
         request.model_path() + ": is another model than the one that was run");
    return nullptr;
  }
  if (!enterNested(request, module, error))
    return nullptr;
  return module;
}

plan::CompileResponse compileModel(const plan::CompileRequest &request) {
  plan::CompileResponse response;
  if (!checkReproducerFolder(request.crash_reproducer(),
                             *response.mutable_error()))
    return response;
  auto context = createContext();
  plan::Error &error = *response.mutable_error();
  OwningOpRef<ModuleOp> module;
  int64_t microbatches = 1;
  const std::optional<Recipe> recipe =
      readRecipe(request.recipe_json(), request.recipe_name(),
                 request.model_path(), *context, error);
  if (recipe)
    module = freezeModel(request, *recipe, *context, error, &microbatches);
  if (module && !enterNested(request, module, error))
    module = nullptr;
  if (module && request.has_probed_ops() &&
      !returnValuesOf(request.probed_ops(), *module, error))
    module = nullptr;
  if (module && request.step_parts() && microbatches > 1)
    buildStepParts(*module, microbatches, request, *recipe, response, error);
  else if (module)
    buildExecutable(*module, request, *recipe, *response.mutable_executable(),
                    error);
  if (response.error().exit_code() != 0) {
    response.clear_executable();
    response.clear_step();
  }
  return response;
}

} // namespace gensyn
