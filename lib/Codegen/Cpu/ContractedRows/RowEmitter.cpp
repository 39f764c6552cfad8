// See RowEmitter.h.

#include "RowEmitter.h"

#include "../LaneEmitter.h"
#include "../RowReduceOrder.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

using repro::Placement;

/// Emits numbers of the row.
class RowEmitter::Scalars : public codegen::KernelEmitter {
public:
  explicit Scalars(RowEmitter &owner)
      : KernelEmitter(owner.b, owner.loc), owner(owner) {
    for (auto [argument, buffer] : llvm::zip_equal(
             owner.kernel.getBlock().getArguments(), owner.function.inputs))
      bind(argument, buffer);
  }

  Value element(Value tensor, ArrayRef<Value> indices) override {
    if (Value known = owner.rowValues.lookup(tensor))
      return known;
    return KernelEmitter::element(tensor, indices);
  }

private:
  RowEmitter &owner;
};

/// Emits a vector of columns of the row. Kept values are loaded, or stored
/// after everything else: another value may be in the slot until then.
class RowEmitter::Lanes : public LaneEmitter {
public:
  Lanes(RowEmitter &owner, int64_t step, int64_t width, Value position,
        int64_t active)
      : LaneEmitter(owner.b, owner.loc, width, position, active), owner(owner),
        step(step), width(width), position(position) {
    for (auto [argument, buffer] : llvm::zip_equal(
             owner.kernel.getBlock().getArguments(), owner.function.inputs))
      bind(argument, buffer);
  }

  Value element(Value tensor, ArrayRef<Value> indices) override {
    if (Value known = vectors.lookup(tensor))
      return known;
    if (owner.form.placementOf(tensor) == Placement::Row)
      if (Value known = owner.rowValues.lookup(tensor))
        return vectors[tensor] = splat(known);
    if (auto iota = tensor.getDefiningOp<repro::IotaOp>())
      if (indices[size_t(iota.getDim())] == position)
        return count(iota);
    std::optional<unsigned> slot = owner.steps.getSlot(tensor);
    if (!slot)
      return LaneEmitter::element(tensor, indices);
    if (owner.steps.getWriter(tensor) < step)
      return vectors[tensor] = load(tensor, owner.memory.slots,
                                    owner.slotAt(*slot, position));
    Value value = LaneEmitter::element(tensor, indices);
    if (value)
      written.emplace_back(*slot, value);
    return vectors[tensor] = value;
  }

  void storeKept() {
    for (auto [slot, value] : written)
      storeLanes(value, owner.memory.slots, owner.slotAt(slot, position));
  }

private:
  /// The numbers of the vector's columns.
  Value count(repro::IotaOp iota) {
    auto type = cast<IntegerType>(iota.getType().getElementType());
    Type signless = builder.getIntegerType(type.getWidth());
    SmallVector<APInt> numbers;
    for (int64_t lane = 0; lane < width; ++lane)
      numbers.emplace_back(type.getWidth(), uint64_t(lane), false, true);
    auto vectorType = VectorType::get({width}, signless);
    Value offsets = arith::ConstantOp::create(
        builder, location, DenseElementsAttr::get(vectorType, numbers));
    auto first =
        arith::IndexCastOp::create(builder, location, signless, position);
    markAccess(first);
    return arith::AddIOp::create(builder, location, splat(first), offsets);
  }

  RowEmitter &owner;
  int64_t step, width;
  Value position;
  llvm::DenseMap<Value, Value> vectors;
  SmallVector<std::pair<unsigned, Value>> written;
};

Value RowEmitter::slotAt(unsigned slot, Value position) {
  Value base = index.mul(inTile, memory.slotStride);
  return index.add(index.add(base, position), slot * memory.slotSize);
}

SmallVector<Value> RowEmitter::rowIndices(Value value) {
  return index.delinearize(row, repro::shapeOf(value));
}

LogicalResult RowEmitter::emit(Value rowOfSpace, Value rowOfTile) {
  row = rowOfSpace;
  inTile = rowOfTile;
  rowValues.clear();
  Scalars scalars(*this);
  for (BlockArgument argument : kernel.getBlock().getArguments())
    if (form.placementOf(argument) == Placement::Row)
      rowValues[argument] = scalars.element(argument, rowIndices(argument));
  unsigned phase = 0;
  defineRowValues(scalars, phase);
  for (auto [number, step] : llvm::enumerate(steps.getSteps())) {
    // A root that an earlier loop has computed needs no loop.
    if (!step.reduce && steps.getWriter(step.root) != int64_t(number))
      continue;
    for (; phase < form.phaseOf(step.root);)
      defineRowValues(scalars, ++phase);
    if (failed(emitStep(step, int64_t(number), scalars)))
      return failure();
  }
  while (phase < form.numPhases())
    defineRowValues(scalars, ++phase);
  for (auto [yielded, output] :
       llvm::zip_equal(kernel.getYielded(), function.outputs))
    if (form.placementOf(yielded) == Placement::Row)
      scalars.store(rowValues.at(yielded), output, rowIndices(yielded));
  return success();
}

/// Computes the numbers of the row that depend on so many reductions.
void RowEmitter::defineRowValues(Scalars &scalars, unsigned phase) {
  for (Operation &op : kernel.getBlock().without_terminator()) {
    Value value = op.getResult(0);
    if (isa<repro::ReduceOp, repro::ContractOp>(op) ||
        form.placementOf(value) != Placement::Row ||
        form.phaseOf(value) != phase)
      continue;
    rowValues[value] =
        scalars.canonical(scalars.element(value, rowIndices(value)));
  }
}

Value RowEmitter::emitVector(Value root, int64_t step, Value position,
                             int64_t width, int64_t active) {
  // The position stands for the last index; no other value may use it.
  Value own = arith::AddIOp::create(b, loc, position, index(0));
  Lanes emitter(*this, step, width, own, active);
  SmallVector<Value> indices =
      index.delinearize(row, repro::shapeOf(root).drop_back());
  indices.push_back(own);
  Value value = emitter.element(root, indices);
  if (value)
    emitter.storeKept();
  addressesOnly &= emitter.usedForAddressesOnly(*b.getInsertionBlock());
  return value;
}

LogicalResult RowEmitter::emitStep(const RowStep &step, int64_t number,
                                   Scalars &scalars) {
  bool isEmitted = true;
  auto vector = [&](Value position, int64_t width, int64_t active) {
    Value value = emitVector(step.root, number, position, width, active);
    isEmitted &= bool(value);
    return value;
  };
  if (repro::ReduceOp reduce = step.reduce) {
    using Kind = repro::ReduceKind;
    const bool isOrdered =
        reduce.getKind() == Kind::Sum || reduce.getKind() == Kind::Product;
    OrderedRow ordered(scalars, reduce.getKind(), lanes, memory.blocks);
    Value value = ordered.reduce(isOrdered ? reduce.getOrder()->getOrder()
                                           : Order::lanes(32),
                                 index(0), form.columns, vector);
    if (value)
      rowValues[reduce.getResult()] =
          scalars.canonical(scalars.markComputed(value));
  } else {
    const int64_t whole = form.columns / lanes * lanes;
    auto loop =
        scf::ForOp::create(b, loc, index(0), index(whole), index(lanes));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(loop.getBody()->getTerminator());
      vector(loop.getInductionVar(), lanes, lanes);
    }
    if (whole < form.columns)
      vector(index(whole), lanes, form.columns - whole);
  }
  if (!isEmitted)
    return failure();
  if (!addressesOnly)
    return kernel.emitOpError("is not the same for all lanes");
  return success();
}

} // namespace gensyn::cpu
