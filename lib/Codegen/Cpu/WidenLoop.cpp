// See WidenLoop.h.

#include "WidenLoop.h"

#include "WidenedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Emits the operations of the body for the lanes.
class Widener : WidenedMemory {
public:
  Widener(scf::ForOp loop, const Widening &widening, Divergence &divergence)
      : WidenedMemory(loop, widening, divergence), loop(loop),
        divergence(divergence) {}

  void run() {
    const int64_t lanes = widening.lanes;
    Value begin = loop.getLowerBound(), end = loop.getUpperBound();
    if (widening.active < lanes) { // all iterations are one vector
      set(loop.getInductionVar(), {begin, 1, {}, {}});
      mask = activeLanes = firstLanes(widening.active);
      emit(*loop.getBody());
      loop.erase();
      return;
    }
    Value step = index(lanes),
          count = arith::SubIOp::create(b, loc, end, begin);
    Value rest = arith::RemUIOp::create(b, loc, count, step);
    Value whole = arith::SubIOp::create(b, loc, end, rest);
    auto vectors = scf::ForOp::create(b, loc, begin,
                                      widening.mayRepeat ? end : whole, step);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(vectors.getBody()->getTerminator());
      Value first = vectors.getInductionVar();
      if (widening.mayRepeat)
        first = arith::MinSIOp::create(
            b, loc, first, arith::SubIOp::create(b, loc, end, step));
      set(loop.getInductionVar(), {first, 1, {}, {}});
      emit(*loop.getBody());
    }
    if (widening.mayRepeat)
      loop.erase();
    else
      loop.setLowerBound(whole);
  }

