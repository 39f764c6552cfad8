// See LaneEmitter.h.

#include "LaneEmitter.h"

#include "Common/LaneMask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace gensyn::cpu {

Value LaneEmitter::splat(Value scalar) {
  return vector::BroadcastOp::create(
      builder, location, VectorType::get({lanes}, scalar.getType()), scalar);
}

std::optional<int64_t> LaneEmitter::step(Value index, Value base) {
  if (index == base)
    return 1;
  const bool isOfLanes = base == first;
  Operation *op = index.getDefiningOp();
  // Loads have their lanes already.
  if (!op || (isOfLanes && accesses.contains(op)))
    return 0;
  if (!isOfLanes && op->getNumRegions() != 0)
    return std::nullopt;
  if (auto found = steps.find({index, base}); found != steps.end())
    return found->second;
  std::optional<int64_t> result = 0;
  SmallVector<std::optional<int64_t>> parts;
  const bool proved = isOfLanes && isWhole;
  bool moves = false;
  for (Value operand : op->getOperands()) {
    parts.push_back(step(operand, base));
    moves = moves || parts.back() != 0;
  }
  APInt factor;
  if (moves) {
    result = std::nullopt;
    if (parts.size() == 2 && parts[0] && parts[1]) {
      if (isa<arith::AddIOp>(op))
        result = *parts[0] + *parts[1];
      else if (isa<arith::SubIOp>(op))
        result = *parts[0] - *parts[1];
      else if (isa<arith::MulIOp>(op) &&
               matchPattern(op->getOperand(1), m_ConstantInt(&factor)))
        result = *parts[0] * factor.getSExtValue();
      else if (proved && parts[1] == 0 && isa<arith::DivUIOp>(op))
        result = 0;
      else if (proved && parts[1] == 0 && isa<arith::RemUIOp>(op))
        result = *parts[0];
    }
    if (proved && isa<arith::CmpIOp>(op))
      result = 0;
    // The other operand is the first element, whose lanes are in bounds.
    if (proved && isa<arith::SelectOp>(op) && parts[0] == 0)
      result = parts[1];
  }
  return steps[{index, base}] = result;
}

SmallVector<Value> LaneEmitter::moved(ArrayRef<Value> indices,
                                      ArrayRef<int64_t> distances,
                                      int64_t lane) {
  SmallVector<Value> at(indices);
  for (auto [index, distance] : llvm::zip_equal(at, distances))
    if (distance != 0 && lane != 0)
      index = arith::AddIOp::create(
          builder, location, index,
          arith::ConstantIndexOp::create(builder, location, lane * distance));
  return at;
}

// One load per lane.
Value LaneEmitter::loadStrided(VectorType type, Value buffer,
                               ArrayRef<Value> indices,
                               ArrayRef<int64_t> distances) {
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    if (lane >= active) {
      elements.push_back(elements.front());
      continue;
    }
    auto scalar = memref::LoadOp::create(builder, location, buffer,
                                         moved(indices, distances, lane));
    accesses.insert(scalar);
    elements.push_back(scalar);
  }
  return vector::FromElementsOp::create(builder, location, type, elements);
}

Value LaneEmitter::load(Value tensor, Value buffer, ArrayRef<Value> indices) {
  auto type = cast<MemRefType>(buffer.getType());
  auto vectorType = VectorType::get({lanes}, type.getElementType());
  bool moves = false, linear = true;
  int64_t last = 0;
  SmallVector<int64_t> distances;
  for (Value index : indices) {
    std::optional<int64_t> part = step(index);
    linear = linear && part;
    distances.push_back(part.value_or(0));
    moves = moves || part != 0;
    last = part.value_or(0);
  }
  if (!linear) {
    emitError(location) << "lanes read a tensor at indices that are not linear";
    return {};
  }
  Value value;
  bool contiguous =
      moves && last == 1 &&
      llvm::all_of(ArrayRef(distances).drop_back(),
                   [](int64_t distance) { return distance == 0; });
  if (!moves) {
    auto scalar = memref::LoadOp::create(builder, location, buffer, indices);
    accesses.insert(scalar);
    value = splat(scalar);
  } else if (contiguous && active < lanes) {
    Value zero = arith::ConstantOp::create(builder, location,
                                           builder.getZeroAttr(vectorType));
    auto loaded = vector::MaskedLoadOp::create(
        builder, location, vectorType, buffer, indices,
        firstLanes(builder, location, active, lanes), zero);
    accesses.insert(loaded);
    value = loaded;
  } else if (contiguous) {
    auto loaded =
        vector::LoadOp::create(builder, location, vectorType, buffer, indices);
    accesses.insert(loaded);
    value = loaded;
  } else {
    value = loadStrided(vectorType, buffer, indices, distances);
  }
  if (!cast<ShapedType>(tensor.getType()).getElementType().isInteger(1))
    return value;
  return arith::TruncIOp::create(
      builder, location, VectorType::get({lanes}, builder.getI1Type()), value);
}

void LaneEmitter::storeLanes(Value value, Value buffer,
                             ArrayRef<Value> indices) {
  value = canonical(value);
  if (getElementTypeOrSelf(value.getType()).isInteger(1))
    value = arith::ExtUIOp::create(
        builder, location, VectorType::get({lanes}, builder.getI8Type()),
        value);
  // Behind the active lanes are elements of other vectors.
  if (active < lanes)
    accesses.insert(vector::MaskedStoreOp::create(
        builder, location, buffer, indices,
        firstLanes(builder, location, active, lanes), value));
  else
    accesses.insert(
        vector::StoreOp::create(builder, location, value, buffer, indices));
}

bool LaneEmitter::usedForAddressesOnly(Block &block) {
  bool only = true;
  block.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<IndexType>(operand.getType()) && step(operand) != 0)
        only = only && (accesses.contains(op) ||
                        (op->getNumResults() == 1 && step(op->getResult(0))));
  });
  return only;
}

} // namespace gensyn::cpu
