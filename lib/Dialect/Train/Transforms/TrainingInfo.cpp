// The training step in ONNX's training_info: its outputs are the initializers
// of the next step (algorithm_r1).

#include "TrainingInfo.h"
#include "Patterns.h"
#include "StepProgram.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

namespace {
class InfoStep {
public:
  InfoStep(ModuleOp module, const TrainingOptions &options)
      : options(options), program(module) {}

  LogicalResult run();

private:
  LogicalResult checkOptions();
  LogicalResult checkFrozen();
  LogicalResult readUpdates();
  LogicalResult update(StepArgument &argument, Value value);
  std::optional<unsigned> findLoss();
  Value asLoss(Value value);
  void addMetrics(unsigned loss);

  bool isAlgorithms(unsigned result) {
    return program.forward.getResultAttr(result, program::kAlgorithmAttr) !=
           nullptr;
  }
  bool isBound(unsigned result) {
    return program.forward.getResultAttr(result, program::kUpdatesAttr) !=
           nullptr;
  }

  const TrainingOptions &options;
  StepProgram program;
};
} // namespace

bool train::hasTrainingInfo(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && main->hasAttr(program::kTrainingInfoAttr);
}

/// True for a single number of a float type with at least 16 bits.
static bool isFloatNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType()) &&
         type.getElementType().getIntOrFloatBitWidth() >= 16 &&
         type.hasStaticShape() && type.getNumElements() == 1;
}

/// Returns the initial value of all elements of a state if they are equal and
/// representable as f64.
static std::optional<double> initialFill(const StepArgument &argument) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(
      argument.attributes.get(program::kInitialAttr));
  if (!elements || !elements.isSplat())
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerType>(elements.getElementType())) {
    APInt value = elements.getSplatValue<APInt>();
    int64_t number = integer.isUnsigned() || integer.getWidth() == 1
                         ? int64_t(value.getZExtValue())
                         : value.getSExtValue();
    if (number < -(int64_t(1) << 53) || number > int64_t(1) << 53)
      return std::nullopt;
    return double(number);
  }
  if (!isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  APFloat value = elements.getSplatValue<APFloat>();
  if (value.isNaN())
    return std::nullopt;
  bool lost = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

/// Initializers of the main graph are parameters of the model, those of the
/// algorithm are states.
LogicalResult InfoStep::update(StepArgument &argument, Value value) {
  if (argument.type != value.getType())
    return emitError(program.forward.getLoc(), "update_binding: '")
           << argument.name << "' is " << argument.type << " and would become "
           << value.getType();
  if (matchesAny(options.recipe.frozen, argument.name)) {
    argument.role = Role::Constant;
    return success();
  }
  argument.next = value;
  argument.role = Role::Parameter;
  if (!argument.attributes.get(program::kAlgorithmAttr))
    return success();
  argument.role = Role::State;
  if (std::optional<double> fill = initialFill(argument)) {
    Builder &b = program.builder;
    argument.attributes.set(
        program::kInitialAttr,
        b.getDictionaryAttr(b.getNamedAttr("fill", b.getF64FloatAttr(*fill))));
  }
  return success();
}

/// Patterns may match values that nothing updates, as in other recipes for the
/// model.
LogicalResult InfoStep::checkFrozen() {
  std::vector<std::string> names;
  for (Role role : {Role::Parameter, Role::Constant})
    for (StepArgument *argument : program.select(role))
      names.push_back(argument->name);
  appendConstantNames(program.module, names);
  return checkPatterns(program.module.getLoc(), "recipe: 'frozen'",
                       options.recipe.frozen, names,
                       "initializer of the model");
}

LogicalResult InfoStep::readUpdates() {
  std::vector<StepArgument *> stored = program.select(Role::Parameter);
  llvm::append_range(stored, program.select(Role::Constant));
  for (StepArgument *argument : stored)
    argument->role = Role::Constant;
  for (auto [number, value] : llvm::enumerate(program.outputs())) {
    auto keys = program.forward.getResultAttrOfType<ArrayAttr>(
        number, program::kUpdatesAttr);
    if (!keys)
      continue;
    for (auto key : keys.getAsRange<StringAttr>()) {
      auto argument = llvm::find_if(
          stored, [&](StepArgument *a) { return a->name == key.getValue(); });
      if (argument == stored.end())
        return emitError(program.forward.getLoc(), "update_binding: '")
               << key.getValue() << "' is not an initializer";
      if (failed(update(**argument, value)))
        return failure();
    }
  }
  for (StepArgument *argument : stored)
    argument->attributes.erase(program::kAlgorithmAttr);
  for (StepArgument *argument : program.select(Role::Input))
    argument->attributes.erase(program::kAlgorithmAttr);
  return success();
}

/// Returns the output called "loss", of the algorithm before the main graph;
/// else the first floating-point number that is not assigned.
std::optional<unsigned> InfoStep::findLoss() {
  for (bool byName : {true, false})
    for (bool ofAlgorithm : {true, false})
      for (auto [number, value] : llvm::enumerate(program.outputs()))
        if (isAlgorithms(number) == ofAlgorithm && isFloatNumber(value) &&
            (byName ? program.outputName(number) == "loss" : !isBound(number)))
          return number;
  return std::nullopt;
}

/// Converts to an f32 or f64 scalar.
Value InfoStep::asLoss(Value value) {
  OpBuilder &b = program.builder;
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType().getIntOrFloatBitWidth() < 32)
    value = repro::ConvertOp::create(
        b, value.getLoc(), type.clone(b.getF32Type()), value, false, nullptr);
  return repro::createReshape(b, value.getLoc(), value, {});
}

