// Vector-Jacobian products of if and loop (if_r2, loop_r3, loop_r4).

#include "gensyn/Dialect/Repro/Autodiff/Differentiate.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/Tape.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gensyn::repro;

static Value zerosLike(OpBuilder &builder, Location location, Value value) {
  return createFilled(builder, location, typeOf(value), 0.0);
}

/// Clones the ops of `block` before its terminator, except for checks, which
/// the forward pass has made. Returns the operands of the terminator.
static SmallVector<Value> cloneBody(Block &block, IRMapping &mapping,
                                    OpBuilder &builder) {
  for (Operation &op : block.without_terminator())
    if (!isa<CheckOp>(op))
      builder.clone(op, mapping)->walk([](CheckOp check) { check.erase(); });
  SmallVector<Value> yielded;
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(mapping.lookup(value));
  return yielded;
}

namespace {
/// The derivative of one region of an `if`, which recomputes the region's own
/// ops. Its arguments are the captures, then the cotangents that exist.
struct BranchGradient {
  Region region;
  SmallVector<Value> gradients; // of the captures, null if none

  LogicalResult build(IfOp op, Block &forward, ValueRange cotangents,
                      ArrayRef<bool> needed, OpBuilder &builder) {
    OpBuilder::InsertionGuard guard(builder);
    Block &block = region.emplaceBlock();
    builder.setInsertionPointToEnd(&block);
    IRMapping mapping;
    SmallVector<Value> wrt, names;
    for (auto [argument, capture, want] :
         llvm::zip_equal(forward.getArguments(), op.getCaptures(), needed)) {
      Value own = block.addArgument(argument.getType(), argument.getLoc());
      mapping.map(argument, own);
      if (want) {
        wrt.push_back(own);
        names.push_back(capture);
      }
    }
    SmallVector<Value> yielded = cloneBody(forward, mapping, builder);
    ReverseAccumulation accumulation(builder, wrt, names);
    for (auto [value, cotangent] : llvm::zip_equal(yielded, cotangents))
      if (cotangent)
        accumulation.seed(
            op.getLoc(), value,
            block.addArgument(cotangent.getType(), cotangent.getLoc()));
    if (failed(accumulation.run(block, nullptr)))
      return failure();
    for (BlockArgument argument : forward.getArguments()) {
      const bool want = needed[argument.getArgNumber()];
      gradients.push_back(want ? accumulation.lookup(mapping.lookup(argument))
                               : Value());
    }
    return success();
  }
};
} // namespace

LogicalResult IfOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                             ArrayRef<bool> needed,
                             MutableArrayRef<Value> gradients) {
  ArrayRef<bool> wanted = needed.drop_front(); // after the predicate
  BranchGradient branches[2];
  if (failed(branches[0].build(*this, getThenBlock(), cotangents, wanted,
                               builder)) ||
      failed(branches[1].build(*this, getElseBlock(), cotangents, wanted,
                               builder)))
    return failure();
  SmallVector<unsigned> flowing;
  SmallVector<Type> types;
  for (auto [number, capture] : llvm::enumerate(getCaptures()))
    if (branches[0].gradients[number] || branches[1].gradients[number]) {
      flowing.push_back(static_cast<unsigned>(number));
      types.push_back(capture.getType());
    }
  if (flowing.empty())
    return success();
  SmallVector<Value> captures(getCaptures());
  for (Value cotangent : cotangents)
    if (cotangent)
      captures.push_back(cotangent);
  auto gradient =
      IfOp::create(builder, getLoc(), types, getPredicate(), captures);
  for (auto [region, branch] :
       llvm::zip_equal(gradient->getRegions(), branches)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&branch.region.front());
    SmallVector<Value> yielded;
    for (unsigned number : flowing) {
      Value value = branch.gradients[number];
      yielded.push_back(
          value ? value : zerosLike(builder, getLoc(), getCaptures()[number]));
    }
    YieldOp::create(builder, getLoc(), yielded);
    region.takeBody(branch.region);
  }
  for (auto [number, result] : llvm::zip_equal(flowing, gradient.getResults()))
    gradients[1 + number] = result;
  return success();
}

namespace {
/// The derivative of a loop: a copy of the loop that also writes carried values
/// to tapes, then a loop over the iterations in reverse.
class LoopGradient {
public:
  LoopGradient(LoopOp loop, OpBuilder &builder)
      : loop(loop), builder(builder), location(loop.getLoc()),
        hasFlag(bool(loop.getCondition())), count(loop.getInits().size()) {}

