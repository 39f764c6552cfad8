// See LaneEmitter.h.

#include "LaneEmitter.h"

#include "Common/LaneMask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace gensyn::cpu {

namespace {

unsigned rankOf(Value tensor) {
  return static_cast<unsigned>(
      cast<RankedTensorType>(tensor.getType()).getRank());
}

/// Returns the number of trailing dimensions of the result that a broadcast
/// either keeps from the end of its operand or adds.
unsigned collapsibleBy(repro::BroadcastOp op) {
  ArrayRef<int64_t> dims = op.getDims();
  unsigned rank = rankOf(op.getResult()), taken = 0, added = 0;
  while (taken < dims.size() && dims[dims.size() - 1 - taken] ==
                                    static_cast<int64_t>(rank - 1 - taken))
    ++taken;
  if (taken > 0)
    return taken;
  while (added < rank &&
         !llvm::is_contained(dims, static_cast<int64_t>(rank - 1 - added)))
    ++added;
  return added;
}

/// Returns the number of trailing dimensions that a permutation does not move;
/// if it moves the last one, lanes still run along one dimension of the
/// operand.
unsigned collapsibleBy(repro::TransposeOp op) {
  ArrayRef<int64_t> from = op.getPermutation();
  unsigned rank = from.size(), kept = 0;
  while (kept < rank &&
         from[rank - 1 - kept] == static_cast<int64_t>(rank - 1 - kept))
    ++kept;
  return std::max(kept, 1u);
}

/// Returns the number of trailing dimensions that both shapes of a reshape
/// have. An extent of 1 ends them: the model uses 0 for its index.
unsigned collapsibleBy(repro::ReshapeOp op) {
  ArrayRef<int64_t> to = cast<ShapedType>(op.getResult().getType()).getShape();
  ArrayRef<int64_t> from =
      cast<ShapedType>(op.getOperand().getType()).getShape();
  unsigned same = 0;
  while (same < std::min(to.size(), from.size()) &&
         to[to.size() - 1 - same] != 1 &&
         to[to.size() - 1 - same] == from[from.size() - 1 - same])
    ++same;
  return same;
}

constexpr unsigned unlimited = 64;

/// Returns the number of trailing dimensions that lanes traverse together
/// through the op, whatever its operands are; std::nullopt for an op that does
/// not support lanes.
std::optional<unsigned> collapsibleBy(Operation *op) {
  if (op->hasTrait<OpTrait::Elementwise>())
    return unlimited;
  return llvm::TypeSwitch<Operation *, std::optional<unsigned>>(op)
      .Case([](repro::ConstantOp) { return unlimited; })
      .Case<repro::BroadcastOp, repro::TransposeOp, repro::ReshapeOp>(
          [](auto movement) { return collapsibleBy(movement); })
      .Default(std::nullopt);
}

class Collapsible {
public:
  /// For a value whose last dimension has the lanes.
  unsigned of(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || isa<repro::ConstantOp>(op))
      return unlimited;
    auto last = static_cast<int64_t>(rankOf(value)) - 1;
    if (op->hasTrait<OpTrait::Elementwise>())
      return ofOperands(op);
    if (auto broadcast = dyn_cast<repro::BroadcastOp>(op)) {
      // If it adds the last dimension, all lanes have the same element.
      unsigned below = llvm::is_contained(broadcast.getDims(), last)
                           ? of(broadcast.getOperand())
                       : isPlain(broadcast.getOperand()) ? unlimited
                                                         : 0;
      return std::min(collapsibleBy(broadcast), below);
    }
    if (auto transpose = dyn_cast<repro::TransposeOp>(op)) {
      if (transpose.getPermutation().back() == last)
        return std::min(collapsibleBy(transpose), of(transpose.getOperand()));
      // Lanes run along another dimension, with a stride.
      return isa<BlockArgument>(transpose.getOperand()) ? 1 : 0;
    }
    if (auto reshape = dyn_cast<repro::ReshapeOp>(op))
      return std::min(collapsibleBy(reshape), of(reshape.getOperand()));
    return 0;
  }

private:
  /// True if all ops that compute the value support lanes, at indices that are
  /// uniform across lanes.
  static bool isPlain(Value value) {
    Operation *op = value.getDefiningOp();
    return !op ||
           (collapsibleBy(op) && llvm::all_of(op->getOperands(), isPlain));
  }

  unsigned ofOperands(Operation *op) {
    if (auto found = known.find(op); found != known.end())
      return found->second;
    unsigned least = unlimited;
    for (Value operand : op->getOperands())
      least = std::min(least, of(operand));
    return known[op] = least;
  }

  llvm::DenseMap<Operation *, unsigned> known;
};

} // namespace

unsigned collapsibleDims(Value value) {
  return std::min(Collapsible().of(value), rankOf(value));
}

Value LaneEmitter::splat(Value scalar) {
  return vector::BroadcastOp::create(
      builder, location, VectorType::get({lanes}, scalar.getType()), scalar);
}

std::optional<int64_t> LaneEmitter::step(Value index) {
  if (index == first)
    return 1;
  Operation *op = index.getDefiningOp();
  if (!op || accesses.contains(op)) // loads have their lanes already
    return 0;
  if (auto found = steps.find(index); found != steps.end())
    return found->second;
  std::optional<int64_t> result = 0;
  SmallVector<std::optional<int64_t>> parts;
  bool moves = false;
  for (Value operand : op->getOperands()) {
    parts.push_back(step(operand));
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
      else if (isWhole && parts[1] == 0 && isa<arith::DivUIOp>(op))
        result = 0;
      else if (isWhole && parts[1] == 0 && isa<arith::RemUIOp>(op))
        result = *parts[0];
    }
    if (isWhole && isa<arith::CmpIOp>(op))
      result = 0;
    // The other operand is the first element, whose lanes are in bounds.
    if (isWhole && isa<arith::SelectOp>(op) && parts[0] == 0)
      result = parts[1];
  }
  return steps[index] = result;
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
    // With a stride: one load per lane.
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      if (lane >= active) {
        elements.push_back(elements.front());
        continue;
      }
      SmallVector<Value> at;
      for (auto [index, distance] : llvm::zip_equal(indices, distances)) {
        Value moved = index;
        if (distance != 0 && lane != 0)
          moved =
              arith::AddIOp::create(builder, location, index,
                                    arith::ConstantIndexOp::create(
                                        builder, location, lane * distance));
        at.push_back(moved);
      }
      auto scalar = memref::LoadOp::create(builder, location, buffer, at);
      accesses.insert(scalar);
      elements.push_back(scalar);
    }
    value =
        vector::FromElementsOp::create(builder, location, vectorType, elements);
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
                        (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
                         step(op->getResult(0))));
  });
  return only;
}

} // namespace gensyn::cpu
