// scan and sort: rules, columns, cost.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

/// All extents except the one along `dim`.
static SmallVector<int64_t> extentsBeside(Value tensor, int64_t dim) {
  SmallVector<int64_t> extents(typeOf(tensor).getShape());
  extents.erase(extents.begin() + dim);
  return extents;
}

LogicalResult ScanOp::verify() {
  auto type = typeOf(getOperand());
  if (const auto dim = static_cast<int64_t>(getDim());
      dim < 0 || dim >= type.getRank())
    return emitOpError("dim ")
           << dim << " is out of range for rank " << type.getRank();
  if (getKind() == ReduceKind::And || getKind() == ReduceKind::Or)
    return emitOpError("has no prefixes by ") << stringifyReduceKind(getKind());
  // scan_c1
  if (!getOrder())
    return success();
  if (!needsOrder())
    return emitOpError("has an order, but ")
           << stringifyReduceKind(getKind()) << " of " << type.getElementType()
           << " needs none";
  Order order = getOrder()->getOrder();
  const bool isBlocked = order.kind() == Order::Kind::Blocked &&
                         order.inner().isSequential() &&
                         order.outer().isSequential();
  if (!order.isSequential() && !isBlocked)
    return emitOpError("has order ")
           << order.print()
           << ", expected sequential or blocked<B, sequential, sequential>";
  return success();
}

SmallVector<int64_t> ScanOp::getColumns() {
  return extentsBeside(getOperand(), getDim());
}
ElementCost ScanOp::getElementCost() { return ElementCost::Several; }
int64_t ScanOp::getFlops() {
  auto type = typeOf(getOperand());
  return isa<FloatType>(type.getElementType()) ? type.getNumElements() : 0;
}

LogicalResult SortOp::verify() {
  auto type = typeOf(getOperand());
  if (const auto dim = static_cast<int64_t>(getDim());
      dim < 0 || dim >= type.getRank())
    return emitOpError("dim ")
           << dim << " is out of range for rank " << type.getRank();
  if (isStorageOnly(*getElementType(type.getElementType()))) // sort_c2
    return emitOpError("orders ")
           << type.getElementType() << ", which is only stored";
  const int64_t extent = type.getDimSize(getDim());
  const auto count = static_cast<int64_t>(getCount());
  if (count < 0 || count > extent || extent >= int64_t{1} << 31)
    return emitOpError("takes ") // sort_c1
           << count << " of " << extent
           << " elements, expected at most all of fewer than 2^31";
  SmallVector<int64_t> shape(type.getShape());
  shape[getDim()] = count;
  auto values = type.clone(shape);
  if (getValues().getType() != values)
    return emitOpError("gives ")
           << getValues().getType() << ", expected " << values;
  if (typeOf(getPositions()).getShape() != ArrayRef<int64_t>(shape))
    return emitOpError("gives positions ")
           << getPositions().getType() << " of values " << values;
  return success();
}

SmallVector<int64_t> SortOp::getColumns() {
  return extentsBeside(getOperand(), getDim());
}
/// Comparisons of a heap that holds the best elements so far.
ElementCost SortOp::getElementCost() { return ElementCost::Several; }
int64_t SortOp::getFlops() {
  return typeOf(getOperand()).getNumElements() *
         static_cast<int64_t>(
             llvm::Log2_64_Ceil(static_cast<uint64_t>(getCount()) + 1));
}
