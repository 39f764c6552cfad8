// See StepUpdate.h.

#include "StepUpdate.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

static RankedTensorType numberType(Builder &builder) {
  return RankedTensorType::get({}, builder.getF64Type());
}

LogicalResult StepUpdate::read() {
  parameters = program.select(Role::Parameter);
  if (failed(readGroups()) || failed(assignGroups()) || failed(addStates()))
    return failure();
  if (const auto &written = options.recipe.objects.schedule) {
    RecipeObject recipe("recipe: schedule", *written, program.module.getLoc());
    schedule = readSchedule(recipe);
    if (!schedule)
      return failure();
    for (const OptimizerState &state : schedule.getStates())
      scheduleStates.push_back(&addState(Role::State, "schedule", state));
    if (!isa<ConstantScheduleAttr>(schedule))
      needStep();
  }
  return readAverages();
}

void StepUpdate::needStep() {
  step = program.find(Role::Step);
  Builder &builder = program.builder;
  if (!step)
    step = &program.add(
        Role::Step, "gensyn.step",
        RankedTensorType::get({}, builder.getIntegerType(32, false)));
}

StepArgument &StepUpdate::addState(Role role, const std::string &owner,
                                   const OptimizerState &state) {
  Builder &builder = program.builder;
  StepArgument &argument =
      program.add(role, owner + "." + state.name.str(), state.type);
  argument.attributes.set(program::kInitialAttr,
                          builder.getDictionaryAttr(builder.getNamedAttr(
                              "fill", builder.getF64FloatAttr(state.fill))));
  return argument;
}

/// Adds the states of rules: shared ones if any parameter uses the rule, and
/// those of each parameter.
LogicalResult StepUpdate::addStates() {
  for (auto [number, rule] : llvm::enumerate(rules)) {
    std::string owner = "optimizer";
    if (number > 0)
      owner += "." + std::to_string(number);
    if (llvm::any_of(groupOf, [&](size_t group) {
          return groups[group].rule == number;
        }))
      for (const OptimizerState &state : rule.rule.getSharedStates())
        rule.shared.push_back(&addState(Role::State, owner, state));
  }
  for (auto [parameter, group] : llvm::zip_equal(parameters, groupOf)) {
    RankedTensorType type = parameter->tensorType();
    if (!type.getElementType().isF32() && !type.getElementType().isF64())
      return emitError(program.module.getLoc())
             << "parameter '" << parameter->name << "' has type " << type
             << ", which is not trained; it may be frozen";
    OptimizerRuleInterface rule = rules[groups[group].rule].rule;
    std::string refusal = rule.getRefusal(type);
    if (!refusal.empty())
      return emitError(program.module.getLoc())
             << "recipe: optimizer: parameter '" << parameter->name << "' "
             << refusal;
    if (failed(names.checkForm(program.module.getLoc(), parameter->name,
                               rule.getStorageFreedom(), options)))
      return failure();
    std::vector<StepArgument *> &own = states.emplace_back();
    for (const OptimizerState &state : rule.getStates(type))
      own.push_back(&addState(Role::State, parameter->name, state));
  }
  return success();
}

/// Returns the number of steps before this one, as an i64 scalar.
Value StepUpdate::stepNumber() {
  Builder &builder = program.builder;
  return repro::ConvertOp::create(
      program.builder, program.forward.getLoc(),
      RankedTensorType::get({}, builder.getI64Type()), step->value);
}

static SmallVector<Value> valuesOf(ArrayRef<StepArgument *> arguments) {
  SmallVector<Value> values;
  for (StepArgument *argument : arguments)
    values.push_back(argument->value);
  return values;
}

void StepUpdate::buildRates() {
  OpBuilder &builder = program.builder;
  Location location = program.forward.getLoc();
  Value factor;
  if (schedule && !isa<ConstantScheduleAttr>(schedule))
    factor = schedule.buildFactor(builder, location, stepNumber(),
                                  valuesOf(scheduleStates));
  for (Group &group : groups) {
    group.rate = repro::createFilled(builder, location, numberType(builder),
                                     group.choice.lr);
    if (factor)
      group.rate = repro::MulOp::create(builder, location, group.rate.getType(),
                                        group.rate, factor);
  }
}

static void setNext(ArrayRef<StepArgument *> arguments, ValueRange values) {
  for (auto [argument, value] : llvm::zip_equal(arguments, values))
    argument->next = value;
}

void StepUpdate::build(ArrayRef<Value> gradients) {
  OpBuilder &builder = program.builder;
  buildRates();
  for (Rule &rule : rules) {
    if (rule.shared.empty())
      continue;
    SmallVector<Value> shared = valuesOf(rule.shared);
    auto advance =
        AdvanceOp::create(builder, program.forward.getLoc(),
                          ValueRange(shared).getTypes(), shared, rule.rule);
    setNext(rule.shared, advance.getResults());
  }
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    const Group &group = groups[groupOf[i]];
    const Rule &rule = rules[group.rule];
    SmallVector<Value> own = valuesOf(states[i]);
    auto update = UpdateOp::create(builder, parameter->value.getLoc(),
                                   parameter->type, ValueRange(own).getTypes(),
                                   parameter->value, gradients[i], group.rate,
                                   own, valuesOf(rule.shared), rule.rule);
    parameter->next = update.getNewParameter();
    setNext(states[i], update.getNewStates());
  }
  buildAverages();
  program.addResult(groups.front().rate, Role::Metric, "lr");
}
