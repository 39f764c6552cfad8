// See WidenLoop.h. A value of the body is kept as one scalar while it is
// uniform, and an index as its first lane while it is linear in the lane, so
// that accesses to adjacent elements are recognized.

#include "WidenLoop.h"
#include "Common/LaneMask.h"
#include "Common/StridedVectors.h"

#include "Divergence.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// What the lanes of a value are. Exactly one of the comments holds.
struct Lanes {
  Value scalar;     ///< of all lanes; or of lane 0 if `step` is not 0
  int64_t step = 0; ///< from lane to lane
  Value inside;     ///< if set, lanes outside of this mask are 0
  Value vector;     ///< if set, one element for each lane
  bool isUniform() const { return !vector && !inside && step == 0; }
  bool isLinear() const { return !vector && !inside; }
};

class Widener {
public:
  Widener(scf::ForOp loop, const Widening &widening, Divergence &divergence)
      : loop(loop), widening(widening), divergence(divergence), b(loop),
        loc(loop.getLoc()),
        number(b.getIntegerType(divergence.getIndexWidth())),
        pointer(LLVM::LLVMPointerType::get(loop.getContext())) {}

  void run() {
    const int64_t lanes = widening.lanes;
    Value begin = loop.getLowerBound(), end = loop.getUpperBound();
    if (widening.active < lanes) { // all iterations are one vector
      known[loop.getInductionVar()] = {begin, 1, {}, {}};
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
      known[loop.getInductionVar()] = {first, 1, {}, {}};
      emit(*loop.getBody());
    }
    if (widening.mayRepeat)
      loop.erase();
    else
      loop.setLowerBound(whole);
  }

private:
  // Types and constants.

  Type laneType(Type scalar) {
    return VectorType::get({widening.lanes},
                           isa<IndexType>(scalar) ? number : scalar);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value numbers(function_ref<int64_t(int64_t)> of) {
    SmallVector<APInt> values;
    for (int64_t lane = 0; lane < widening.lanes; ++lane)
      values.push_back(APInt(number.getWidth(), uint64_t(of(lane)),
                             /*isSigned=*/true, /*implicitTrunc=*/true));
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(cast<ShapedType>(laneType(number)), values));
  }
  Value firstLanes(int64_t count) {
    return cpu::firstLanes(b, loc, count, widening.lanes);
  }
  Value zeros(Type vector) {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
  }
  Value both(Value x, Value y) {
    return x && y ? arith::AndIOp::create(b, loc, x, y) : x ? x : y;
  }
  Value splat(Value scalar) {
    if (isa<IndexType>(scalar.getType()))
      scalar = arith::IndexCastOp::create(b, loc, number, scalar);
    return vector::BroadcastOp::create(b, loc, laneType(scalar.getType()),
                                       scalar);
  }

  // Values.

  Lanes lanesOf(Value value) {
    auto found = known.find(value);
    return found != known.end() ? found->second : Lanes{value, 0, {}, {}};
  }
  Value uniform(Value value) {
    Lanes lanes = lanesOf(value);
    assert(lanes.isUniform());
    return lanes.scalar;
  }
  Value vectorOf(Value value) {
    Lanes lanes = lanesOf(value);
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
  void setVector(Value value, Value vector) {
    known[value] = {{}, 0, {}, vector};
  }

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
      return emitStore(store);
    if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
      return emitUpdate(update);
    if (!divergence.hasAny(op.getOperands())) {
      IRMapping mapping;
      for (Value operand : op.getOperands())
        mapping.map(operand, uniform(operand));
      Operation *copy = b.clone(op, mapping);
      for (auto [from, to] :
           llvm::zip_equal(op.getResults(), copy->getResults()))
        known[from] = {to, 0, {}, {}};
      return;
    }
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return setVector(load, emitLoad(load));
    if (!emitLinear(op))
      emitElementwise(op);
  }

  /// Emits index arithmetic that is linear in the lane. False for any other.
  bool emitLinear(Operation &op) {
    if (op.getNumResults() != 1 || !isa<IndexType>(op.getResult(0).getType()))
      return false;
    Value result = op.getResult(0);
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      Lanes yes = lanesOf(select.getTrueValue());
      if (!yes.isLinear() || !matchPattern(select.getFalseValue(), m_Zero()))
        return false;
      if (divergence.contains(select.getCondition())) {
        yes.inside = vectorOf(select.getCondition());
        known[result] = yes;
        return true;
      }
      return false;
    }
    if (op.getNumOperands() != 2)
      return false;
    Lanes x = lanesOf(op.getOperand(0)), y = lanesOf(op.getOperand(1));
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
    known[result] = {copy->getResult(0), step, {}, {}};
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

