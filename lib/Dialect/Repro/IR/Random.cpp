// random_bits: rules.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

LogicalResult RandomBitsOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> RandomBitsOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult RandomBitsOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                     MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t RandomBitsOp::getFlops() { return 0; }