/// Adds the algorithm's other numbers for the log.
void InfoStep::addMetrics(unsigned loss) {
  static const llvm::StringSet<> taken = {"loss",    "step",       "epoch",
                                          "seconds", "parameters", "event"};
  for (auto [number, value] : llvm::enumerate(program.outputs())) {
    StringRef name = program.outputName(number);
    if (number != loss && isAlgorithms(number) && !isBound(number) &&
        isFloatNumber(value) && !taken.contains(name) &&
        !name.starts_with("eval_"))
      program.addResult(asLoss(value), Role::Metric, name);
  }
}

/// Rejects keys of a recipe that define a step, which the algorithm defines
/// already.
LogicalResult InfoStep::checkOptions() {
  const RecipeObjects &objects = options.recipe.objects;
  for (const auto &[key, isGiven] :
       {std::pair("schedule", objects.schedule.has_value()),
        std::pair("clip", objects.clip.has_value()),
        std::pair("ema", objects.ema.has_value()),
        std::pair("precision", objects.precision.has_value()),
        std::pair("batch_norm", options.recipe.trainsBatchNorm),
        std::pair("lost_parameters", options.recipe.ignoresLost),
        std::pair("accumulate",
                  options.recipe.accumulate != 1 || options.microbatches != 1)})
    if (isGiven)
      return emitError(program.module.getLoc(), "recipe: '")
             << key
             << "' is given without a loss and an optimizer, and the model's "
                "training_info defines the training step";
  return success();
}

LogicalResult InfoStep::run() {
  if (failed(checkOptions()))
    return failure();
  // update_binding determines the values of running statistics.
  program.module.walk([](AssignOp op) { op.erase(); });
  if (failed(program.read()))
    return failure();
  const bool isTraining = options.kind == ProgramKind::Train;
  if (isTraining && (failed(checkFrozen()) || failed(readUpdates())))
    return failure();
  std::optional<unsigned> loss = findLoss();
  if (!loss)
    return emitError(
        program.forward.getLoc(),
        "training_info: the algorithm has no output that is a float number, "
        "so there is no loss");
  program.open(1, 1);
  if (!isTraining)
    for (auto [number, value] : llvm::enumerate(program.outputs()))
      if (!isAlgorithms(number))
        program.addResult(value, Role::Output, program.outputName(number));
  program.addResult(asLoss(program.outputs()[*loss]), Role::Loss, "loss");
  if (isTraining)
    addMetrics(*loss);
  program.close();
  return success();
}

LogicalResult train::buildTrainingInfoStep(ModuleOp module,
                                           const TrainingOptions &options) {
  return InfoStep(module, options).run();
}
