// Arguments, states and results of a step; see StepProgram.h.

#include "StepProgram.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

StepProgram::~StepProgram() {
  // Ops of an abandoned step may use each other in any order.
  body.dropAllReferences();
}

LogicalResult StepProgram::read() {
  forward = module.lookupSymbol<func::FuncOp>("main");
  if (!forward || forward.isExternal() || !forward.getBody().hasOneBlock())
    return module.emitError("there is no function @main with one block");
  for (BlockArgument value : forward.getArguments()) {
    unsigned number = value.getArgNumber();
    auto name =
        forward.getArgAttrOfType<StringAttr>(number, program::kNameAttr);
    const std::optional<Role> role = program::getRole(forward, number);
    if (!name || !role || *role > Role::Step)
      return forward.emitError("argument ")
             << number << " has no gensyn.name or no known gensyn.role";
    StepArgument &argument = add(*role, name.str(), value.getType());
    argument.attributes = forward.getArgAttrDict(number);
    argument.forward = value;
  }
  terminator = forward.getBody().front().getTerminator();
  return success();
}

StepArgument &StepProgram::add(Role role, std::string name, Type type) {
  arguments.push_back(std::make_unique<StepArgument>());
  StepArgument &argument = *arguments.back();
  argument.role = role;
  argument.name = std::move(name);
  argument.type = type;
  return argument;
}

StepArgument *StepProgram::find(Role role) const {
  std::vector<StepArgument *> found = select(role);
  return found.empty() ? nullptr : found.front();
}

bool StepProgram::has(StringRef name) const {
  return llvm::any_of(
      arguments, [&](const auto &argument) { return argument->name == name; });
}

std::vector<StepArgument *> StepProgram::select(Role role) const {
  std::vector<StepArgument *> selected;
  for (const auto &argument : arguments)
    if (argument->role == role)
      selected.push_back(argument.get());
  return selected;
}

/// A statistic is not a parameter, frozen or not, and has no gradient.
LogicalResult StepProgram::takeAssigned(bool isTraining) {
  Block &block = forward.getBody().front();
  for (auto assign : llvm::make_early_inc_range(block.getOps<AssignOp>())) {
    Value stored = assign.getStored(), value = assign.getValue();
    StepArgument *owner = nullptr;
    for (const auto &argument : arguments)
      if (argument->forward == stored || argument->next == stored)
        owner = argument.get();
    if (!owner || (owner->role != Role::Parameter &&
                   owner->role != Role::Constant && owner->role != Role::State))
      return assign.emitError("assigns to a value that is not an initializer");
    owner->role = Role::Constant;
    if (isTraining) {
      owner->role = Role::State;
      // assign_r1
      stored.replaceUsesWithIf(value, [&](OpOperand &use) {
        Operation *user = block.findAncestorOpInBlock(*use.getOwner());
        return user != assign && assign->isBeforeInBlock(user);
      });
      owner->next = value;
    }
    assign.erase();
  }
  return success();
}

StringRef StepProgram::outputName(unsigned number) {
  auto name =
      forward.getResultAttrOfType<StringAttr>(number, program::kNameAttr);
  return name ? name.getValue() : "";
}

void StepProgram::addResult(Value value, Role role, StringRef name,
                            int64_t donated) {
  Result result{value, {}, donated};
  result.attributes.set(program::kNameAttr, builder.getStringAttr(name));
  result.attributes.set(program::kRoleAttr,
                        program::getRoleAttr(builder.getContext(), role));
  results.push_back(std::move(result));
}

void StepProgram::addResult(Value value, Role role, StringRef name) {
  addResult(value, role, name, -1);
}

void StepProgram::open(int64_t count, int64_t draws) {
  microbatches = count;
  drawsPerStep = draws;
  std::stable_sort(
      arguments.begin(), arguments.end(),
      [](const auto &a, const auto &b) { return a->role < b->role; });
  builder.setInsertionPoint(forward);
  program = func::FuncOp::create(builder, forward.getLoc(), "main",
                                 builder.getFunctionType({}, {}));
  Block *entry = program.addEntryBlock(), *inside = entry;
  for (const auto &argument : arguments) {
    Location location =
        argument->forward ? argument->forward.getLoc() : forward.getLoc();
    Type type = argument->type;
    if (isSplit(*argument)) {
      SmallVector<int64_t> shape(argument->tensorType().getShape());
      shape[0] *= microbatches;
      type = argument->tensorType().clone(shape);
    }
    argument->inner = argument->value = entry->addArgument(type, location);
    argument->attributes.set(program::kNameAttr,
                             builder.getStringAttr(argument->name));
    argument->attributes.set(
        program::kRoleAttr,
        program::getRoleAttr(builder.getContext(), argument->role));
  }
  if (microbatches > 1)
    inside = openMicrobatch();
  for (const auto &argument : arguments) {
    if (!argument->forward)
      continue;
    argument->forward.replaceAllUsesWith(argument->inner);
    for (const auto &state : arguments)
      if (state->next == argument->forward)
        state->next = argument->inner;
  }
  Block &old = forward.getBody().front();
  inside->getOperations().splice(inside->end(), old.getOperations());
  builder.setInsertionPoint(terminator);
}

void StepProgram::close() {
  std::vector<Result> others = std::move(results);
  results.clear();
  for (auto [number, argument] : llvm::enumerate(arguments))
    if (argument->next)
      addResult(argument->next, argument->role, argument->name, number);
  llvm::append_range(results, others);
  SmallVector<Value> values;
  SmallVector<int64_t> donated;
  SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
  MLIRContext *context = module.getContext();
  for (Result &result : results) {
    values.push_back(result.value);
    donated.push_back(result.donated);
    resultAttributes.push_back(result.attributes.getDictionary(context));
  }
  for (const auto &argument : arguments)
    argumentAttributes.push_back(argument->attributes.getDictionary(context));
  terminator->setOperands(values);
  program.setType(
      builder.getFunctionType(program.getBody().front().getArgumentTypes(),
                              ValueRange(values).getTypes()));
  program.setAllArgAttrs(argumentAttributes);
  program.setAllResultAttrs(resultAttributes);
  forward.erase();
  module->setAttr(program::kDonatedAttr, builder.getDenseI64ArrayAttr(donated));
}
