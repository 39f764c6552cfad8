// Movement ops: rules, result types and identities.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/ReshapeGroups.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static LogicalResult expectElement(Operation *op, Value operand) {
  if (typeOf(operand).getElementType() ==
      typeOf(op->getResult(0)).getElementType())
    return success();
  return op->emitOpError("changes the element type from ")
         << typeOf(operand).getElementType() << " to "
         << typeOf(op->getResult(0)).getElementType();
}

bool repro::readsWholeOperands(Operation *op) {
  return (op->hasTrait<OpTrait::Elementwise>() ||
          op->hasTrait<ReadsWholeOperands>()) &&
         typeOf(op->getResult(0)).getNumElements() > 0;
}

bool repro::isSplatConstant(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  auto elements =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return elements && elements.isSplat();
}

Value repro::getStorage(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult IotaOp::verify() {
  int64_t rank = getType().getRank(), dim = getDim();
  if (dim < 0 || dim >= rank)
    return emitOpError("dim ") << dim << " is out of range for rank " << rank;
  return success();
}

SmallVector<ReshapeGroup>
gensyn::repro::getReshapeGroups(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                UnitExtents units) {
  SmallVector<ReshapeGroup> groups;
  size_t i = 0, j = 0;
  auto takeFrom = [&] { return i < from.size() ? from[i++] : 1; };
  auto takeTo = [&] { return j < to.size() ? to[j++] : 1; };
  while (i < from.size() || j < to.size()) {
    if (units == UnitExtents::Skip) {
      if (i < from.size() && from[i] == 1) {
        ++i;
        continue;
      }
      if (j < to.size() && to[j] == 1) {
        ++j;
        continue;
      }
    }
    ReshapeGroup group = {i, i, j, j};
    int64_t sizeFrom = takeFrom(), sizeTo = takeTo();
    while (sizeFrom != sizeTo)
      if (sizeFrom < sizeTo && i < from.size())
        sizeFrom *= takeFrom();
      else if (sizeTo < sizeFrom && j < to.size())
        sizeTo *= takeTo();
      else
        return groups;
    group.fromEnd = i;
    group.toEnd = j;
    groups.push_back(group);
  }
  return groups;
}

LogicalResult ReshapeOp::verify() {
  if (typeOf(getOperand()).getNumElements() != getType().getNumElements())
    return emitOpError("turns ")
           << typeOf(getOperand()).getNumElements() << " elements into "
           << getType().getNumElements();
  return expectElement(*this, getOperand());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return {};
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location>,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto type = typeOf(adaptor.getOperand());
  SmallVector<int64_t> shape;
  for (int64_t dim : adaptor.getPermutation()) {
    if (dim < 0 || dim >= type.getRank())
      return failure();
    shape.push_back(type.getDimSize(dim));
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult TransposeOp::verify() {
  int64_t rank = typeOf(getOperand()).getRank();
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : getPermutation())
    if (dim >= 0 && dim < rank)
      seen.set(dim);
  if (int64_t(getPermutation().size()) != rank || int64_t(seen.count()) != rank)
    return emitOpError("[")
           << getPermutation() << "] is not a permutation of rank " << rank;
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::is_sorted(getPermutation()))
    return getOperand();
  return {};
}

LogicalResult BroadcastOp::verify() {
  auto from = typeOf(getOperand()), to = getType();
  if (int64_t(getDims().size()) != from.getRank())
    return emitOpError("has ")
           << getDims().size() << " dims, expected " << from.getRank();
  int64_t previous = -1;
  for (auto [k, dim] : llvm::enumerate(getDims())) {
    if (dim <= previous || dim >= to.getRank())
      return emitOpError("dims [")
             << getDims() << "] are not increasing below rank " << to.getRank();
    if (from.getDimSize(k) != to.getDimSize(dim))
      return emitOpError("dimension ")
             << k << " has extent " << from.getDimSize(k) << ", expected "
             << to.getDimSize(dim);
    previous = dim;
  }
  return expectElement(*this, getOperand());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<BroadcastOp>()) {
    SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(getDims()[dim]);
    getOperandMutable().assign(inner.getOperand());
    setDims(dims);
    return getResult();
  }
  return {};
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  if (adaptor.getStart().size() != adaptor.getStride().size() ||
      adaptor.getLimit().size() != adaptor.getStride().size())
    return failure();
  for (auto [start, limit, stride] : llvm::zip_equal(
           adaptor.getStart(), adaptor.getLimit(), adaptor.getStride())) {
    if (stride < 1 || limit < start)
      return failure();
    int64_t taken = 0;
    if (llvm::SubOverflow(limit, start, taken))
      return failure();
    shape.push_back(llvm::divideCeilSigned(taken, stride));
  }
  types.push_back(typeOf(adaptor.getOperand()).clone(shape));
  return success();
}

