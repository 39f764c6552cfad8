// See LaneWalk.h.

#include "LaneWalk.h"

#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "gensyn/Dialect/Repro/IR/ReshapeGroups.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;

namespace gensyn::cpu {

LaneWalk::LaneWalk(repro::KernelOp kernel, int64_t width, int64_t joined)
    : width(width), joined(joined),
      hasFaults(!kernel.getFaultingOps().empty()) {
  for (BlockArgument argument : kernel.getBlock().getArguments())
    if (!argument.use_empty() &&
        llvm::all_of(argument.getUses(), [&](OpOperand &use) {
          auto gather = dyn_cast<repro::GatherOp>(use.getOwner());
          return gather && llvm::is_contained(gather.getIndices(), argument) &&
                 gather.getData() != argument;
        }))
      indexArguments.insert(argument);
}

bool LaneWalk::fits(Value value, bool isAligned) {
  return walk(value, {static_cast<int64_t>(repro::shapeOf(value).size()) - 1,
                      isAligned && joined == 1});
}

bool LaneWalk::walk(Value value, Lanes lanes) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return !indexArguments.contains(value);
  auto [found, isNew] = known.try_emplace(
      {value, 2 * lanes.dim + (lanes.isAligned ? 1 : 0)}, false);
  if (!isNew)
    return found->second;
  auto answer = [&] {
    if (isa<repro::ConstantOp>(op))
      return repro::isSplatConstant(op);
    if (auto iota = dyn_cast<repro::IotaOp>(op))
      return forAll(lanes, [&](size_t dim) { return dim != iota.getDim(); });
    if (auto broadcast = dyn_cast<repro::BroadcastOp>(op))
      return walkBroadcast(broadcast, lanes);
    if (auto transpose = dyn_cast<repro::TransposeOp>(op))
      return walkTranspose(transpose, lanes);
    if (auto slice = dyn_cast<repro::SliceOp>(op)) {
      if (joined == 1 && lanes.dim >= 0)
        lanes.isAligned &= slice.getStride()[size_t(lanes.dim)] == 1 &&
                           isWhole(slice.getStart()[size_t(lanes.dim)]);
      const bool isUntouched = forAll(lanes, [&](size_t dim) {
        return slice.getStride()[dim] == 1 &&
               repro::shapeOf(op->getResult(0))[dim] ==
                   repro::shapeOf(slice.getOperand())[dim];
      });
      return (joined == 1 || isUntouched) && walk(slice.getOperand(), lanes);
    }
    if (auto reverse = dyn_cast<repro::ReverseOp>(op)) {
      const bool isKept = forAll(lanes, [&](size_t dim) {
        return !llvm::is_contained(reverse.getDims(), int64_t(dim));
      });
      lanes.isAligned &= isKept;
      return (joined == 1 || isKept) && walk(reverse.getOperand(), lanes);
    }
    if (auto reshape = dyn_cast<repro::ReshapeOp>(op))
      return walkReshape(reshape, lanes);
    if (auto pad = dyn_cast<repro::PadOp>(op))
      return walkPad(pad, lanes);
    if (auto concat = dyn_cast<repro::ConcatOp>(op))
      return walkConcat(concat, lanes);
    if (auto gather = dyn_cast<repro::GatherOp>(op))
      return walkGather(gather, lanes);
    return op->hasTrait<OpTrait::Elementwise>() &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return walk(operand, lanes); });
  }();
  known[{value, 2 * lanes.dim + (lanes.isAligned ? 1 : 0)}] = answer;
  return answer;
}

// Lanes along dimensions of which the operand has only some would repeat its
// elements.
bool LaneWalk::walkBroadcast(repro::BroadcastOp op, Lanes lanes) {
  ArrayRef<int64_t> dims = op.getDims();
  auto placeOf = [&](int64_t dim) {
    const auto *place = llvm::find(dims, dim);
    return place == dims.end() ? int64_t{-1} : int64_t(place - dims.begin());
  };
  const int64_t last = placeOf(lanes.dim);
  for (int64_t dim : dimsOf(lanes)) {
    const int64_t place = placeOf(dim);
    if (last < 0 ? place >= 0 : place < 0 || last - place != lanes.dim - dim)
      return false;
  }
  return walk(op.getOperand(), {last, lanes.isAligned});
}

bool LaneWalk::walkTranspose(repro::TransposeOp op, Lanes lanes) {
  ArrayRef<int64_t> from = op.getPermutation();
  if (lanes.dim < 0)
    return walk(op.getOperand(), lanes);
  const int64_t last = from[size_t(lanes.dim)];
  if (!forAll(lanes, [&](size_t dim) {
        return from[dim] == last - (lanes.dim - int64_t(dim));
      }))
    return false;
  return walk(op.getOperand(), {last, lanes.isAligned});
}

