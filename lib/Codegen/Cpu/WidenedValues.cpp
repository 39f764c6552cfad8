// See WidenedValues.h.

#include "WidenedValues.h"

#include "Common/LaneMask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

Type WidenedValues::laneType(Type scalar) {
  return VectorType::get({widening.lanes},
                         isa<IndexType>(scalar) ? number : scalar);
}

Value WidenedValues::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value WidenedValues::numbers(function_ref<int64_t(int64_t)> of) {
  SmallVector<APInt> values;
  for (int64_t lane = 0; lane < widening.lanes; ++lane)
    values.push_back(APInt(number.getWidth(), uint64_t(of(lane)),
                           /*isSigned=*/true, /*implicitTrunc=*/true));
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<ShapedType>(laneType(number)), values));
}

Value WidenedValues::iota(int64_t step) {
  return numbers([&](int64_t lane) { return lane * step; });
}

Value WidenedValues::firstLanes(int64_t count) {
  return cpu::firstLanes(b, loc, count, widening.lanes);
}

Value WidenedValues::zeros(Type vector) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
}

Value WidenedValues::both(Value x, Value y) {
  return x && y ? arith::AndIOp::create(b, loc, x, y) : x ? x : y;
}

Value WidenedValues::splat(Value scalar) {
  if (isa<IndexType>(scalar.getType()))
    scalar = arith::IndexCastOp::create(b, loc, number, scalar);
  return vector::BroadcastOp::create(b, loc, laneType(scalar.getType()),
                                     scalar);
}

LaneValue WidenedValues::lanesOf(Value value) {
  auto found = known.find(value);
  return found != known.end() ? found->second : LaneValue{value, 0, {}, {}};
}

Value WidenedValues::uniform(Value value) {
  LaneValue lanes = lanesOf(value);
  assert(lanes.isUniform());
  return lanes.scalar;
}

Value WidenedValues::vectorOf(Value value) {
  LaneValue lanes = lanesOf(value);
  if (lanes.vector)
    return lanes.vector;
  Value result = splat(lanes.scalar);
  if (lanes.step != 0)
    result = arith::AddIOp::create(b, loc, result, numbers([&](int64_t lane) {
                                     return lane * lanes.step;
                                   }));
  if (lanes.inside)
    result = arith::SelectOp::create(b, loc, lanes.inside, result,
                                     zeros(result.getType()));
  return result;
}

} // namespace gensyn::cpu
