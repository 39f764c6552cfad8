// Vector-Jacobian products of gather and scatter: each is the other's.

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Repro/IR/IndexMap.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
/// Builds gathers and scatters with the maps, indices and bounds of an op.
template <class Op> class SameMaps : public FormulaBuilder {
public:
  SameMaps(Op op, OpBuilder &builder)
      : FormulaBuilder(builder, op.getLoc()), op(op) {}

  /// Elements of `data`, a tensor as the maps' target, for each point.
  Value gather(Value data, ArrayRef<int64_t> points) {
    return GatherOp::create(builder, op.getLoc(), typeOf(data).clone(points),
                            data, op.getIndices(), op.getMaps(),
                            op.getBounds());
  }
  Value scatter(ScatterKind kind, Value base, Value updates) {
    return ScatterOp::create(builder, op.getLoc(), base.getType(), kind, base,
                             updates, op.getIndices(), op.getMaps(),
                             op.getBounds());
  }

private:
  Op op;
};
} // namespace

LogicalResult GatherOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                 ArrayRef<bool> needed,
                                 MutableArrayRef<Value> gradients) {
  if (!needed[0] || !cotangents[0])
    return success();
  SameMaps same(*this, builder);
  Type element = typeOf(getData()).getElementType();
  // Storage-only types are added in f32.
  Type sum =
      isStorageOnly(*getElementType(element)) ? builder.getF32Type() : element;
  Value zeros = same.fill(getData(), sum, 0);
  gradients[0] = same.convert(
      same.scatter(ScatterKind::Add, zeros, same.convert(cotangents[0], sum)),
      element);
  return success();
}

/// set: the cotangent of an element goes to the update that was written last,
/// or to the base if there was none.
static void giveToWinner(ScatterOp op, OpBuilder &builder, Value g,
                         ArrayRef<bool> needed,
                         MutableArrayRef<Value> gradients) {
  SameMaps same(op, builder);
  if (hasDistinctTargets(op)) {
    // Every update in range has won. The work is that of the updates alone, so
    // a loop that writes a slice in each iteration has a linear derivative.
    // Reading comes first, so that g may then be written in place.
    if (needed[1])
      gradients[1] = same.gather(g, typeOf(op.getUpdates()).getShape());
    if (needed[0])
      gradients[0] =
          same.scatter(ScatterKind::Set, g, same.fill(op.getUpdates(), 0));
    return;
  }
  Location location = op.getLoc();
  Type i64 = builder.getI64Type();
  auto updates = typeOf(op.getUpdates());
  Value numbers = createReshape(
      builder, location,
      IotaOp::create(builder, location,
                     RankedTensorType::get({updates.getNumElements()}, i64), 0),
      updates.getShape());
  Value none = same.fill(op.getBase(), i64, -1);
  Value winner = same.scatter(ScatterKind::Set, none, numbers);
  if (needed[0])
    gradients[0] = same.select(same.compare(CompareKind::Eq, winner, none), g,
                               same.fill(g, 0));
  if (needed[1]) {
    Value here = same.gather(winner, updates.getShape());
    Value share = same.gather(g, updates.getShape());
    gradients[1] = same.select(same.compare(CompareKind::Eq, here, numbers),
                               share, same.fill(share, 0));
  }
}

/// min, max: shared evenly among the base's element and the updates that equal
/// the extremum.
static void shareExtremum(ScatterOp op, OpBuilder &builder, Value g,
                          ArrayRef<bool> needed,
                          MutableArrayRef<Value> gradients) {
  SameMaps same(op, builder);
  ArrayRef<int64_t> points = typeOf(op.getUpdates()).getShape();
  Value zeros = same.fill(g, 0), none = same.fill(op.getUpdates(), 0);
  Value inBase = same.compare(CompareKind::Eq, op.getBase(), op.getResult());
  Value inUpdates = same.compare(CompareKind::Eq, op.getUpdates(),
                                 same.gather(op.getResult(), points));
  Value count = same.scatter(
      ScatterKind::Add, same.select(inBase, same.fill(g, 1), zeros),
      same.select(inUpdates, same.fill(op.getUpdates(), 1), none));
  Value share = DivOp::create(builder, op.getLoc(), g, count);
  if (needed[0])
    gradients[0] = same.select(inBase, share, zeros);
  if (needed[1])
    gradients[1] = same.select(inUpdates, same.gather(share, points), none);
}

LogicalResult ScatterOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                  ArrayRef<bool> needed,
                                  MutableArrayRef<Value> gradients) {
  Value g = cotangents[0];
  if (!g || (!needed[0] && !needed[1]))
    return success();
  switch (getKind()) {
  case ScatterKind::Set:
    giveToWinner(*this, builder, g, needed, gradients);
    return success();
  case ScatterKind::Add:
    gradients[0] = g;
    if (needed[1])
      gradients[1] =
          SameMaps(*this, builder).gather(g, typeOf(getUpdates()).getShape());
    return success();
  case ScatterKind::Min:
  case ScatterKind::Max:
    shareExtremum(*this, builder, g, needed, gradients);
    return success();
  case ScatterKind::Mul:
    break;
  }
  return emitOpError("of kind mul has no derivative");
}
