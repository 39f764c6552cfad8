// The program of a recipe around a model's forward function.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/IR/Registry.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINBUILDSTEPPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

static bool isFloat(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

namespace {
enum Role { Parameter, Constant, State, Input, Target, Key, Step };

/// An argument of the program to be.
struct Argument {
  Role role;
  std::string name;
  Type type;
  NamedAttrList attributes;
  /// What it replaces in the forward function; null for a new one.
  Value forward;
  /// Its value in the program.
  Value value = nullptr;
};

struct Result {
  Value value;
  NamedAttrList attributes;
  /// The index of the argument that it is in the next step, or -1.
  int64_t donated = -1;
};

class StepBuilder {
public:
  StepBuilder(ModuleOp module, const TrainingOptions &options)
      : module(module), options(options), builder(module.getContext()),
        loss("recipe: loss", options.loss, module.getLoc()),
        optimizer("recipe: optimizer", options.optimizer, module.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult readForward();
  LogicalResult findPrediction();
  LogicalResult addTarget();
  LogicalResult addStates();
  void openFunction();
  void buildEval();
  void buildGrad();
  void buildTrain();
  void closeFunction();

  void addState(StringRef owner, const OptimizerState &state);
  void addResult(Value value, StringRef role, StringRef name, int64_t donated);
  SmallVector<Argument *> select(Role role);
  ValueRange computeGradients(ArrayRef<Argument *> wrt);

  ModuleOp module;
  const TrainingOptions &options;
  OpBuilder builder;
  RecipeObject loss, optimizer;
  const LossKind *lossKind = nullptr;
  OptimizerRuleInterface rule;
  double lr = 0.0;
  func::FuncOp forward, program;
  SmallVector<Argument> arguments;
  SmallVector<Result> results;
  Value prediction, lossValue;
  unsigned predictionIndex = 0;
};
} // namespace

static constexpr StringLiteral roleNames[] = {
    "parameter", "constant", "state", "input", "target", "key", "step"};

SmallVector<Argument *> StepBuilder::select(Role role) {
  SmallVector<Argument *> selected;
  for (Argument &argument : arguments)
    if (argument.role == role)
      selected.push_back(&argument);
  return selected;
}

/// The arguments of `@main`, by role, and what becomes of them.
LogicalResult StepBuilder::readForward() {
  forward = module.lookupSymbol<func::FuncOp>("main");
  if (!forward || forward.isExternal() || !forward.getBody().hasOneBlock())
    return module.emitError("there is no function @main with one block");
  for (BlockArgument value : forward.getArguments()) {
    unsigned number = value.getArgNumber();
    auto role = forward.getArgAttrOfType<StringAttr>(number, "gensyn.role");
    auto name = forward.getArgAttrOfType<StringAttr>(number, "gensyn.name");
    const auto *known = llvm::find(roleNames, role ? role.getValue() : "");
    if (!name || known == std::end(roleNames))
      return forward.emitError("argument ")
             << number << " has no gensyn.name or no known gensyn.role";
    Argument argument{Role(known - roleNames), name.str(), value.getType(),
                      forward.getArgAttrDict(number), value};
    if (argument.role == Parameter &&
        (options.freezes(argument.name) || !isFloat(argument.type)))
      argument.role = Constant;
    arguments.push_back(std::move(argument));
  }
  return success();
}

/// The graph output that the loss is taken of.
LogicalResult StepBuilder::findPrediction() {
  lossKind = findLossKind(loss);
  if (!lossKind)
    return failure();
  std::string wanted = loss.text(lossKind->outputKey, "");
  auto outputs = forward.getBody().front().getTerminator()->getOperands();
  SmallVector<StringRef> names;
  for (auto [number, output] : llvm::enumerate(outputs)) {
    auto name = forward.getResultAttrOfType<StringAttr>(number, "gensyn.name");
    names.push_back(name ? name.getValue() : "");
    if (wanted.empty() ? outputs.size() == 1 : names.back() == wanted)
      prediction = output, predictionIndex = number;
  }
  if (!prediction) {
    InFlightDiagnostic error = loss.error();
    if (wanted.empty())
      error << "'" << lossKind->outputKey
            << "' has to name one of the outputs ";
    else
      error << "no graph output is called '" << wanted << "', there are ";
    llvm::interleaveComma(names, error,
                          [&](StringRef name) { error << "'" << name << "'"; });
    return error;
  }
  auto type = cast<RankedTensorType>(prediction.getType());
  if (!type.getElementType().isF32() && !type.getElementType().isF64())
    return loss.error() << "the output has type " << type
                        << ", no loss is taken of that";
  return success();
}

LogicalResult StepBuilder::addTarget() {
  std::string name = loss.text("target", "target");
  auto type = lossKind->getTargetType(
      loss, cast<RankedTensorType>(prediction.getType()));
  if (failed(type))
    return failure();
  if (!*type)
    return success();
  for (const Argument &argument : arguments)
    if (argument.name == name)
      return loss.error() << "the target's name '" << name
                          << "' is taken by a tensor of the graph";
  arguments.push_back({Target, name, *type, {}, nullptr});
  return success();
}

void StepBuilder::addState(StringRef owner, const OptimizerState &state) {
  Argument argument{
      State, (owner + "." + state.name).str(), state.type, {}, nullptr};
  argument.attributes.set("gensyn.initial",
                          builder.getDictionaryAttr(builder.getNamedAttr(
                              "fill", builder.getF64FloatAttr(state.fill))));
  arguments.push_back(std::move(argument));
}

/// What `value` is computed from, as a set of arguments and ops' results.
static DenseSet<Value> findSources(Value value) {
  DenseSet<Value> sources;
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!sources.insert(next).second)
      continue;
    if (Operation *op = next.getDefiningOp())
      op->walk([&](Operation *inner) {
        llvm::append_range(pending, inner->getOperands());
      });
  }
  return sources;
}

