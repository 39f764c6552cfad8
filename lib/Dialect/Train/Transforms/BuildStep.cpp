// Builds the program of a recipe around a model's forward function.

#include "LossScaler.h"
#include "ModuleParameters.h"
#include "Patterns.h"
#include "StepClip.h"
#include "StepLoss.h"
#include "StepUpdate.h"
#include "TrainingInfo.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINBUILDSTEPPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

namespace {
class StepBuilder {
public:
  StepBuilder(ModuleOp module, const TrainingOptions &options)
      : options(options), program(module), parameters(module),
        loss(program, options), update(program, options, parameters),
        scaler(program, options) {}

  LogicalResult run();

private:
  LogicalResult freeze();
  void dropUnseen();
  SmallVector<Value> computeGradients(Value of,
                                      ArrayRef<StepArgument *> arguments);
  Value average(Value sum);
  LogicalResult buildEval();
  LogicalResult buildGrad();
  LogicalResult buildTrain();

  const TrainingOptions &options;
  StepProgram program;
  ModuleParameters parameters;
  StepLoss loss;
  StepUpdate update;
  LossScaler scaler;
};
} // namespace

/// Arguments that the recipe freezes, and arguments that are not tensors of
/// floats, are constants.
LogicalResult StepBuilder::freeze() {
  std::vector<std::string> names;
  for (Role role : {Role::Parameter, Role::Constant, Role::State})
    for (StepArgument *argument : program.select(role))
      names.push_back(argument->name);
  appendConstantNames(program.module, names);
  parameters.appendNames(names);
  for (StepArgument *argument : program.select(Role::Parameter)) {
    auto fits = parameters.fits(program.module.getLoc(), "recipe: 'frozen'",
                                options.recipe.frozen, argument->name);
    if (failed(fits))
      return failure();
    if (*fits || !isa<FloatType>(argument->tensorType().getElementType()))
      argument->role = Role::Constant;
  }
  return checkPatterns(program.module.getLoc(), "recipe: 'frozen'",
                       options.recipe.frozen, names, "weight of the model");
}

/// PyTorch computes no gradient for parameters that do not affect the loss, and
/// leaves them unchanged, even with weight decay.
void StepBuilder::dropUnseen() {
  DenseSet<Value> sources;
  SmallVector<Value> pending = {loss.getPrediction()};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!sources.insert(next).second)
      continue;
    if (Operation *op = next.getDefiningOp())
      op->walk([&](Operation *inner) {
        llvm::append_range(pending, inner->getOperands());
      });
  }
  for (StepArgument *argument : program.select(Role::Parameter))
    if (!sources.contains(argument->forward))
      argument->role = Role::Constant;
}

SmallVector<Value>
StepBuilder::computeGradients(Value of, ArrayRef<StepArgument *> arguments) {
  SmallVector<Value> values;
  for (StepArgument *argument : arguments)
    values.push_back(argument->inner);
  if (values.empty())
    return {};
  return SmallVector<Value>(GradientOp::create(program.builder, of.getLoc(),
                                               ValueRange(values).getTypes(),
                                               of, values)
                                .getGradients());
}

LogicalResult StepBuilder::buildEval() {
  program.open(1, 1);
  Value value = loss.build();
  if (!value)
    return failure();
  for (auto [number, output] : llvm::enumerate(program.outputs()))
    program.addResult(output, Role::Output, program.outputName(number));
  program.addResult(value, Role::Loss, "loss");
  return success();
}

LogicalResult StepBuilder::buildGrad() {
  if (failed(parameters.check(program, options)) || failed(scaler.read()))
    return failure();
  program.open(1, 1);
  Value value = loss.build();
  if (!value)
    return failure();
  std::vector<StepArgument *> wrt = program.select(Role::Parameter);
  for (StepArgument *input : program.select(Role::Input))
    if (isa<FloatType>(input->tensorType().getElementType()))
      wrt.push_back(input);
  program.addResult(value, Role::Loss, "loss");
  SmallVector<Value> gradients = computeGradients(scaler.scale(value), wrt);
  scaler.unscale(gradients);
  for (auto [argument, gradient] : llvm::zip_equal(wrt, gradients))
    program.addResult(gradient, Role::Output, argument->name);
  return success();
}

/// Returns the mean over the microbatches if the loss is a mean over samples.
Value StepBuilder::average(Value sum) {
  if (options.microbatches == 1 || loss.isSum())
    return sum;
  auto type = cast<RankedTensorType>(sum.getType());
  Value count = repro::createFilled(program.builder, sum.getLoc(), type,
                                    static_cast<double>(options.microbatches));
  return repro::DivOp::create(program.builder, sum.getLoc(), type, sum, count);
}

LogicalResult StepBuilder::buildTrain() {
  dropUnseen();
  auto clip = readClip(options, program.module.getLoc());
  if (failed(parameters.check(program, options)) || failed(clip) ||
      failed(update.read()) || failed(scaler.read()))
    return failure();
  if (update.getParameters().empty())
    return program.module.emitError(
        "recipe: nothing is trained: the loss depends on no parameter that is "
        "not frozen");
  program.open(options.microbatches,
               std::max(options.recipe.accumulate, options.microbatches));
  Value value = loss.build();
  if (!value)
    return failure();
  SmallVector<Value> summed = {value};
  llvm::append_range(
      summed, computeGradients(scaler.scale(value), update.getParameters()));
  summed = program.closeForward(summed);
  for (Value &sum : summed)
    sum = average(sum);
  MutableArrayRef<Value> gradients = MutableArrayRef(summed).drop_front();
  scaler.unscale(gradients);
  Value norm;
  if (*clip)
    norm =
        buildClip(**clip, program.builder, program.forward.getLoc(), gradients);
  program.addResult(summed.front(), Role::Loss, "loss");
  update.build(gradients);
  scaler.finish();
  if (norm)
    program.addResult(norm, Role::Metric, "grad_norm");
  return success();
}

LogicalResult StepBuilder::run() {
  if (options.kind == ProgramKind::Infer) {
    program.module.walk([](AssignOp op) { op.erase(); });
    return success();
  }
  bool isTraining = options.kind == ProgramKind::Train;
  if (failed(program.read()) || failed(program.takeAssigned(isTraining)) ||
      failed(freeze()) || failed(loss.read()))
    return failure();
  LogicalResult built = options.kind == ProgramKind::Eval   ? buildEval()
                        : options.kind == ProgramKind::Grad ? buildGrad()
                                                            : buildTrain();
  if (succeeded(built))
    program.close();
  return built;
}

LogicalResult train::buildTrainingStep(ModuleOp module,
                                       const TrainingOptions &options) {
  LogicalResult built = hasTrainingInfo(module)
                            ? buildTrainingInfoStep(module, options)
                            : StepBuilder(module, options).run();
  // Attributes of the model, which do not apply to the program.
  for (StringRef name :
       {program::kConstantsAttr, program::kModuleParametersAttr,
        program::kSuspicionsAttr, program::kUnknownKindsAttr,
        program::kLostGradientsAttr})
    module->removeAttr(name);
  return built;
}

namespace {
struct BuildStep final : train::impl::TrainBuildStepPassBase<BuildStep> {
  using TrainBuildStepPassBase::TrainBuildStepPassBase;
  void runOnOperation() override {
    auto options = parseTrainingOptions(kind, recipe, getOperation().getLoc());
    if (failed(options))
      return signalPassFailure();
    if (microbatches > 0)
      options->microbatches = microbatches;
    if (failed(buildTrainingStep(getOperation(), *options)))
      signalPassFailure();
  }
};
} // namespace
