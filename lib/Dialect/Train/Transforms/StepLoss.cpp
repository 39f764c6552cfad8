// See StepLoss.h.

#include "StepLoss.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

LogicalResult StepLoss::findPrediction() {
  std::string wanted = recipe.text(kind->outputKey, "");
  auto outputs = program.outputs();
  SmallVector<StringRef> names;
  bool found = false;
  for (unsigned i = 0; i < outputs.size(); ++i) {
    names.push_back(program.outputName(i));
    if (wanted.empty() ? outputs.size() == 1 : names.back() == wanted) {
      number = i;
      found = true;
    }
  }
  if (!found) {
    InFlightDiagnostic error = recipe.error();
    if (wanted.empty())
      error << "'" << kind->outputKey << "' has to name one of the outputs ";
    else
      error << "no graph output is called '" << wanted << "', there are ";
    llvm::interleaveComma(names, error,
                          [&](StringRef name) { error << "'" << name << "'"; });
    return error;
  }
  auto type = cast<RankedTensorType>(getPrediction().getType());
  if (!isa<Float32Type, Float64Type, Float16Type, BFloat16Type>(
          type.getElementType()))
    return recipe.error() << "the output has type " << type
                          << ", no loss is taken of that";
  return success();
}

/// Narrow floats become f32 before the loss (precision_r4).
RankedTensorType StepLoss::getLossInput() {
  auto type = cast<RankedTensorType>(getPrediction().getType());
  Type element = type.getElementType();
  return type.clone(element.isF64() ? element
                                    : Float32Type::get(element.getContext()));
}

LogicalResult StepLoss::addTarget() {
  std::string name = recipe.text("target", "target");
  auto type = kind->getTargetType(recipe, getLossInput());
  if (failed(type))
    return failure();
  if (!*type)
    return success();
  if (program.has(name))
    return recipe.error() << "the target's name '" << name
                          << "' is taken by a tensor of the graph";
  target = &program.add(Role::Target, name, *type);
  return success();
}

LogicalResult StepLoss::read() {
  kind = findLossKind(recipe);
  return success(kind && succeeded(findPrediction()) && succeeded(addTarget()));
}

Value StepLoss::build() {
  Value prediction = getPrediction();
  if (prediction.getType() != getLossInput())
    prediction = repro::ConvertOp::create(program.builder, prediction.getLoc(),
                                          getLossInput(), prediction);
  Value loss = kind->build(program.builder, program.forward.getLoc(), recipe,
                           prediction, target ? target->inner : Value());
  return loss && succeeded(recipe.finish()) ? loss : nullptr;
}
