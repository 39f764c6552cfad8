// The part of a step that runs once per microbatch.

#include "StepProgram.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

bool StepProgram::isSplit(const StepArgument &argument) const {
  return microbatches > 1 && argument.tensorType().getRank() > 0 &&
         (argument.role == Role::Input || argument.role == Role::Target);
}

/// True if a microbatch gets it as the previous microbatch left it.
static bool isCarried(const StepArgument &argument) {
  return argument.role == Role::State && argument.forward;
}

/// True if every microbatch gets the same value.
static bool isShared(const StepArgument &argument) {
  switch (argument.role) {
  case Role::State:
    return argument.isSeen;
  case Role::Average:
    return false;
  case Role::Step:
    return argument.forward != nullptr;
  default:
    return true;
  }
}

Value StepProgram::numberStep(Value step, Value microbatch) {
  auto type = cast<RankedTensorType>(step.getType());
  Location location = step.getLoc();
  Value index = repro::ConvertOp::create(builder, location, type, microbatch);
  Value count = repro::createFilled(builder, location, type,
                                    static_cast<double>(drawsPerStep));
  Value first = repro::MulOp::create(builder, location, type, step, count);
  return repro::AddOp::create(builder, location, type, first, index);
}

Block *StepProgram::openMicrobatch() {
  Block *inside = &body.emplaceBlock();
  Value index = inside->addArgument(
      RankedTensorType::get({}, builder.getI64Type()), forward.getLoc());
  auto give = [&](StepArgument &argument) {
    argument.inner =
        inside->addArgument(argument.type, argument.value.getLoc());
  };
  for (const auto &argument : arguments)
    if (isSplit(*argument))
      give(*argument);
  for (const auto &argument : arguments)
    if (isCarried(*argument))
      give(*argument);
  builder.setInsertionPointToStart(inside);
  for (const auto &argument : arguments) {
    if (isSplit(*argument) || !isShared(*argument))
      continue;
    give(*argument);
    if (argument->role == Role::Step)
      argument->inner = numberStep(argument->inner, index);
  }
  return inside;
}

SmallVector<Value> StepProgram::closeForward(ArrayRef<Value> values) {
  if (microbatches == 1)
    return SmallVector<Value>(values);
  Location location = terminator->getLoc();
  SmallVector<Value> split, carried, shared, yielded;
  SmallVector<StepArgument *> states;
  for (const auto &argument : arguments)
    if (isSplit(*argument)) {
      split.push_back(argument->value);
    } else if (isCarried(*argument)) {
      states.push_back(argument.get());
      carried.push_back(argument->value);
      yielded.push_back(argument->next ? argument->next : argument->inner);
    } else if (isShared(*argument)) {
      shared.push_back(argument->value);
    }
  llvm::append_range(yielded, values);
  YieldOp::create(builder, location, yielded);
  terminator->remove();
  program.getBody().front().push_back(terminator);
  terminator->setOperands({});
  builder.setInsertionPoint(terminator);
  auto accumulate = AccumulateOp::create(
      builder, location, ValueRange(yielded).getTypes(),
      builder.getI64IntegerAttr(microbatches), split, carried, shared);
  accumulate.getBody().takeBody(body);
  SmallVector<Value> sums;
  for (auto [number, result] : llvm::enumerate(accumulate.getResults()))
    if (number < states.size())
      states[number]->next = result;
    else
      sums.push_back(result);
  return sums;
}