  LogicalResult build(ValueRange cotangents, ArrayRef<bool> needed,
                      MutableArrayRef<Value> gradients);

private:
  void findActive(ValueRange cotangents, ArrayRef<bool> neededInits,
                  ArrayRef<bool> neededInvariants);
  LogicalResult buildBody();
  void dropDeadOps();
  bool isTaped(size_t k) const;
  LogicalResult checkTapes();
  void buildForward();
  LoopOp buildBackward(ValueRange cotangents);

  LoopOp loop;
  OpBuilder &builder;
  Location location;
  const bool hasFlag;
  const size_t count;
  /// True for carried values with cotangents, and for invariants with
  /// gradients.
  SmallVector<bool> active, wanted;

  // The body of the backward loop, before its arguments are known. Stand-ins
  // replace the forward body's arguments, then the cotangents.
  Region region;
  SmallVector<Value> standIns, incoming, outgoing, sums;

  // State of the forward loop with tapes.
  SmallVector<std::pair<size_t, Value>> tapes; // of carried value k
  Value ran;                                   // number of iterations
};
} // namespace

/// Marks carried values that depend on a wanted value and on which a value with
/// a cotangent depends, over any number of iterations.
void LoopGradient::findActive(ValueRange cotangents, ArrayRef<bool> neededInits,
                              ArrayRef<bool> neededInvariants) {
  Block &block = loop.getBlock();
  llvm::DenseSet<Value> dependent, reaching;
  for (size_t k = 0; k < count; ++k) {
    if (neededInits[k])
      dependent.insert(loop.getCarried()[k]);
    if (cotangents[k])
      reaching.insert(loop.getYielded()[k]);
  }
  for (auto [argument, want] :
       llvm::zip_equal(loop.getInvariantArguments(), neededInvariants))
    if (want)
      dependent.insert(argument);
  auto grow = [](llvm::DenseSet<Value> &set, Value from, Value to) {
    return set.contains(from) && isFloatTensor(to) && set.insert(to).second;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation &op : block.without_terminator())
      for (Value operand : op.getOperands())
        for (Value result : op.getResults())
          changed |= grow(dependent, operand, result);
    for (Operation &op : llvm::reverse(block.without_terminator()))
      for (Value operand : op.getOperands())
        for (Value result : op.getResults())
          changed |= grow(reaching, result, operand);
    for (size_t k = 0; k < count; ++k) {
      changed |= grow(dependent, loop.getYielded()[k], loop.getCarried()[k]);
      changed |= grow(reaching, loop.getCarried()[k], loop.getYielded()[k]);
    }
  }
  for (size_t k = 0; k < count; ++k) {
    Value argument = loop.getCarried()[k], yielded = loop.getYielded()[k];
    active.push_back(isFloatTensor(argument) &&
                     (dependent.contains(argument) || neededInits[k]) &&
                     (reaching.contains(yielded) || cotangents[k]));
  }
  for (auto [argument, want] :
       llvm::zip_equal(loop.getInvariantArguments(), neededInvariants))
    wanted.push_back(want && reaching.contains(argument));
}

/// Builds the forward body again and its derivative, in `region`.
LogicalResult LoopGradient::buildBody() {
  OpBuilder::InsertionGuard guard(builder);
  Block &forward = loop.getBlock(), &block = region.emplaceBlock();
  builder.setInsertionPointToEnd(&block);
  IRMapping mapping;
  for (BlockArgument argument : forward.getArguments()) {
    standIns.push_back(
        block.addArgument(argument.getType(), argument.getLoc()));
    mapping.map(argument, standIns.back());
  }
  SmallVector<Value> wrt, names;
  for (size_t k = 0; k < count; ++k)
    if (active[k]) {
      wrt.push_back(standIns[1 + k]);
      names.push_back(loop.getInits()[k]);
    }
  for (auto [m, invariant] : llvm::enumerate(loop.getInvariants()))
    if (wanted[m]) {
      wrt.push_back(standIns[1 + count + m]);
      names.push_back(invariant);
    }
  ArrayRef<Value> yielded;
  SmallVector<Value> all = cloneBody(forward, mapping, builder);
  yielded = ArrayRef(all).drop_front(hasFlag);
  ReverseAccumulation accumulation(builder, wrt, names);
  for (size_t k = 0; k < count; ++k) {
    incoming.push_back(active[k]
                           ? block.addArgument(yielded[k].getType(), location)
                           : Value());
    if (active[k])
      accumulation.seed(location, yielded[k], incoming[k]);
  }
  if (failed(accumulation.run(block, nullptr)))
    return failure();
  for (size_t k = 0; k < count; ++k) {
    Value value = active[k] ? accumulation.lookup(standIns[1 + k]) : Value();
    outgoing.push_back(
        !active[k] || value ? value : zerosLike(builder, location, yielded[k]));
  }
  for (size_t m = 0; m < wanted.size(); ++m)
    sums.push_back(wanted[m] ? accumulation.lookup(standIns[1 + count + m])
                             : Value());
  return success();
}

