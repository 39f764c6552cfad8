// See ContractEpilogue.h.

#include "ContractEpilogue.h"

#include "../Common/PointerEmitter.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Emits elements at a position of the contraction's result: `lanes` adjacent
/// ones along its last dimension.
class ResultElements final : public PointerEmitter {
public:
  ResultElements(KernelBuilder &k, const codegen::IndexBuilder &offsets,
                 repro::KernelOp kernel, const repro::KernelForm &form,
                 const Target &target, const KernelFunction &function,
                 Value accumulator, Value position, int64_t lanes)
      : PointerEmitter(k.b, kernel, function, target), offsets(offsets),
        form(form), position(position), lanes(lanes) {
    Type element = getElementTypeOrSelf(accumulator.getType());
    repro::ContractOp contraction = form.contraction;
    Type result = codegen::getScalarType(
        getElementTypeOrSelf(contraction.getResult().getType()));
    if (isa<FloatType>(element)) {
      sum = markComputed(k.join(accumulator, splat(k.zero(element))));
    } else {
      // Narrow integers are summed in a wider type.
      sum = accumulator;
      if (element != result)
        sum = arith::TruncIOp::create(
            builder, location,
            lanes == 1 ? result : VectorType::get({lanes}, result), sum);
    }
  }

  Value splat(Value scalar) override {
    if (lanes == 1)
      return scalar;
    return vector::BroadcastOp::create(
        builder, location, VectorType::get({lanes}, scalar.getType()), scalar);
  }

  Value element(Value tensor, ArrayRef<Value> indices) override {
    repro::ContractOp contraction = form.contraction;
    if (tensor == contraction.getResult())
      return sum;
    return PointerEmitter::element(tensor, indices);
  }

  /// Returns the indices of the position in a tensor of as many elements.
  SmallVector<Value> indicesIn(ArrayRef<int64_t> shape) {
    SmallVector<Value> indices(shape.size());
    Value rest = position;
    for (size_t dim = shape.size(); dim-- > 0;) {
      indices[dim] =
          offsets.toIndex(dim == 0 ? rest : offsets.rem(rest, shape[dim]));
      if (dim > 0)
        rest = offsets.div(rest, shape[dim]);
    }
    resultIndices = indices;
    resultShape = shape;
    return indices;
  }

protected:
  Value load(Value tensor, Value buffer, ArrayRef<Value> indices) override {
    Type type = cast<ShapedType>(tensor.getType()).getElementType();
    Value number;
    switch (form.placementOf(tensor)) {
    case repro::Placement::Full:
      return loadAt(type, buffer, offsets.toIndex(position), lanes);
    case repro::Placement::Column:
      number = offsets.rem(position, form.columns);
      return loadAt(type, buffer, offsets.toIndex(number), lanes);
    case repro::Placement::Row:
      number = offsets.div(position, form.columns);
      break;
    case repro::Placement::Uniform:
      number = offsets.constant(0);
      break;
    case repro::Placement::Free:
      // For example if it is also an operand of the contraction.
      if (ArrayRef<Value>(resultIndices) == indices &&
          cast<ShapedType>(tensor.getType()).getShape() == resultShape)
        return loadAt(type, buffer, offsets.toIndex(position), lanes);
      return splat(PointerEmitter::load(tensor, buffer, indices));
    }
    return splat(loadAt(type, buffer, offsets.toIndex(number)));
  }

private:
  const codegen::IndexBuilder &offsets;
  const repro::KernelForm &form;
  Value position, sum;
  SmallVector<Value> resultIndices;
  ArrayRef<int64_t> resultShape;
  int64_t lanes;
};

/// True if `value` reads an argument of free placement other than at the index
/// of the result, so that adjacent results read one element. `isResultIndex` is
/// true if `value` itself is read at the index of the result. `seen` holds the
/// values that were already examined.
bool readsElsewhere(Value value, bool isResultIndex,
                    const repro::KernelForm &form,
                    DenseSet<std::pair<Value, unsigned>> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return !isResultIndex && form.placementOf(value) == repro::Placement::Free;
  if (isa<repro::ContractOp>(op) || !seen.insert({value, isResultIndex}).second)
    return false;
  if (auto broadcast = dyn_cast<repro::BroadcastOp>(op))
    // isAlike checks operands of free placement.
    return form.placementOf(broadcast.getOperand()) != repro::Placement::Free &&
           readsElsewhere(broadcast.getOperand(), false, form, seen);
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return readsElsewhere(operand, isResultIndex && !isa<repro::ReshapeOp>(op),
                          form, seen);
  });
}

