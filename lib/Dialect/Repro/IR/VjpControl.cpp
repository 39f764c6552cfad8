// Vector-Jacobian products of if and loop.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn::repro;

LogicalResult IfOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                             MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
LogicalResult LoopOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