/// Erases ops of the forward body that the derivative does not need.
void LoopGradient::dropDeadOps() {
  llvm::DenseSet<Value> live;
  for (Value value : llvm::concat<Value>(outgoing, sums))
    live.insert(value);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(region.front())))
    if (op.use_empty() && isMemoryEffectFree(&op) &&
        llvm::none_of(op.getResults(),
                      [&](Value result) { return live.contains(result); }))
      op.erase();
}

/// True if the derivative reads a carried value at the start of iterations.
bool LoopGradient::isTaped(size_t k) const {
  Value standIn = standIns[1 + k];
  return !standIn.use_empty() || llvm::is_contained(outgoing, standIn) ||
         llvm::is_contained(sums, standIn);
}

/// Fails if a tape would exceed the limit on tensors of a program (g2).
LogicalResult LoopGradient::checkTapes() {
  const auto trips = static_cast<int64_t>(loop.getTrips());
  for (size_t k = 0; k < count; ++k) {
    const int64_t elements = typeOf(loop.getInits()[k]).getNumElements();
    if (!isTaped(k) || elements == 0 ||
        trips <= gensyn::kMaxElements / elements)
      continue;
    if (trips == std::numeric_limits<int64_t>::max())
      return loop.emitOpError("has no bound on its iterations, and its "
                              "derivative keeps ")
             << typeOf(loop.getInits()[k]) << " of each";
    return loop.emitOpError("may run ")
           << trips << " times, too often for a derivative, which keeps "
           << typeOf(loop.getInits()[k]) << " of each";
  }
  return success();
}

/// Replaces the loop by one that writes tapes: of each carried value that the
/// derivative reads, its value at the start of each iteration.
void LoopGradient::buildForward() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  const auto trips = static_cast<int64_t>(loop.getTrips());
  SmallVector<Value> inits(loop.getInits());
  SmallVector<size_t> taped;
  for (size_t k = 0; k < count; ++k)
    if (isTaped(k)) {
      taped.push_back(k);
      inits.push_back(
          createTape(builder, location, trips, typeOf(loop.getInits()[k])));
    }
  auto indexType = cast<RankedTensorType>(loop.getIndex().getType());
  if (hasFlag)
    inits.push_back(createFilled(builder, location, indexType, 0));
  auto forward = LoopOp::create(
      builder, location, ValueRange(inits).getTypes(), loop.getTripsAttr(),
      loop.getExhaustAttr(), loop.getCondition(), inits, loop.getInvariants());
  forward->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  IRMapping mapping;
  loop.getBody().cloneInto(&forward.getBody(), mapping);
  Block &block = forward.getBlock();
  SmallVector<Value> added;
  for (Value init : ArrayRef(inits).drop_front(count))
    added.push_back(
        block.insertArgument(static_cast<unsigned>(1 + count + added.size()),
                             init.getType(), location));
  Operation *yield = block.getTerminator();
  builder.setInsertionPoint(yield);
  Value index = forward.getIndex();
  SmallVector<Value> next;
  for (auto [position, k] : llvm::enumerate(taped))
    next.push_back(writeTape(builder, location, added[position], index,
                             forward.getCarried()[k]));
  if (hasFlag)
    next.push_back(
        AddOp::create(builder, location, index,
                      createFilled(builder, location, indexType, 1)));
  yield->insertOperands(yield->getNumOperands(), next);
  for (auto [position, k] : llvm::enumerate(taped))
    tapes.emplace_back(k, forward.getResult(count + position));
  if (hasFlag)
    ran = forward.getResults().back();
  for (auto [old, result] : llvm::zip(loop.getResults(), forward.getResults()))
    old.replaceAllUsesWith(result);
  // The new loop contains the checks; those of the old one must not run again.
  loop.walk([](CheckOp check) { check.erase(); });
}