/// True if all adjacent elements along the last dimension are computed by the
/// same function of the operands' elements.
bool isAlike(Operation &op, const repro::KernelForm &form) {
  if (isa<repro::ContractOp, repro::ReshapeOp>(op) ||
      repro::isSplatConstant(&op) || op.hasTrait<OpTrait::Elementwise>())
    return true;
  auto broadcast = dyn_cast<repro::BroadcastOp>(op);
  if (!broadcast)
    return false;
  if (form.placementOf(broadcast.getOperand()) != repro::Placement::Free)
    return true;
  // Adjacent results read one element if the last dimension is broadcast.
  ArrayRef<int64_t> shape = cast<ShapedType>(broadcast.getType()).getShape();
  return form.placementOf(broadcast.getResult()) == repro::Placement::Full &&
         !shape.empty() && shape.back() == form.columns &&
         !llvm::is_contained(broadcast.getDims(),
                             static_cast<int64_t>(shape.size()) - 1);
}

} // namespace

int64_t ContractEpilogue::chooseLanes(const ContractSide &b) {
  const int64_t lanes = b.group();
  if ((lanes != 2 && lanes != 4) || form.columns % lanes != 0 ||
      sizes.elementBytes != 4)
    return 1;
  int64_t run = 1;
  size_t outer = view.columns.size();
  while (outer > 0 && view.columns[outer - 1].c == run)
    run *= view.columns[--outer].extent;
  int64_t all = view.cOffset | run;
  for (const GemmAxis &axis : ArrayRef(view.columns).take_front(outer))
    all |= axis.c;
  for (const GemmAxes *axes : {&view.batch, &view.rows})
    for (const GemmAxis &axis : *axes)
      all |= axis.c;
  if (all % lanes != 0 || !view.cChecks.empty())
    return 1;
  for (Operation &op : kernel.getBlock().without_terminator())
    if (!isAlike(op, form))
      return 1;
  DenseSet<std::pair<Value, unsigned>> seen;
  for (Value yielded : kernel.getYielded())
    if (readsElsewhere(yielded, true, form, seen))
      return 1;
  return lanes;
}

ContractEpilogue::Position
ContractEpilogue::locate(const GemmAxes &axes, Value number, int64_t extent) {
  Position result;
  const int64_t all = codegen::product(axes);
  if (all % extent != 0)
    result.valid = k.less(number, all);
  KernelBuilder::Values values = decodeAxes(k, axes, number);
  result.offset = walkAxes(offsets, axes, values,
                           [](const GemmAxis &axis) { return axis.c; });
  for (size_t d = 0; d < view.cChecks.size(); ++d)
    result.checks.push_back(
        walkAxes(k, axes, values,
                 [&](const GemmAxis &axis) { return axis.cChecks[d]; }));
  return result;
}

LogicalResult ContractEpilogue::store(Value accumulator, Value position,
                                      int64_t lanes) {
  ResultElements elements(k, offsets, kernel, form, target, function,
                          accumulator, position, lanes);
  for (auto [yielded, output] :
       llvm::zip_equal(kernel.getYielded(), function.outputs)) {
    auto shape = cast<ShapedType>(yielded.getType()).getShape();
    Value value = elements.element(yielded, elements.indicesIn(shape));
    if (!value)
      return failure();
    elements.storeAt(value, output, offsets.toIndex(position));
  }
  return success();
}

void ContractEpilogue::placeBatch(const ContractEmitter &place) {
  batch.offset =
      offsets.add(walkAxes(offsets, view.batch, place.batch,
                           [](const GemmAxis &axis) { return axis.c; }),
                  view.cOffset);
  for (size_t d = 0; d < view.cChecks.size(); ++d)
    batch.checks.push_back(
        k.add(walkAxes(k, view.batch, place.batch,
                       [&](const GemmAxis &axis) { return axis.cChecks[d]; }),
              view.cChecks[d].offset));
}

LogicalResult ContractEpilogue::storeAt(const Position &row,
                                        const Position &column,
                                        Value accumulator, int64_t lanes) {
  Value valid = k.both(row.valid, column.valid);
  for (size_t d = 0; d < view.cChecks.size(); ++d) {
    Value index =
        k.add(k.add(row.checks[d], column.checks[d]), batch.checks[d]);
    valid = k.both(valid, k.less(index, view.cChecks[d].extent));
  }
  bool failed = false;
  k.when(valid, [&] {
    Value position =
        offsets.add(offsets.add(row.offset, batch.offset), column.offset);
    failed = llvm::failed(store(accumulator, position, lanes));
  });
  return failure(failed);
}