  // Memory.

  struct Address {
    Value pointer;    ///< of the buffer, or of the first lane
    Value offsets;    ///< of each lane, in elements; null: `step` apart
    int64_t step = 1; ///< from 1 to kMostStride
    Value inside;     ///< lanes outside of it have their element at `fallback`
    Value fallback;
    Value row; ///< with `inside`: first lane's index among `extent` elements
    int64_t extent = 0;
    unsigned bytes;
  };

  Value elementAt(Value base, Type element, Value offset) {
    Type type = pointer;
    if (auto many = dyn_cast<VectorType>(offset.getType()))
      type = VectorType::get(many.getShape(), pointer);
    return LLVM::GEPOp::create(b, loc, type, element, base,
                               ArrayRef<LLVM::GEPArg>{offset});
  }

  /// `mayClamp`: the lanes outside of a mask may be returned apart.
  Address addressOf(Value buffer, ValueRange indices, bool mayClamp) {
    auto type = cast<MemRefType>(buffer.getType());
    Type element = type.getElementType();
    Address result;
    result.bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    base = LLVM::IntToPtrOp::create(b, loc, pointer, toI64(base));
    // The scalar part, and what lanes add to it.
    Value sum = index(0), varying, inside, outside;
    int64_t step = 0, stride = 1;
    bool isClamped = false;
    for (size_t d = indices.size(); d-- > 0;) {
      Lanes lanes = lanesOf(indices[d]);
      if (mayClamp && lanes.inside && !isClamped && !varying && step == 0 &&
          (lanes.step == 1 || canMask(result)) && lanes.step >= 1 &&
          lanes.step <= kMostStride && stride == 1) {
        isClamped = true;
        inside = lanes.inside;
        outside = sum;
        sum = add(sum, lanes.scalar, stride);
        step = lanes.step;
        result.row = lanes.scalar;
        result.extent = type.getDimSize(d);
      } else if (lanes.isLinear() && !(isClamped && lanes.step != 0)) {
        sum = add(sum, lanes.scalar, stride);
        if (isClamped)
          outside = add(outside, lanes.scalar, stride);
        step += lanes.step * stride;
      } else {
        Value part =
            arith::MulIOp::create(b, loc, vectorOf(indices[d]),
                                  numbers([&](int64_t) { return stride; }));
        varying = varying ? arith::AddIOp::create(b, loc, varying, part) : part;
      }
      stride *= type.getDimSize(d);
    }
    Value first = elementAt(base, element, toI64(sum));
    if (!varying && step >= 1 && step <= kMostStride) {
      result.pointer = first;
      result.step = step;
      if (isClamped) {
        result.inside = inside;
        result.fallback = elementAt(base, element, toI64(outside));
      }
      return result;
    }
    // A clamped part has to be a vector after all.
    result.pointer = base;
    Value offsets;
    if (isClamped) {
      offsets = arith::SelectOp::create(
          b, loc, inside, arith::AddIOp::create(b, loc, splat(sum), iota(step)),
          splat(outside));
    } else {
      result.pointer = first;
      offsets = iota(step);
    }
    if (varying)
      offsets = arith::AddIOp::create(b, loc, offsets, varying);
    result.offsets = offsets;
    return result;
  }