/// Builds the loop over i = n - 1, ..., 0, which carries cotangents and sums.
LoopOp LoopGradient::buildBackward(ValueRange cotangents) {
  auto indexType = cast<RankedTensorType>(loop.getIndex().getType());
  const auto trips = static_cast<int64_t>(loop.getTrips());
  SmallVector<Value> inits, next, invariants(loop.getInvariants());
  for (size_t k = 0; k < count; ++k)
    if (active[k]) {
      inits.push_back(cotangents[k]
                          ? cotangents[k]
                          : zerosLike(builder, location, loop.getInits()[k]));
      next.push_back(outgoing[k]);
    }
  for (size_t m = 0; m < sums.size(); ++m)
    if (sums[m]) {
      inits.push_back(zerosLike(builder, location, loop.getInvariants()[m]));
      next.push_back(sums[m]);
    }
  for (auto &[k, tape] : tapes)
    invariants.push_back(tape);
  Value condition;
  if (hasFlag) {
    invariants.push_back(ran);
    condition = CompareOp::create(
        builder, location, indexType.clone(builder.getI1Type()),
        CompareKind::Lt, createFilled(builder, location, indexType, 0), ran);
  }
  auto backward = LoopOp::create(
      builder, location, ValueRange(inits).getTypes(), loop.getTripsAttr(),
      ExhaustAttr::get(builder.getContext(), Exhaust::Stop), condition, inits,
      invariants);
  backward.getBody().takeBody(region);
  Block &block = backward.getBlock();

  // The stand-ins are the first arguments, before those of the loop.
  const unsigned old = block.getNumArguments();
  Value position = block.addArgument(indexType, location);
  SmallVector<Value> carried, shared;
  for (Value init : inits)
    carried.push_back(block.addArgument(init.getType(), location));
  for (Value invariant : invariants)
    shared.push_back(block.addArgument(invariant.getType(), location));

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  Value one = createFilled(builder, location, indexType, 1);
  Value following = AddOp::create(builder, location, position, one);
  Value last = hasFlag ? shared.back()
                       : createFilled(builder, location, indexType,
                                      static_cast<double>(trips));
  Value index = SubOp::create(builder, location, last, following);
  auto replace = [&](Value standIn, Value value) {
    standIn.replaceAllUsesWith(value);
    for (Value &yielded : next)
      if (yielded == standIn)
        yielded = value;
  };
  replace(standIns[0], index);
  const size_t numInvariants = loop.getInvariants().size();
  for (size_t m = 0; m < numInvariants; ++m)
    replace(standIns[1 + count + m], shared[m]);
  for (auto [number, entry] : llvm::enumerate(tapes))
    replace(standIns[1 + entry.first],
            readTape(builder, location, shared[numInvariants + number], index));
  size_t number = 0;
  for (size_t k = 0; k < count; ++k)
    if (active[k])
      replace(incoming[k], carried[number++]);
  builder.setInsertionPointToEnd(&block);
  for (size_t total = next.size(); number < total; ++number)
    next[number] =
        AddOp::create(builder, location, carried[number], next[number]);
  if (hasFlag)
    next.insert(next.begin(),
                CompareOp::create(builder, location,
                                  indexType.clone(builder.getI1Type()),
                                  CompareKind::Lt, following, last));
  YieldOp::create(builder, location, next);
  block.eraseArguments(0, old);
  return backward;
}

LogicalResult LoopGradient::build(ValueRange cotangents, ArrayRef<bool> needed,
                                  MutableArrayRef<Value> gradients) {
  findActive(cotangents, needed.slice(hasFlag, count),
             needed.drop_front(hasFlag + count));
  if (failed(buildBody()))
    return failure();
  dropDeadOps();
  if (failed(checkTapes()))
    return failure();
  buildForward();
  LoopOp backward = buildBackward(cotangents);
  size_t number = 0;
  for (size_t k = 0; k < count; ++k)
    if (active[k])
      gradients[hasFlag + k] = backward.getResult(number++);
  for (size_t m = 0; m < sums.size(); ++m)
    if (sums[m])
      gradients[hasFlag + count + m] = backward.getResult(number++);
  return success();
}

LogicalResult LoopOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                               ArrayRef<bool> needed,
                               MutableArrayRef<Value> gradients) {
  return LoopGradient(*this, builder).build(cotangents, needed, gradients);
}
