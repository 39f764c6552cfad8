// See RowReduceOrder.h; lib/Numerics/Reduce.h defines the orders.

#include "RowReduceOrder.h"
#include "Common/LaneMask.h"
#include "Common/Rounding.h"

#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace gensyn::cpu {

bool isRowOrder(const Order &order) {
  if (order.kind() == Order::Kind::Lanes)
    return order.laneCount() >= 4;
  return order.kind() == Order::Kind::Blocked && isRowOrder(order.inner()) &&
         (order.outer().isSequential() || isRowOrder(order.outer()));
}

int64_t rowScratch(const Order &order, int64_t points) {
  if (order.kind() != Order::Kind::Blocked)
    return 0;
  int64_t blocks = ceilDiv(points, order.blockSize());
  return blocks + std::max(rowScratch(order.inner(), order.blockSize()),
                           rowScratch(order.outer(), blocks));
}

Value OrderedRow::combine(Value x, Value y) {
  emit::Scalar scalar(scalars, builder.getF32Type());
  switch (kind) {
  case repro::ReduceKind::Sum:
    return scalar.add(x, y);
  case repro::ReduceKind::Product:
    return scalar.mul(x, y);
  case repro::ReduceKind::Max:
    return scalar.max(x, y);
  default:
    return scalar.min(x, y);
  }
}

Value OrderedRow::identity(int64_t lanes) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  float value = kind == repro::ReduceKind::Sum       ? 0.0f
                : kind == repro::ReduceKind::Product ? 1.0f
                : kind == repro::ReduceKind::Max     ? -infinity
                                                     : infinity;
  TypedAttr attribute = builder.getF32FloatAttr(value);
  if (lanes)
    attribute = DenseElementsAttr::get(
        VectorType::get({lanes}, builder.getF32Type()), attribute);
  return arith::ConstantOp::create(builder, location, attribute);
}

Value OrderedRow::reduce(const Order &order, Value begin, int64_t count,
                         const Element &element, int64_t scratchUsed) {
  if (order.isSequential())
    return reduceSequence(begin, count);
  if (order.kind() == Order::Kind::Lanes)
    return reduceLanes(order.laneCount(), begin, count, element);
  // Results of the blocks are stored in scratch and reduced by the outer order.
  int64_t size = order.blockSize(), whole = count / size;
  int64_t blocks = ceilDiv(count, size), used = scratchUsed + blocks;
  Value slots = index(scratchUsed);
  auto store = [&](Value result, Value block) {
    memref::StoreOp::create(builder, location, result, scratch,
                            index.add(slots, block));
  };
  bool failed = false;
  auto loop =
      scf::ForOp::create(builder, location, index(0), index(whole), index(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Value start = index.add(begin, index.mul(loop.getInductionVar(), size));
    Value result = reduce(order.inner(), start, size, element, used);
    if (result)
      store(result, loop.getInductionVar());
    failed = !result;
  }
  if (!failed && count % size != 0) {
    Value result = reduce(order.inner(), index.add(begin, whole * size),
                          count % size, element, used);
    if (result)
      store(result, index(whole));
    failed = !result;
  }
  if (failed)
    return {};
  Element result = [&](Value position, int64_t lanes, int64_t active) -> Value {
    auto type = VectorType::get({lanes}, builder.getF32Type());
    if (active == lanes)
      return vector::LoadOp::create(builder, location, type, scratch, position);
    return vector::MaskedLoadOp::create(
        builder, location, type, scratch, position,
        firstLanes(builder, location, active, lanes), identity(lanes));
  };
  return reduce(order.outer(), slots, blocks, result, used);
}

// One accumulator: used for blocks' results only, so it reads scratch.
Value OrderedRow::reduceSequence(Value begin, int64_t count) {
  auto loop =
      scf::ForOp::create(builder, location, begin, index.add(begin, count),
                         index(1), ValueRange{identity(0)});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value result = memref::LoadOp::create(builder, location, scratch,
                                        loop.getInductionVar());
  Value next = combine(loop.getRegionIterArg(0), result);
  scf::YieldOp::create(builder, location, next);
  return loop.getResult(0);
}

// order_r2: lane l of the order is lane l mod V of vector l / V.
Value OrderedRow::reduceLanes(int64_t orderLanes, Value begin, int64_t count,
                              const Element &element) {
  int64_t lanes = std::min(vectorLanes, orderLanes);
  int64_t vectors = orderLanes / lanes;
  SmallVector<Value> sums(static_cast<size_t>(vectors), identity(lanes));
  int64_t whole = count / orderLanes * orderLanes, rest = count - whole;
  bool failed = false;
  if (whole > 0) {
    auto loop =
        scf::ForOp::create(builder, location, begin, index.add(begin, whole),
                           index(orderLanes), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next;
    for (int64_t v = 0; v < vectors && !failed; ++v) {
      Value x =
          element(index.add(loop.getInductionVar(), v * lanes), lanes, lanes);
      failed = !x;
      if (x)
        next.push_back(combine(loop.getRegionIterArg(v), x));
    }
    if (failed)
      return {};
    scf::YieldOp::create(builder, location, next);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (int64_t v = 0; v < vectors && v * lanes < rest; ++v) {
    int64_t active = std::min(lanes, rest - v * lanes);
    Value x = element(index.add(begin, whole + v * lanes), lanes, active);
    if (!x)
      return {};
    Value next = combine(sums[v], x);
    if (active < lanes) { // lanes without a point keep their value
      Value mask = firstLanes(builder, location, active, lanes);
      next = arith::SelectOp::create(builder, location, mask, next, sums[v]);
    }
    sums[v] = next;
  }
  for (int64_t half = vectors / 2; half >= 1; half /= 2)
    for (int64_t v = 0; v < half; ++v)
      sums[v] = combine(sums[v], sums[v + half]);
  Value sum = sums[0];
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < half; ++lane) {
      low.push_back(lane);
      high.push_back(lane + half);
    }
    Value x = vector::ShuffleOp::create(builder, location, sum, sum, low);
    Value y = vector::ShuffleOp::create(builder, location, sum, sum, high);
    sum = combine(x, y);
  }
  return vector::ExtractOp::create(builder, location, sum, int64_t{0});
}

} // namespace gensyn::cpu
