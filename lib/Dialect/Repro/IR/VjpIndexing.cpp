// Vector-Jacobian products of gather and scatter: each the other's.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
/// Builds gathers and scatters with the maps, indices and bounds of an op.
template <class Op> class SameMaps {
public:
  SameMaps(Op op, OpBuilder &builder) : op(op), builder(builder) {}

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
  Value filled(Value like, Type element, double value) {
    return createFilled(builder, op.getLoc(), typeOf(like).clone(element),
                        value);
  }
  Value filled(Value like, double value) {
    return createFilled(builder, op.getLoc(), typeOf(like), value);
  }
  Value compare(CompareKind kind, Value a, Value b) {
    return CompareOp::create(builder, op.getLoc(),
                             typeOf(a).clone(builder.getI1Type()), kind, a, b);
  }
  Value select(Value predicate, Value a, Value b) {
    return SelectOp::create(builder, op.getLoc(), predicate, a, b);
  }
  Value convert(Value value, Type element) {
    auto type = typeOf(value).clone(element);
    return value.getType() == type
               ? value
               : ConvertOp::create(builder, op.getLoc(), type, value);
  }

private:
  Op op;
  OpBuilder &builder;
};
} // namespace

LogicalResult GatherOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                 ArrayRef<bool> needed,
                                 MutableArrayRef<Value> gradients) {
  if (!needed[0] || !cotangents[0])
    return success();
  SameMaps same(*this, builder);
  Type element = typeOf(getData()).getElementType();
  // What is only stored is added in f32.
  Type sum =
      isStorageOnly(*getElementType(element)) ? builder.getF32Type() : element;
  Value zeros = same.filled(getData(), sum, 0);
  gradients[0] = same.convert(
      same.scatter(ScatterKind::Add, zeros, same.convert(cotangents[0], sum)),
      element);
  return success();
}

/// set: each element's cotangent goes to the update that stayed, or to the base
/// where there was none.
static void giveToWinner(ScatterOp op, OpBuilder &builder, Value g,
                         ArrayRef<bool> needed,
                         MutableArrayRef<Value> gradients) {
  SameMaps same(op, builder);
  Location location = op.getLoc();
  Type i64 = builder.getI64Type();
  auto updates = typeOf(op.getUpdates());
  Value numbers = createReshape(
      builder, location,
      IotaOp::create(builder, location,
                     RankedTensorType::get({updates.getNumElements()}, i64), 0),
      updates.getShape());
  Value none = same.filled(op.getBase(), i64, -1);
  Value winner = same.scatter(ScatterKind::Set, none, numbers);
  if (needed[0])
    gradients[0] = same.select(same.compare(CompareKind::Eq, winner, none), g,
                               same.filled(g, 0));
  if (needed[1]) {
    Value here = same.gather(winner, updates.getShape());
    Value share = same.gather(g, updates.getShape());
    gradients[1] = same.select(same.compare(CompareKind::Eq, here, numbers),
                               share, same.filled(share, 0));
  }
}

/// min, max: shared evenly among the base's element and the updates that equal
/// the extremum.
static void shareExtremum(ScatterOp op, OpBuilder &builder, Value g,
                          ArrayRef<bool> needed,
                          MutableArrayRef<Value> gradients) {
  SameMaps same(op, builder);
  ArrayRef<int64_t> points = typeOf(op.getUpdates()).getShape();
  Value zeros = same.filled(g, 0), none = same.filled(op.getUpdates(), 0);
  Value inBase = same.compare(CompareKind::Eq, op.getBase(), op.getResult());
  Value inUpdates = same.compare(CompareKind::Eq, op.getUpdates(),
                                 same.gather(op.getResult(), points));
  Value count = same.scatter(
      ScatterKind::Add, same.select(inBase, same.filled(g, 1), zeros),
      same.select(inUpdates, same.filled(op.getUpdates(), 1), none));
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
