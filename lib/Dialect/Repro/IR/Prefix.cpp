// scan and sort: rules.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

LogicalResult ScanOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> ScanOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult ScanOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t ScanOp::getFlops() { return 0; }
SmallVector<int64_t> ScanOp::getColumns() { return {}; }
LogicalResult SortOp::verify() { return success(); }
FailureOr<SmallVector<Tensor>> SortOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult SortOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t SortOp::getFlops() { return 0; }
SmallVector<int64_t> SortOp::getColumns() { return {}; }
bool ScanOp::needsOrder() { return false; }
Attribute ScanOp::getAssignedOrder() { return getOrderAttr(); }
void ScanOp::assignOrder(const Order &order) {
  setOrderAttr(OrderAttr::get(getContext(), order));
}
Order ScanOp::getDefaultOrder() { return *Order::parse("sequential"); }
