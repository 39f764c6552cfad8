// Vector-Jacobian products of reductions.

#include "../IR/WindowGroups.h"
#include "AlongDim.h"

using namespace mlir;
using namespace gensyn::repro;

/// The result's dimensions as dimensions of a row-form operand.
static SmallVector<int64_t> keptDims(ReduceOp op) {
  SmallVector<int64_t> kept;
  for (auto [dim, expr] : llvm::enumerate(op.getMap(0).getResults()))
    if (!op.getDomain().isReduced(cast<AffineDimExpr>(expr).getPosition()))
      kept.push_back(dim);
  return kept;
}

/// The type of a tensor with a value per (result index, point): shape of the
/// result, then the reduced extents. Only movement ops produce it, so fusion
/// never stores it.
static RankedTensorType pointType(ReduceOp op, Type element) {
  SmallVector<int64_t> shape(typeOf(op.getResult()).getShape());
  for (int64_t iterator : op.getDomain().getReduced())
    shape.push_back(op.getDomain().getExtents()[iterator]);
  return RankedTensorType::get(shape, element);
}

/// Sums the elements of `values` that `map` gives for an iteration point, at
/// the operand's element that the op reads at that point. Fails after an error.
static FailureOr<Value> sumAtOperand(ReduceOp op, OpBuilder &builder,
                                     Value values, const LinearMap &map,
                                     const IterationSpace &space) {
  IterationSpace own = space;
  own.maps = {map, space.maps[0]};
  own.shapes = {SmallVector<int64_t>(typeOf(values).getShape()),
                space.shapes[0]};
  if (failed(reshapeForResult(own)))
    return op.emitOpError("has no derivative: its window has no inverse form"),
           failure();
  auto type = typeOf(op.getOperand()).clone(typeOf(values).getElementType());
  return Value(ReduceOp::create(builder, op.getLoc(), type, ReduceKind::Sum,
                                values, own.getDomain(op.getContext()),
                                own.getMaps(op.getContext()), OrderAttr()));
}

/// Adds a tensor of `pointType` to the operand elements that its points read:
/// the result of a window sum with its two maps exchanged, in shape P.
static FailureOr<Value> scatterPoints(ReduceOp op, OpBuilder &builder,
                                      Value points) {
  auto space = *IterationSpace::get(op.getDomain(), op.getMaps(),
                                    op.getOperand(), op.getResult());
  LinearMap pointMap = space.maps.back();
  for (int64_t iterator : op.getDomain().getReduced()) {
    LinearExpr expr{SmallVector<int64_t>(space.extents.size(), 0), 0};
    expr.coefficients[iterator] = 1;
    pointMap.push_back(expr);
  }
  return sumAtOperand(op, builder, points, pointMap, space);
}

/// True if the op's windows are of shape P: it sums the taps that land on an
/// element, as in Col2Im.
static bool landsOnResult(ReduceOp op) {
  auto groups = findWindowGroups(*IterationSpace::get(
      op.getDomain(), op.getMaps(), op.getOperand(), op.getResult()));
  return succeeded(groups) &&
         llvm::any_of(*groups, [](const WindowGroup &group) {
           return group.shape == WindowGroup::P;
         });
}

/// The cotangent of a sum of shape P. An element of the operand lands on one of
/// the result, so a window sum can read the cotangent of the latter. (The
/// number of a point cannot be an index, since taps off the lattice are not
/// points.)
static FailureOr<Value> readWhereLanded(ReduceOp op, OpBuilder &builder,
                                        Value g) {
  auto space = *IterationSpace::get(op.getDomain(), op.getMaps(),
                                    op.getOperand(), op.getResult());
  LinearMap resultMap = space.maps.back();
  return sumAtOperand(op, builder, g, resultMap, space);
}

static Value broadcastToPoints(ReduceOp op, OpBuilder &builder, Value value) {
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(0, typeOf(op.getResult()).getRank()));
  return createBroadcast(builder, op.getLoc(), value,
                         pointType(op, typeOf(value).getElementType()), dims);
}

/// Row form: the cotangent of an extremum is shared evenly among the equal
/// elements (gradient_r2).
static Value shareAmongEqual(ReduceOp op, OpBuilder &builder, Value g) {
  Location location = op.getLoc();
  auto type = typeOf(op.getOperand());
  SmallVector<int64_t> kept = keptDims(op);
  Value extremum =
      createBroadcast(builder, location, op.getResult(), type, kept);
  Value equal =
      CompareOp::create(builder, location, type.clone(builder.getI1Type()),
                        CompareKind::Eq, op.getOperand(), extremum);
  Value zero = createFilled(builder, location, type, 0);
  Value ones = SelectOp::create(builder, location, equal,
                                createFilled(builder, location, type, 1), zero);
  SmallVector<int64_t> reduced;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(kept, dim))
      reduced.push_back(dim);
  Value count =
      createReduceDims(builder, location, ReduceKind::Sum, ones, reduced);
  Value share = DivOp::create(builder, location, g, count);
  return SelectOp::create(builder, location, equal,
                          createBroadcast(builder, location, share, type, kept),
                          zero);
}

