// Reference semantics of if, loop and check (if_r1, loop_r1, loop_r2,
// check_r1).

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

FailureOr<SmallVector<Tensor>> IfOp::evaluate(ArrayRef<Tensor> operands) {
  const bool taken = *operands[0].as<bool>();
  return evaluateBlock(taken ? getThenBlock() : getElseBlock(),
                       operands.drop_front());
}

FailureOr<SmallVector<Tensor>> LoopOp::evaluate(ArrayRef<Tensor> operands) {
  const bool hasFlag = bool(getCondition());
  const size_t carried = getInits().size();
  bool goesOn = !hasFlag || *operands[0].as<bool>();
  operands = operands.drop_front(hasFlag);
  // The index, the carried values, the invariants.
  SmallVector<Tensor> arguments = {Tensor()};
  llvm::append_range(arguments, operands);
  FaultScope *faults = FaultScope::current();
  const bool isOutermost = !(*this)->getParentOfType<LoopOp>();
  const auto trips = static_cast<int64_t>(getTrips());
  for (int64_t i = 0; i < trips && goesOn; ++i) {
    if (faults && isOutermost)
      faults->setIteration(i);
    arguments[0] = Tensor::scalar<int64_t>(i);
    auto yielded = evaluateBlock(getBlock(), arguments);
    if (failed(yielded))
      return failure();
    if (hasFlag)
      goesOn = *std::as_const(yielded->front()).as<bool>();
    for (size_t k = 0; k < carried; ++k)
      arguments[1 + k] = std::move((*yielded)[hasFlag + k]);
  }
  if (faults && isOutermost)
    faults->setIteration(0);
  if (hasFlag && goesOn && getExhaust() == Exhaust::Fault)
    recordFault(*this, 0);
  return SmallVector<Tensor>(ArrayRef(arguments).slice(1, carried));
}

FailureOr<SmallVector<Tensor>> CheckOp::evaluate(ArrayRef<Tensor> operands) {
  if (!*operands[0].as<bool>())
    recordFault(*this, 0);
  return SmallVector<Tensor>();
}
