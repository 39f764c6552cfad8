// Vector-Jacobian products of the movement ops: each is the inverse movement.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn::repro;

#define VJP(Op)                                                                \
  LogicalResult Op::buildVjp(OpBuilder &builder, ValueRange cotangents,        \
                             ArrayRef<bool> needed,                            \
                             MutableArrayRef<Value> gradients)

VJP(ConstantOp) { return success(); }
VJP(IotaOp) { return success(); }

VJP(ReshapeOp) {
  gradients[0] = createReshape(builder, getLoc(), cotangents[0],
                               typeOf(getOperand()).getShape());
  return success();
}

VJP(TransposeOp) {
  SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [k, dim] : llvm::enumerate(getPermutation()))
    inverse[dim] = k;
  gradients[0] = TransposeOp::create(builder, getLoc(), getOperand().getType(),
                                     cotangents[0], inverse);
  return success();
}

VJP(BroadcastOp) {
  SmallVector<int64_t> repeated;
  for (int64_t dim = 0; dim < getType().getRank(); ++dim)
    if (!llvm::is_contained(getDims(), dim))
      repeated.push_back(dim);
  gradients[0] = createReduceDims(builder, getLoc(), ReduceKind::Sum,
                                  cotangents[0], repeated);
  return success();
}

/// A scalar zero of a tensor's element type.
static Value zeroScalar(OpBuilder &builder, Location location,
                        RankedTensorType type) {
  return createFilled(builder, location,
                      RankedTensorType::get({}, type.getElementType()), 0);
}

VJP(SliceOp) {
  auto type = typeOf(getOperand());
  SmallVector<int64_t> low, high, interior;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t taken = getType().getDimSize(dim), stride = getStride()[dim];
    int64_t reach = taken ? (taken - 1) * stride + 1 : 0;
    low.push_back(getStart()[dim]);
    interior.push_back(stride - 1);
    high.push_back(type.getDimSize(dim) - getStart()[dim] - reach);
  }
  gradients[0] =
      PadOp::create(builder, getLoc(), type, cotangents[0],
                    zeroScalar(builder, getLoc(), type), low, high, interior);
  return success();
}

VJP(PadOp) {
  auto type = typeOf(getOperand());
  SmallVector<int64_t> limit, stride;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t step = getInterior()[dim] + 1, extent = type.getDimSize(dim);
    stride.push_back(step);
    limit.push_back(getLow()[dim] + (extent ? (extent - 1) * step + 1 : 0));
  }
  Value inside = SliceOp::create(builder, getLoc(), type, cotangents[0],
                                 getLow(), limit, stride);
  gradients[0] = inside;
  if (!needed[1])
    return success();
  // The cotangent of the padding value: the sum over elements outside of the
  // operand.
  auto whole = getType();
  Value zero = zeroScalar(builder, getLoc(), whole);
  Value mask = PadOp::create(
      builder, getLoc(), whole, createFilled(builder, getLoc(), type, 0),
      createFilled(builder, getLoc(),
                   RankedTensorType::get({}, type.getElementType()), 1),
      getLow(), getHigh(), getInterior());
  Value zeros = createBroadcast(builder, getLoc(), zero, whole, {});
  Value isOutside =
      CompareOp::create(builder, getLoc(), whole.clone(builder.getI1Type()),
                        CompareKind::Ne, mask, zeros);
  Value outside =
      SelectOp::create(builder, getLoc(), isOutside, cotangents[0], zeros);
  gradients[1] =
      createReduceDims(builder, getLoc(), ReduceKind::Sum, outside,
                       llvm::to_vector(llvm::seq<int64_t>(0, whole.getRank())));
  return success();
}

VJP(ConcatOp) {
  int64_t position = 0, dim = getDim();
  for (auto [i, operand] : llvm::enumerate(getOperands())) {
    auto type = typeOf(operand);
    SmallVector<int64_t> start(type.getRank(), 0), stride(type.getRank(), 1);
    SmallVector<int64_t> limit(type.getShape());
    start[dim] = position;
    position += type.getDimSize(dim);
    limit[dim] = position;
    if (needed[i])
      gradients[i] = SliceOp::create(builder, getLoc(), type, cotangents[0],
                                     start, limit, stride);
  }
  return success();
}

VJP(ReverseOp) {
  gradients[0] = ReverseOp::create(builder, getLoc(), cotangents[0], getDims());
  return success();
}