// A dimension that is alone in its group on both sides is unchanged; else the
// lanes run along the innermost dimension of the group, and no vector may cross
// its end.
bool LaneWalk::walkReshape(repro::ReshapeOp op, Lanes lanes) {
  ArrayRef<int64_t> from = repro::shapeOf(op.getResult()),
                    to = repro::shapeOf(op.getOperand());
  if (llvm::is_contained(from, 0))
    return false;
  if (lanes.dim < 0)
    return walk(op.getOperand(), lanes);
  const auto dim = static_cast<size_t>(lanes.dim);
  SmallVector<repro::ReshapeGroup> groups =
      repro::getReshapeGroups(from, to, repro::UnitExtents::Group);
  // Joined dimensions stay as they are: groups of one dimension each, without
  // others between them in the operand.
  if (joined > 1) {
    std::optional<int64_t> shift;
    for (const repro::ReshapeGroup &group : groups)
      if (int64_t(group.from) <= lanes.dim &&
          int64_t(group.fromEnd) > lanes.dim + 1 - joined) {
        const int64_t moved = int64_t(group.to) - int64_t(group.from);
        if (!group.isSingle() || from[group.from] == 1 ||
            shift.value_or(moved) != moved)
          return false;
        shift = moved;
      }
    return shift && walk(op.getOperand(), {lanes.dim + *shift, false});
  }
  for (const repro::ReshapeGroup &group : groups) {
    if (dim < group.from || dim >= group.fromEnd)
      continue;
    if (from[dim] == 1 || group.to == group.toEnd)
      return false; // the model uses 0 for such an index
    if (group.isSingle())
      return walk(op.getOperand(), {int64_t(group.to), lanes.isAligned});
    auto isInnermost = [](ArrayRef<int64_t> shape, size_t at, size_t end) {
      return llvm::all_of(shape.slice(at + 1, end - at - 1),
                          [](int64_t extent) { return extent == 1; });
    };
    size_t inner = group.toEnd - 1;
    int64_t size = to[inner];
    for (size_t k = group.to; k < inner; ++k)
      size *= to[k];
    while (inner > group.to && to[inner] == 1)
      --inner;
    const bool staysAligned = lanes.isAligned &&
                              isInnermost(from, dim, group.fromEnd) &&
                              isWhole(from[dim]) && isWhole(to[inner]);
    // An only dimension of the operand is never divided.
    if (!staysAligned && to[inner] != size)
      return false;
    return walk(op.getOperand(), {int64_t(inner), staysAligned});
  }
  return false;
}

bool LaneWalk::walkPad(repro::PadOp op, Lanes lanes) {
  if (!walk(op.getValue(), {-1, false}))
    return false;
  const bool fits = forAll(lanes, [&](size_t dim) {
    const int64_t low = op.getLow()[dim], inside = op.getInterior()[dim],
                  extent = repro::shapeOf(op.getOperand())[dim];
    const bool isUntouched = low == 0 && op.getHigh()[dim] == 0 && inside == 0;
    return isUntouched ||
           (lanes.isAligned && inside == 0 && isWhole(low) && isWhole(extent));
  });
  return fits && walk(op.getOperand(), lanes);
}

// Vectors that lie in the result as a whole cross no border of two operands;
// the end of the last operand is the result's.
bool LaneWalk::walkConcat(repro::ConcatOp op, Lanes lanes) {
  const auto along = static_cast<size_t>(op.getDim());
  const bool isAlong = !forAll(lanes, [&](size_t dim) { return dim != along; });
  int64_t begin = 0;
  return llvm::all_of(op.getOperands(), [&](Value operand) {
    const int64_t extent = repro::shapeOf(operand)[along];
    if (isAlong && (!lanes.isAligned || !isWhole(begin) ||
                    (hasFaults && !isWhole(extent))))
      return false;
    begin += extent;
    return walk(operand, lanes);
  });
}

// If the indices are the same for all lanes, the lanes run along an iterator
// that is an unchanged index of the data.
bool LaneWalk::walkGather(repro::GatherOp op, Lanes lanes) {
  // The position of a fault is that of the first lane, and has to be the least.
  if (lanes.dim >= 0 && (joined > 1 || (op.mayFault() && !lanes.isAligned)))
    return false;
  ArrayRef<int64_t> extents = repro::shapeOf(op.getResult());
  for (auto [number, index] : llvm::enumerate(op.getIndices())) {
    if (!indexArguments.contains(index))
      return false;
    AffineMap map =
        cast<AffineMapAttr>(op.getMaps()[unsigned(number) + 1]).getValue();
    for (AffineExpr expr : map.getResults())
      if (cast<AffineDimExpr>(expr).getPosition() == lanes.dim)
        return false;
  }
  auto linear =
      repro::readIndexMap(cast<AffineMapAttr>(op.getMaps()[0]).getValue());
  if (failed(linear) || llvm::is_contained(repro::shapeOf(op.getData()), 0))
    return false;
  Lanes inside = {-1, lanes.isAligned};
  for (auto [dim, expr] : llvm::enumerate(*linear)) {
    if (lanes.dim < 0 || expr.coefficients[size_t(lanes.dim)] == 0)
      continue;
    if (inside.dim >= 0 || expr.asIterator() != unsigned(lanes.dim) ||
        !expr.isInside(extents, repro::shapeOf(op.getData())[dim]))
      return false;
    inside.dim = static_cast<int64_t>(dim);
  }
  return walk(op.getData(), inside);
}

Value WalkEmitter::load(Value tensor, Value buffer, ArrayRef<Value> indices) {
  // NOLINTNEXTLINE(bugprone-parent-virtual-call)
  return walk.getIndexArguments().contains(tensor)
             ? KernelEmitter::load(tensor, buffer, indices)
             : LaneEmitter::load(tensor, buffer, indices);
}

} // namespace gensyn::cpu