  Value iota(int64_t step) {
    return numbers([&](int64_t lane) { return lane * step; });
  }
  Value add(Value sum, Value part, int64_t stride) {
    return b.createOrFold<arith::AddIOp>(
        loc, sum, b.createOrFold<arith::MulIOp>(loc, part, index(stride)));
  }
  Value toI64(Value x) {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), x);
  }

  Value allLanes() { return mask ? mask : firstLanes(widening.lanes); }

  /// True if parts of a vector in memory can be accessed by one instruction.
  bool canMask(const Address &address) const {
    return widening.hasMaskedAccess && address.bytes >= 4;
  }
  /// True if the lanes that execute are known.
  bool isMaskConstant() const { return !mask || mask == activeLanes; }

  /// Returns the offset of each lane from the pointer.
  Value offsetsOf(const Address &address) {
    return address.offsets ? address.offsets : iota(address.step);
  }

  /// Loads the part of a row of elements that begins `offset` elements after
  /// the first lane's.
  Value loadPart(const Address &address, VectorType type, int64_t offset) {
    Value at =
        elementAt(address.pointer, type.getElementType(), toI64(index(offset)));
    Value exists;
    if (address.inside) {
      Value indices = arith::AddIOp::create(
          b, loc, splat(address.row),
          numbers([&](int64_t lane) { return offset + lane; }));
      exists = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::ult, indices,
          numbers([&](int64_t) { return address.extent; }));
    } else if (mask) {
      const int64_t last = (widening.active - 1) * address.step;
      exists = cpu::firstLanes(
          b, loc,
          std::clamp<int64_t>(last + 1 - offset, 0, type.getNumElements()),
          type.getNumElements());
    }
    if (!exists)
      return LLVM::LoadOp::create(b, loc, type, at, address.bytes);
    return LLVM::MaskedLoadOp::create(b, loc, type, at, exists, zeros(type),
                                      address.bytes);
  }

  Value emitLoad(memref::LoadOp load) {
    Type element = load.getType();
    auto type = cast<VectorType>(laneType(element));
    Address address = addressOf(load.getMemRef(), load.getIndices(), true);
    const bool hasParts =
        address.step > 1 &&
        (address.inside || !mask || (isMaskConstant() && canMask(address)));
    if (address.offsets || (address.step > 1 && !hasParts))
      return LLVM::masked_gather::create(
          b, loc, type, elementAt(address.pointer, element, offsetsOf(address)),
          allLanes(), ValueRange{zeros(type)}, address.bytes);
    if (!address.inside && !mask && !hasParts)
      return LLVM::LoadOp::create(b, loc, type, address.pointer, address.bytes);
    Value others = zeros(type);
    if (address.inside)
      others = splat(LLVM::LoadOp::create(b, loc, element, address.fallback,
                                          address.bytes));
    if (hasParts) {
      Value lanes =
          loadStrided(b, loc, type, address.step, [&](int64_t offset) {
            return loadPart(address, type, offset);
          });
      return address.inside ? arith::SelectOp::create(b, loc, address.inside,
                                                      lanes, others)
                                  .getResult()
                            : lanes;
    }
    return LLVM::MaskedLoadOp::create(b, loc, type, address.pointer,
                                      both(address.inside, mask), others,
                                      address.bytes);
  }

  void storePart(const Address &address, Value value, int64_t offset,
                 ArrayRef<bool> lanes) {
    auto type = cast<VectorType>(value.getType());
    Value at =
        elementAt(address.pointer, type.getElementType(), toI64(index(offset)));
    auto maskType = VectorType::get(type.getShape(), b.getI1Type());
    LLVM::MaskedStoreOp::create(
        b, loc, value, at,
        arith::ConstantOp::create(b, loc,
                                  DenseElementsAttr::get(maskType, lanes)),
        address.bytes);
  }

  void emitStore(memref::StoreOp store) {
    Value value = vectorOf(store.getValueToStore());
    Type element = store.getValueToStore().getType();
    Address address = addressOf(store.getMemRef(), store.getIndices(), false);
    if (address.step > 1 && isMaskConstant() && canMask(address)) {
      storeStrided(b, loc, value, address.step, widening.active,
                   [&](Value part, int64_t offset, ArrayRef<bool> lanes) {
                     storePart(address, part, offset, lanes);
                   });
      return;
    }
    if (address.offsets || address.step > 1)
      LLVM::masked_scatter::create(
          b, loc, value,
          elementAt(address.pointer, element, offsetsOf(address)), allLanes(),
          address.bytes);
    else if (mask)
      LLVM::MaskedStoreOp::create(b, loc, value, address.pointer, mask,
                                  address.bytes);
    else
      LLVM::StoreOp::create(b, loc, value, address.pointer, address.bytes);
  }

  /// Updates memory lane after lane; faults are rare.
  void emitUpdate(memref::AtomicRMWOp update) {
    Value values = vectorOf(update.getValue()), lanes = allLanes();
    SmallVector<Value> at;
    for (Value part : update.getIndices())
      at.push_back(uniform(part));
    auto each =
        scf::ForOp::create(b, loc, index(0), index(widening.lanes), index(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(each.getBody()->getTerminator());
    auto extract = [&](Value vector) -> Value {
      return vector::ExtractOp::create(b, loc, vector, each.getInductionVar());
    };
    auto active = scf::IfOp::create(b, loc, extract(lanes));
    b.setInsertionPoint(active.thenYield());
    memref::AtomicRMWOp::create(b, loc, update.getKind(), extract(values),
                                uniform(update.getMemref()), at);
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
      known[value] = {carriedValue, 0, {}, {}};
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
  const Widening &widening;
  Divergence &divergence;
  OpBuilder b;
  Location loc;
  IntegerType number; ///< of a lane of an index
  Type pointer;
  llvm::DenseMap<Value, Lanes> known;
  Value mask;        ///< of the lanes that execute; null: all
  Value activeLanes; ///< the mask outside of control flow
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
