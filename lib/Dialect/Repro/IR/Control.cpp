// if, loop and check: rules.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Sizes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static bool isFlag(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() == 0 && type.getElementType().isInteger(1);
}

/// Compares a list of types with those expected; fails at the first difference.
static LogicalResult verifyTypes(Operation *op, StringRef what, TypeRange found,
                                 TypeRange expected) {
  if (found.size() != expected.size())
    return op->emitOpError() << what << " " << found.size()
                             << " values, expected " << expected.size();
  for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(found, expected)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return op->emitOpError()
             << what << " " << std::get<0>(pair) << " as value " << number
             << ", expected " << std::get<1>(pair);
  return success();
}

LogicalResult IfOp::verify() {
  if (!isFlag(getPredicate())) // if_c1
    return emitOpError("has the predicate ")
           << getPredicate().getType() << ", expected tensor<i1>";
  for (Block *block : {&getThenBlock(), &getElseBlock()}) // if_c2
    if (failed(verifyTypes(*this, "gives a region", block->getArgumentTypes(),
                           getCaptures().getTypes())) ||
        failed(verifyTypes(*this, "yields",
                           block->getTerminator()->getOperandTypes(),
                           getResultTypes())))
      return failure();
  return success();
}

LogicalResult LoopOp::verify() {
  if (static_cast<int64_t>(getTrips()) < 0) // loop_c1
    return emitOpError("has ")
           << static_cast<int64_t>(getTrips()) << " trips, expected 0 or more";
  if (getCondition() && !isFlag(getCondition()))
    return emitOpError("has the flag ")
           << getCondition().getType() << ", expected tensor<i1>";
  if (!getCondition() && getExhaust() == Exhaust::Fault)
    return emitOpError("has no flag that could hold at its bound");
  Builder builder(getContext());
  SmallVector<Type> arguments = {
      RankedTensorType::get({}, builder.getI64Type())};
  llvm::append_range(arguments, getInits().getTypes());
  llvm::append_range(arguments, getInvariants().getTypes());
  SmallVector<Type> yielded;
  if (getCondition())
    yielded.push_back(RankedTensorType::get({}, builder.getI1Type()));
  llvm::append_range(yielded, getInits().getTypes());
  // loop_c2
  if (failed(verifyTypes(*this, "gives its body", getBlock().getArgumentTypes(),
                         arguments)) ||
      failed(verifyTypes(*this, "yields",
                         getBlock().getTerminator()->getOperandTypes(),
                         yielded)))
    return failure();
  return verifyTypes(*this, "returns", getResultTypes(), getInits().getTypes());
}

LogicalResult CheckOp::verify() {
  if (!isFlag(getOk())) // check_c1
    return emitOpError("checks ")
           << getOk().getType() << ", expected tensor<i1>";
  return success();
}

bool CheckOp::mayFault() { return true; }
std::string CheckOp::describeFault() { return getMessage().str(); }

bool LoopOp::mayFault() { return getExhaust() == Exhaust::Fault; }
std::string LoopOp::describeFault() {
  return "it is not done after " + std::to_string(getTrips()) + " iterations";
}

static int64_t flopsOf(Block &block) {
  int64_t flops = 0;
  for (Operation &op : block)
    if (auto cost = dyn_cast<CostOpInterface>(op))
      flops = saturatingAdd(flops, cost.getFlops());
  return flops;
}

ElementCost IfOp::getElementCost() { return ElementCost::Several; }
ElementCost LoopOp::getElementCost() { return ElementCost::Several; }
int64_t IfOp::getFlops() {
  return std::max(flopsOf(getThenBlock()), flopsOf(getElseBlock()));
}
int64_t LoopOp::getFlops() {
  return saturatingMultiply(static_cast<int64_t>(getTrips()),
                            flopsOf(getBlock()));
}
