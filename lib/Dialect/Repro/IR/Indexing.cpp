// gather and scatter: rules.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

LogicalResult GatherOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> GatherOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult GatherOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                 MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t GatherOp::getFlops() { return 0; }
LogicalResult ScatterOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> ScatterOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult ScatterOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t ScatterOp::getFlops() { return 0; }
bool GatherOp::mayFault() { return getBounds() == IndexBound::Fault; }
std::string GatherOp::describeFault() { return "index out of range"; }
bool ScatterOp::mayFault() { return getBounds() == IndexBound::Fault; }
std::string ScatterOp::describeFault() { return "index out of range"; }
SmallVector<int64_t> ScatterOp::getColumns() { return {}; }