LogicalResult StepBuilder::addStates() {
  auto choice = readOptimizer(optimizer);
  if (failed(choice))
    return failure();
  rule = choice->rule;
  lr = choice->lr;
  // PyTorch gives no gradient to what the loss does not see, and leaves it as
  // it is, weight decay or not.
  DenseSet<Value> sources = findSources(prediction);
  for (Argument &argument : arguments)
    if (argument.role == Parameter && !sources.contains(argument.forward))
      argument.role = Constant;
  for (const OptimizerState &state : rule.getSharedStates())
    addState("optimizer", state);
  for (size_t i = 0, end = arguments.size(); i < end; ++i) {
    if (arguments[i].role != Parameter)
      continue;
    auto type = cast<RankedTensorType>(arguments[i].type);
    if (!type.getElementType().isF32() && !type.getElementType().isF64())
      return module.emitError("parameter '")
             << arguments[i].name << "' has type " << type
             << ", which is not trained; it may be frozen";
    std::string owner = arguments[i].name;
    for (const OptimizerState &state : rule.getStates(type))
      addState(owner, state);
  }
  return success();
}

/// A new function with the arguments by role, and the forward ops in it.
void StepBuilder::openFunction() {
  std::stable_sort(
      arguments.begin(), arguments.end(),
      [](const Argument &a, const Argument &b) { return a.role < b.role; });
  builder.setInsertionPoint(forward);
  program = func::FuncOp::create(builder, forward.getLoc(), "main",
                                 builder.getFunctionType({}, {}));
  Block *body = program.addEntryBlock();
  for (Argument &argument : arguments) {
    Location location =
        argument.forward ? argument.forward.getLoc() : forward.getLoc();
    argument.value = body->addArgument(argument.type, location);
    if (argument.forward)
      argument.forward.replaceAllUsesWith(argument.value);
    argument.attributes.set("gensyn.name",
                            builder.getStringAttr(argument.name));
    argument.attributes.set("gensyn.role",
                            builder.getStringAttr(roleNames[argument.role]));
  }
  Block &old = forward.getBody().front();
  body->getOperations().splice(body->end(), old.getOperations());
  builder.setInsertionPoint(body->getTerminator());
  // Where the output is an argument, it is one of this function now.
  prediction = body->getTerminator()->getOperand(predictionIndex);
}

void StepBuilder::addResult(Value value, StringRef role, StringRef name,
                            int64_t donated) {
  Result result{value, {}, donated};
  result.attributes.set("gensyn.name", builder.getStringAttr(name));
  result.attributes.set("gensyn.role", builder.getStringAttr(role));
  results.push_back(std::move(result));
}

void StepBuilder::buildEval() {
  for (auto [number, value] : llvm::enumerate(
           program.getBody().front().getTerminator()->getOperands())) {
    auto name = forward.getResultAttrOfType<StringAttr>(number, "gensyn.name");
    addResult(value, "output", name ? name.getValue() : "", -1);
  }
  addResult(lossValue, "loss", "loss", -1);
}