private:
  // Operations.

  void emit(Block &block) {
    for (Operation &op : block.without_terminator())
      emit(op);
  }

  void emit(Operation &op) {
    if (auto inner = dyn_cast<scf::ForOp>(op))
      return emitLoop(inner);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return divergence.contains(branch.getCondition()) ? emitMasked(branch)
                                                        : emitBranch(branch);
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return this->store(store);
    if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
      return this->update(update);
    if (!divergence.hasAny(op.getOperands())) {
      IRMapping mapping;
      for (Value operand : op.getOperands())
        mapping.map(operand, uniform(operand));
      Operation *copy = b.clone(op, mapping);
      for (auto [from, to] :
           llvm::zip_equal(op.getResults(), copy->getResults()))
        set(from, {to, 0, {}, {}});
      return;
    }
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return setVector(load, this->load(load));
    if (!emitLinear(op))
      emitElementwise(op);
  }

  /// Emits index arithmetic that is linear in the lane. False for any other.
  bool emitLinear(Operation &op) {
    if (op.getNumResults() != 1 || !isa<IndexType>(op.getResult(0).getType()))
      return false;
    Value result = op.getResult(0);
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      LaneValue yes = lanesOf(select.getTrueValue());
      if (!yes.isLinear() || !matchPattern(select.getFalseValue(), m_Zero()))
        return false;
      if (divergence.contains(select.getCondition())) {
        yes.inside = vectorOf(select.getCondition());
        set(result, yes);
        return true;
      }
      return false;
    }
    if (op.getNumOperands() != 2)
      return false;
    LaneValue x = lanesOf(op.getOperand(0)), y = lanesOf(op.getOperand(1));
    if (!x.isLinear() || !y.isLinear())
      return false;
    int64_t step;
    APInt factor;
    if (isa<arith::AddIOp>(op))
      step = x.step + y.step;
    else if (isa<arith::SubIOp>(op))
      step = x.step - y.step;
    else if (isa<arith::MulIOp>(op) && y.step == 0 &&
             matchPattern(y.scalar, m_ConstantInt(&factor)))
      step = x.step * factor.getSExtValue();
    else
      return false;
    Operation *copy = b.clone(op);
    copy->setOperands({x.scalar, y.scalar});
    set(result, {copy->getResult(0), step, {}, {}});
    return true;
  }

  void emitElementwise(Operation &op) {
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
      return setVector(op.getResult(0),
                       castIndex(op.getOperand(0), op.getResult(0).getType(),
                                 isa<arith::IndexCastOp>(op)));
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(vectorOf(operand));
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.push_back(laneType(type));
    Operation *wide = Operation::create(
        loc, op.getName(), types, operands, op.getDiscardableAttrDictionary(),
        op.getPropertiesStorage(), BlockRange(), 0);
    b.insert(wide);
    for (auto [from, to] : llvm::zip_equal(op.getResults(), wide->getResults()))
      setVector(from, to);
  }

  Value castIndex(Value value, Type to, bool isSigned) {
    Value from = vectorOf(value);
    Type type = laneType(to);
    const unsigned before = getElementTypeOrSelf(from.getType())
                                .getIntOrFloatBitWidth(),
                   after = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (before == after)
      return from;
    if (before > after)
      return arith::TruncIOp::create(b, loc, type, from);
    if (isSigned)
      return arith::ExtSIOp::create(b, loc, type, from);
    return arith::ExtUIOp::create(b, loc, type, from);
  }

  // Control flow.

  /// Returns the value as results of control flow have it.
  Value carried(Value value, Value like) {
    return divergence.contains(like) ? vectorOf(value) : uniform(value);
  }
  Type carriedType(Value value) {
    return divergence.contains(value) ? laneType(value.getType())
                                      : value.getType();
  }
  void define(Value value, Value carriedValue) {
    if (divergence.contains(value))
      setVector(value, carriedValue);
    else
      set(value, {carriedValue, 0, {}, {}});
  }

  void emitLoop(scf::ForOp inner) {
    SmallVector<Value> initial;
    for (auto [value, argument] :
         llvm::zip_equal(inner.getInitArgs(), inner.getRegionIterArgs()))
      initial.push_back(carried(value, argument));
    auto copy = scf::ForOp::create(b, loc, uniform(inner.getLowerBound()),
                                   uniform(inner.getUpperBound()),
                                   uniform(inner.getStep()), initial);
    {
      OpBuilder::InsertionGuard guard(b);
      Block *body = copy.getBody();
      if (initial.empty())
        b.setInsertionPoint(body->getTerminator());
      else
        b.setInsertionPointToEnd(body);
      define(inner.getInductionVar(), copy.getInductionVar());
      for (auto [from, to] :
           llvm::zip_equal(inner.getRegionIterArgs(), copy.getRegionIterArgs()))
        define(from, to);
      emit(*inner.getBody());
      if (!initial.empty())
        yield(inner.getYieldedValues(), inner.getResults());
    }
    for (auto [from, to] :
         llvm::zip_equal(inner.getResults(), copy.getResults()))
      define(from, to);
  }

  void yield(ValueRange values, ValueRange results) {
    SmallVector<Value> yielded;
    for (auto [value, result] : llvm::zip_equal(values, results))
      yielded.push_back(carried(value, result));
    scf::YieldOp::create(b, loc, yielded);
  }

  SmallVector<Type> carriedTypes(ValueRange values) {
    SmallVector<Type> types;
    for (Value value : values)
      types.push_back(carriedType(value));
    return types;
  }

  void emitBranch(scf::IfOp branch) {
    auto copy = scf::IfOp::create(b, loc, carriedTypes(branch.getResults()),
                                  uniform(branch.getCondition()), true,
                                  branch.elseBlock() != nullptr);
    OpBuilder::InsertionGuard guard(b);
    fill(copy.thenBlock(), branch.thenBlock(), branch.getResults());
    if (branch.elseBlock())
      fill(copy.elseBlock(), branch.elseBlock(), branch.getResults());
    for (auto [from, to] :
         llvm::zip_equal(branch.getResults(), copy.getResults()))
      define(from, to);
  }
  void fill(Block *block, Block *from, ValueRange results) {
    b.setInsertionPointToEnd(block);
    emit(*from);
    yield(from->getTerminator()->getOperands(), results);
  }

  /// Executes each side for the lanes that take it, if there are any.
  void emitMasked(scf::IfOp branch) {
    Value condition = vectorOf(branch.getCondition());
    ValueRange results = branch.getResults();
    SmallVector<Value> yes = executeFor(condition, branch.thenBlock(), results);
    if (!branch.elseBlock())
      return;
    Value rest =
        arith::XOrIOp::create(b, loc, condition, firstLanes(widening.lanes));
    SmallVector<Value> no = executeFor(rest, branch.elseBlock(), results);
    for (auto [result, x, y] : llvm::zip_equal(results, yes, no))
      setVector(result, arith::SelectOp::create(b, loc, condition, x, y));
  }

  /// Returns the vectors that the block yields, zeros if no lane takes it.
  SmallVector<Value> executeFor(Value lanes, Block *block, ValueRange results) {
    Value outer = mask;
    mask = both(lanes, mask);
    Value any =
        vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, mask);
    SmallVector<Type> types = carriedTypes(results);
    auto taken = scf::IfOp::create(b, loc, types, any, true, true);
    {
      OpBuilder::InsertionGuard guard(b);
      fill(taken.thenBlock(), block, results);
      b.setInsertionPointToEnd(taken.elseBlock());
      SmallVector<Value> nothing;
      for (Type type : types)
        nothing.push_back(zeros(type));
      scf::YieldOp::create(b, loc, nothing);
    }
    mask = outer;
    return SmallVector<Value>(taken.getResults());
  }

  scf::ForOp loop;
  Divergence &divergence;
};

} // namespace

LogicalResult widenLoop(scf::ForOp loop, const Widening &widening) {
  Divergence divergence(loop);
  if (loop.getNumResults() != 0 || !divergence.canWiden())
    return failure();
  Widener(loop, widening, divergence).run();
  return success();
}

} // namespace gensyn::cpu