/// True if the epilogue of an element is too long to be emitted once for each.
static bool isRolled(repro::KernelOp kernel) {
  int64_t cost = 0;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    const repro::ElementCost element = repro::getElementCost(&op);
    if (element == repro::ElementCost::Single)
      ++cost;
    else if (element != repro::ElementCost::Free && !isa<repro::ContractOp>(op))
      cost += 20;
  }
  return cost > 12;
}

int64_t ContractEpilogue::sharedBytes(repro::KernelOp kernel,
                                      const ContractSizes &sizes) {
  // At least one vector per thread; usually the tiles of points are larger.
  return isRolled(kernel)
             ? std::max<int64_t>(sizes.sharedBytes(), sizes.threads() * 16)
             : 0;
}

LogicalResult
ContractEpilogue::emitRolled(const ContractEmitter::Values &accumulators,
                             const ContractEmitter &place, ContractSide &a,
                             ContractSide &b, int64_t lanes) {
  const auto all = static_cast<int64_t>(accumulators.size()) / lanes;
  const int64_t perRow = sizes.tn / lanes, threads = sizes.threads();
  const int64_t unit = lanes * sizes.elementBytes;
  const int64_t most = sharedBytes(kernel, sizes) / (threads * unit);
  Value own = k.at(function.shared, k.mul(k.thread(threads), unit));
  // Other threads may still read the last tile of points.
  k.barrier();
  bool failed = false;
  for (int64_t first = 0; first < all; first += most) {
    const int64_t count = std::min(most, all - first);
    for (int64_t i = 0; i < count; ++i)
      k.store(k.pack(ArrayRef(accumulators).slice((first + i) * lanes, lanes)),
              k.at(own, i * threads * unit));
    k.loop(k.constant(count), {},
           [&](Value i, ValueRange) -> KernelBuilder::Values {
             Value vector = k.load(a.getSumType(),
                                   k.at(own, k.mul(i, threads * unit)), lanes);
             Value number = k.add(i, first);
             Value inRow = k.mul(k.rem(number, perRow), lanes);
             Position row =
                 locate(view.rows,
                        k.add(place.firstRow, a.rowOf(k.div(number, perRow))),
                        sizes.bm);
             Position column =
                 locate(view.columns, k.add(place.firstColumn, b.rowOf(inRow)),
                        sizes.bn);
             failed |= llvm::failed(storeAt(row, column, vector, lanes));
             return {};
           });
  }
  return failure(failed);
}

LogicalResult
ContractEpilogue::emit(const ContractEmitter::Values &accumulators,
                       const ContractEmitter &place, ContractSide &a,
                       ContractSide &b) {
  const int64_t lanes = chooseLanes(b);
  placeBatch(place);
  if (isRolled(kernel))
    return emitRolled(accumulators, place, a, b, lanes);
  SmallVector<Position> columns;
  for (int64_t j = 0; j < sizes.tn; j += lanes)
    columns.push_back(
        locate(view.columns, k.add(place.firstColumn, b.rowOf(j)), sizes.bn));
  for (int64_t i = 0; i < sizes.tm; ++i) {
    Position row =
        locate(view.rows, k.add(place.firstRow, a.rowOf(i)), sizes.bm);
    for (auto [number, column] : llvm::enumerate(columns)) {
      Value value = k.pack(
          ArrayRef(accumulators).slice(i * sizes.tn + number * lanes, lanes));
      if (failed(storeAt(row, column, value, lanes)))
        return failure();
    }
  }
  return success();
}

LogicalResult ContractEpilogue::emitVector(const ContractEmitter::Values &sums,
                                           const ContractEmitter &place,
                                           ContractSide &a, ContractSide &b) {
  const int64_t lanes =
      std::min(chooseLanes(b), static_cast<int64_t>(sums.size()));
  placeBatch(place);
  for (size_t i = 0; i < sums.size(); i += lanes) {
    Value number = k.add(place.firstSum, static_cast<int64_t>(i));
    Position row = locate(
        view.rows, k.add(place.firstRow, a.rowOf(k.div(number, sizes.tn))),
        sizes.bm);
    Position column = locate(
        view.columns,
        k.add(place.firstColumn, b.rowOf(k.rem(number, sizes.tn))), sizes.bn);
    Value value = k.pack(ArrayRef(sums).slice(i, lanes));
    if (failed(storeAt(row, column, value, lanes)))
      return failure();
  }
  return success();
}

} // namespace gensyn::gpu