ValueRange StepBuilder::computeGradients(ArrayRef<Argument *> wrt) {
  SmallVector<Value> values;
  for (Argument *argument : wrt)
    values.push_back(argument->value);
  if (values.empty())
    return {};
  return GradientOp::create(builder, lossValue.getLoc(),
                            ValueRange(values).getTypes(), lossValue, values)
      .getGradients();
}

void StepBuilder::buildGrad() {
  SmallVector<Argument *> wrt = select(Parameter);
  for (Argument *input : select(Input))
    if (isFloat(input->type))
      wrt.push_back(input);
  addResult(lossValue, "loss", "loss", -1);
  for (auto [argument, gradient] : llvm::zip_equal(wrt, computeGradients(wrt)))
    addResult(gradient, "output", argument->name, -1);
}

void StepBuilder::buildTrain() {
  SmallVector<Argument *> parameters = select(Parameter),
                          states = select(State);
  auto indexOf = [&](Argument *argument) {
    return argument - arguments.data();
  };
  size_t numShared = rule.getSharedStates().size(), next = numShared;
  SmallVector<Value> shared, newStates;
  for (Argument *state : ArrayRef(states).take_front(numShared))
    shared.push_back(state->value);
  if (numShared)
    newStates = AdvanceOp::create(builder, program.getLoc(),
                                  ValueRange(shared).getTypes(), shared, rule)
                    .getResults();
  Value rate =
      repro::createFilled(builder, program.getLoc(),
                          RankedTensorType::get({}, builder.getF64Type()), lr);
  for (auto [parameter, gradient] :
       llvm::zip_equal(parameters, computeGradients(parameters))) {
    SmallVector<Value> own;
    size_t count =
        rule.getStates(cast<RankedTensorType>(parameter->type)).size();
    for (Argument *state : ArrayRef(states).slice(next, count))
      own.push_back(state->value);
    next += count;
    auto update =
        UpdateOp::create(builder, parameter->value.getLoc(), parameter->type,
                         ValueRange(own).getTypes(), parameter->value, gradient,
                         rate, own, shared, rule);
    addResult(update.getNewParameter(), "parameter", parameter->name,
              indexOf(parameter));
    llvm::append_range(newStates, update.getNewStates());
  }
  for (auto [state, value] : llvm::zip_equal(states, newStates))
    addResult(value, "state", state->name, indexOf(state));
  addResult(lossValue, "loss", "loss", -1);
}

void StepBuilder::closeFunction() {
  Operation *terminator = program.getBody().front().getTerminator();
  SmallVector<Value> values;
  SmallVector<int64_t> donated;
  SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
  for (Result &result : results) {
    values.push_back(result.value);
    donated.push_back(result.donated);
    resultAttributes.push_back(
        result.attributes.getDictionary(module.getContext()));
  }
  for (Argument &argument : arguments)
    argumentAttributes.push_back(
        argument.attributes.getDictionary(module.getContext()));
  terminator->setOperands(values);
  program.setType(
      builder.getFunctionType(program.getBody().front().getArgumentTypes(),
                              ValueRange(values).getTypes()));
  program.setAllArgAttrs(argumentAttributes);
  program.setAllResultAttrs(resultAttributes);
  forward.erase();
  module->setAttr("gensyn.donated", builder.getDenseI64ArrayAttr(donated));
}

LogicalResult StepBuilder::run() {
  if (options.kind == StepKind::Infer)
    return success();
  if (failed(readForward()) || failed(findPrediction()) ||
      failed(addTarget()) ||
      (options.kind == StepKind::Train && failed(addStates())))
    return failure();
  openFunction();
  SmallVector<Argument *> target = select(Target);
  lossValue = lossKind->build(builder, forward.getLoc(), loss, prediction,
                              target.empty() ? Value() : target[0]->value);
  if (!lossValue || failed(loss.finish()))
    return failure();
  if (options.kind == StepKind::Eval)
    buildEval();
  else if (options.kind == StepKind::Grad)
    buildGrad();
  else
    buildTrain();
  closeFunction();
  return success();
}

LogicalResult train::buildTrainingStep(ModuleOp module,
                                       const TrainingOptions &options) {
  return StepBuilder(module, options).run();
}

namespace {
struct BuildStep final : train::impl::TrainBuildStepPassBase<BuildStep> {
  using TrainBuildStepPassBase::TrainBuildStepPassBase;
  void runOnOperation() override {
    auto options = parseTrainingOptions(kind, recipe, getOperation().getLoc());
    if (failed(options) || failed(buildTrainingStep(getOperation(), *options)))
      signalPassFailure();
  }
};
} // namespace