LogicalResult SliceOp::verify() {
  auto type = typeOf(getOperand());
  size_t rank = type.getRank();
  if (getStart().size() != rank || getLimit().size() != rank ||
      getStride().size() != rank)
    return emitOpError("needs ") << rank << " starts, limits and strides";
  for (size_t dim = 0; dim < rank; ++dim) {
    if (getStart()[dim] < 0 || getStart()[dim] > getLimit()[dim] ||
        getLimit()[dim] > type.getDimSize(dim))
      return emitOpError("start ")
             << getStart()[dim] << " and limit " << getLimit()[dim]
             << " do not fit extent " << type.getDimSize(dim)
             << " of dimension " << dim;
    if (getStride()[dim] < 1)
      return emitOpError("stride ")
             << getStride()[dim] << " of dimension " << dim << " is below 1";
  }
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto type = typeOf(adaptor.getOperand());
  size_t rank = type.getRank();
  if (adaptor.getLow().size() != rank || adaptor.getHigh().size() != rank ||
      adaptor.getInterior().size() != rank)
    return failure();
  SmallVector<int64_t> shape;
  for (auto [extent, low, high, interior] :
       llvm::zip_equal(type.getShape(), adaptor.getLow(), adaptor.getHigh(),
                       adaptor.getInterior())) {
    int64_t total = 0;
    if (llvm::MulOverflow(std::max<int64_t>(extent - 1, 0), interior, total) ||
        llvm::AddOverflow(total, extent, total) ||
        llvm::AddOverflow(total, low, total) ||
        llvm::AddOverflow(total, high, total) || total < 0)
      return failure();
    shape.push_back(total);
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult PadOp::verify() {
  size_t rank = typeOf(getOperand()).getRank();
  if (getLow().size() != rank || getHigh().size() != rank ||
      getInterior().size() != rank)
    return emitOpError("needs ") << rank << " lows, highs and interiors";
  for (ArrayRef<int64_t> amounts : {getLow(), getHigh(), getInterior()})
    for (int64_t amount : amounts)
      if (amount < 0)
        return emitOpError("pads by ") << amount << ", which is negative";
  if (typeOf(getValue()).getRank() != 0)
    return emitOpError("pads with ")
           << getValue().getType() << ", expected a scalar";
  if (failed(expectElement(*this, getValue())))
    return failure();
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (adaptor.getOperands().empty())
    return failure();
  auto first = typeOf(adaptor.getOperands().front());
  int64_t dim = adaptor.getDim();
  if (dim < 0 || dim >= first.getRank())
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (Value operand : adaptor.getOperands())
    if (typeOf(operand).getRank() == first.getRank() &&
        llvm::AddOverflow(shape[dim], typeOf(operand).getDimSize(dim),
                          shape[dim]))
      return failure();
  types.push_back(first.clone(shape));
  return success();
}

LogicalResult ConcatOp::verify() {
  if (getOperands().empty())
    return emitOpError("has no operands");
  auto first = typeOf(getOperands().front());
  int64_t dim = getDim();
  if (dim < 0 || dim >= first.getRank())
    return emitOpError("dim ")
           << dim << " is out of range for rank " << first.getRank();
  for (Value operand : getOperands()) {
    SmallVector<int64_t> expected(first.getShape());
    auto type = typeOf(operand);
    if (type.getRank() == first.getRank())
      expected[dim] = type.getDimSize(dim);
    if (type.getShape() != ArrayRef<int64_t>(expected) ||
        type.getElementType() != first.getElementType())
      return emitOpError("joins ")
             << first << " and " << type << " along dim " << dim;
  }
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getOperands().size() == 1 ? getOperands().front() : OpFoldResult();
}

LogicalResult ReverseOp::verify() {
  llvm::SmallBitVector seen(getType().getRank());
  for (int64_t dim : getDims()) {
    if (dim < 0 || dim >= getType().getRank() || seen.test(dim))
      return emitOpError("dims [")
             << getDims() << "] are not distinct below rank "
             << getType().getRank();
    seen.set(dim);
  }
  return success();
}
