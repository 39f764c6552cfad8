// Checks a function's arguments, then evaluates its block.

#include "gensyn/Reference/Interpreter.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/FloatEnvironment.h"

using namespace mlir;
using namespace gensyn;

static LogicalResult checkArgument(func::FuncOp function, unsigned index,
                                   const Tensor &value) {
  auto type = dyn_cast<RankedTensorType>(function.getArgument(index).getType());
  auto element = type ? repro::getElementType(type.getElementType())
                      : std::optional<ElementType>();
  if (!element)
    return function.emitError("argument ")
           << index << " is not a tensor of a supported element type";
  if (value.elementType() == *element &&
      ArrayRef<int64_t>(value.shape()) == type.getShape())
    return success();
  auto found = RankedTensorType::get(
      value.shape(),
      repro::getMlirType(function.getContext(), value.elementType()));
  return function.emitError("argument ")
         << index << " is " << found << ", expected " << type;
}

FailureOr<SmallVector<Tensor>>
reference::interpret(func::FuncOp function, ArrayRef<Tensor> arguments) {
  if (arguments.size() != function.getNumArguments())
    return function.emitError("is given ")
               << arguments.size() << " arguments, expected "
               << function.getNumArguments(),
           failure();
  for (auto [i, value] : llvm::enumerate(arguments))
    if (failed(checkArgument(function, i, value)))
      return failure();
  FloatEnvironment environment;
  return repro::evaluateBlock(function.getBody().front(), arguments);
}
