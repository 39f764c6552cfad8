// if, loop and check: rules.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

LogicalResult IfOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> IfOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult IfOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                             MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t IfOp::getFlops() { return 0; }
LogicalResult LoopOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> LoopOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult LoopOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t LoopOp::getFlops() { return 0; }
LogicalResult CheckOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> CheckOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
int64_t CheckOp::getFlops() { return 0; }
bool CheckOp::mayFault() { return true; }
std::string CheckOp::describeFault() { return "the check failed"; }
bool LoopOp::mayFault() { return getExhaust() == Exhaust::Fault; }
std::string LoopOp::describeFault() {
  return "the loop was not done at its bound";
}
void IfOp::print(OpAsmPrinter &) {}
ParseResult IfOp::parse(OpAsmParser &parser, OperationState &) {
  return parser.emitError(parser.getNameLoc(), "has no text form");
}
void LoopOp::print(OpAsmPrinter &) {}
ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &) {
  return parser.emitError(parser.getNameLoc(), "has no text form");
}