/// Windows: the first winner gets the cotangent (gradient_r2). The select
/// stands between arg_reduce and the sum, so it is fused and never stored.
static FailureOr<Value> giveToFirst(ReduceOp op, OpBuilder &builder, Value g) {
  Location location = op.getLoc();
  auto kind = op.getKind() == ReduceKind::Max ? ArgKind::Max : ArgKind::Min;
  auto positions = typeOf(op.getResult()).clone(builder.getI32Type());
  Value winner =
      ArgReduceOp::create(builder, location, positions, kind, /*last=*/false,
                          op.getOperand(), op.getDomain(), op.getMaps());
  // The number of each point, row-major over the reduced iterators.
  auto numbers = pointType(op, builder.getI32Type());
  int64_t rank = positions.getRank(), points = op.getDomain().getNumPoints();
  Value flat =
      IotaOp::create(builder, location,
                     RankedTensorType::get({points}, builder.getI32Type()), 0);
  Value number = createReshape(builder, location, flat,
                               numbers.getShape().drop_front(rank));
  number = createBroadcast(
      builder, location, number, numbers,
      llvm::to_vector(llvm::seq<int64_t>(rank, numbers.getRank())));
  Value isWinner = CompareOp::create(
      builder, location, numbers.clone(builder.getI1Type()), CompareKind::Eq,
      broadcastToPoints(op, builder, winner), number);
  Value spread = broadcastToPoints(op, builder, g);
  Value zero = createFilled(builder, location, typeOf(spread), 0);
  Value share = SelectOp::create(builder, location, isWinner, spread, zero);
  return scatterPoints(op, builder, share);
}

/// Row form: for each factor the product of the factors before it and of those
/// after it, by two scans without division, so it is exact for factors of zero.
static Value productOfOthers(ReduceOp op, OpBuilder &builder, Value g) {
  Location location = op.getLoc();
  auto type = typeOf(op.getOperand());
  SmallVector<int64_t> kept = keptDims(op);
  // The reduced dimensions are adjacent (reduce_c2), so they are joined into
  // one.
  int64_t outer = 1, factors = 1, inner = 1, firstReduced = 0;
  while (llvm::is_contained(kept, firstReduced))
    ++firstReduced;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    const int64_t extent = type.getDimSize(static_cast<unsigned>(dim));
    if (!llvm::is_contained(kept, dim))
      factors *= extent;
    else
      (dim < firstReduced ? outer : inner) *= extent;
  }
  Value rows = createReshape(builder, location, op.getOperand(),
                             {outer, factors, inner});
  AlongDim along(builder, location, 1);
  Value others =
      along.mul(along.productBefore(rows),
                along.reverse(along.productBefore(along.reverse(rows))));
  others = createReshape(builder, location, others, type.getShape());
  Value spread = createBroadcast(builder, location, g, type, kept);
  return MulOp::create(builder, location, type, spread, others);
}

LogicalResult ReduceOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                 ArrayRef<bool> needed,
                                 MutableArrayRef<Value> gradients) {
  Value g = cotangents[0];
  switch (getKind()) {
  case ReduceKind::Sum: {
    if (isRowForm()) {
      gradients[0] = createBroadcast(builder, getLoc(), g, typeOf(getOperand()),
                                     keptDims(*this));
      return success();
    }
    auto gradient = landsOnResult(*this)
                        ? readWhereLanded(*this, builder, g)
                        : scatterPoints(*this, builder,
                                        broadcastToPoints(*this, builder, g));
    if (failed(gradient))
      return failure();
    gradients[0] = *gradient;
    return success();
  }
  case ReduceKind::Max:
  case ReduceKind::Min: {
    if (isRowForm()) {
      gradients[0] = shareAmongEqual(*this, builder, g);
      return success();
    }
    auto gradient = giveToFirst(*this, builder, g);
    if (failed(gradient))
      return failure();
    gradients[0] = *gradient;
    return success();
  }
  case ReduceKind::Product:
    if (!isRowForm())
      return emitOpError("has no derivative: a product of windows");
    gradients[0] =
        typeOf(getOperand()).getNumElements() == 0
            ? createFilled(builder, getLoc(), typeOf(getOperand()), 0)
            : productOfOthers(*this, builder, g);
    return success();
  case ReduceKind::And:
  case ReduceKind::Or:
    return success();
  }
  llvm_unreachable("all kinds are listed");
}

LogicalResult ArgReduceOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                    MutableArrayRef<Value>) {
  return success();
}
