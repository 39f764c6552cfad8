// Turns sums that a loop carries into sums of what its iterations add.

#include "IterationBatch.h"

#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "gensyn/Dialect/Repro/IR/Tape.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-sum-after-loops"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_SUMAFTERLOOPSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

using Kind = IterationBatch::Kind;

/// True if each element is +0, or 0 of an integer type.
bool isZeros(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getOperand();
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isPosZero();
  return isa<IntegerType>(elements.getElementType()) &&
         elements.getSplatValue<APInt>().isZero();
}

/// A carried value that starts from zeros and to which each iteration adds
/// `term`; nothing else reads it inside. It is never -0, since a sum is -0 only
/// if both operands are.
struct CarriedSum {
  unsigned number;
  AddOp add;
  Value term;
};

std::optional<CarriedSum> readSum(LoopOp loop, unsigned number) {
  BlockArgument carried = loop.getCarried()[number];
  auto add = loop.getYielded()[number].getDefiningOp<AddOp>();
  if (!add || !add->hasOneUse() || !carried.hasOneUse() ||
      *carried.getUsers().begin() != add || !isZeros(loop.getInits()[number]))
    return std::nullopt;
  Value term = add->getOperand(add->getOperand(0) == carried ? 1 : 0);
  return CarriedSum{number, add, term};
}

/// sum + scatter add(zeros, u) becomes scatter add(sum, u), which touches the
/// targets of u only. Every target gets one update, so it is sum + (0 + u) in
/// both forms: 0 + u differs from u for -0 only, which changes no sum that is
/// not -0.
void addUpdatesDirectly(const CarriedSum &sum, LoopOp loop) {
  auto scatter = sum.term.getDefiningOp<ScatterOp>();
  if (!scatter || scatter.getKind() != ScatterKind::Add ||
      !scatter->hasOneUse() || !isZeros(scatter.getBase()) ||
      !hasDistinctTargets(scatter))
    return;
  LDBG() << "adds updates to the sum at " << scatter.getLoc();
  scatter.getBaseMutable().assign(loop.getCarried()[sum.number]);
  sum.add->getResult(0).replaceAllUsesWith(scatter.getResult());
  sum.add->erase();
}

/// A map with the iterations as one more iterator, the first, which indexes a
/// tensor of all iterations first.
AffineMap withIterations(AffineMap map, bool isBatched) {
  map = map.shiftDims(1);
  return isBatched ? map.insertResult(getAffineDimExpr(0, map.getContext()), 0)
                   : map;
}

/// Replaces a carried sum of contractions by one contraction after the loop.
class ContractionAfterLoop {
public:
  ContractionAfterLoop(LoopOp loop, const CarriedSum &sum)
      : loop(loop), sum(sum), batch(loop),
        contract(sum.term.getDefiningOp<ContractOp>()) {}

  /// Returns the bytes of what is kept of each iteration; nothing if the sum
  /// has no such form, or if an iteration's operands are larger than the sum.
  std::optional<int64_t> findCost() {
    if (!contract || !contract->hasOneUse() || !findOrder())
      return std::nullopt;
    int64_t kept = 0, each = 0;
    for (Value operand : contract->getOperands()) {
      const Kind kind = batch.kindOf(operand);
      each += kind == Kind::Common ? 0 : bytesOf(operand);
      kept += kind == Kind::Other ? trips() * bytesOf(operand)
                                  : batch.newBytes(operand);
    }
    return each <= bytesOf(sum.term) ? std::optional(kept) : std::nullopt;
  }

  /// Returns the loop without the sum.
  LoopOp replace();

private:
  int64_t trips() { return static_cast<int64_t>(loop.getTrips()); }

  /// Returns the order of the one contraction, null for integers; nothing if
  /// none is that of the loop: each iteration's chain is a block, and the
  /// blocks' results are added one after another, from +0.
  std::optional<OrderAttr> findOrder() {
    OrderAttr order = contract.getOrderAttr();
    if (!order)
      return order;
    const int64_t points = contract.getDomain().getNumPoints();
    if (!order.getOrder().isSequential() || points == 0)
      return std::nullopt;
    return OrderAttr::get(
        contract.getContext(),
        Order::blocked(points, Order::sequential(), Order::sequential()));
  }

  void keep(Value operand);
  Value build(ArrayRef<Value> kept, OpBuilder &builder);

  LoopOp loop;
  CarriedSum sum;
  IterationBatch batch;
  ContractOp contract;
  SmallVector<Value> inits, nexts; // of carried values that keep operands
};

/// Carries a tape to which each iteration writes its operand.
void ContractionAfterLoop::keep(Value operand) {
  OpBuilder builder(loop);
  Location location = contract.getLoc();
  inits.push_back(createTape(builder, location, trips(), typeOf(operand)));
  Value tape = loop.getBlock().insertArgument(
      static_cast<unsigned>(loop.getInits().size() + inits.size()),
      inits.back().getType(), location);
  builder.setInsertionPoint(contract);
  nexts.push_back(writeTape(builder, location, tape, loop.getIndex(), operand));
}

Value ContractionAfterLoop::build(ArrayRef<Value> kept, OpBuilder &builder) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (auto [number, operand] : llvm::enumerate(contract->getOperands())) {
    const Kind kind = batch.kindOf(operand);
    maps.push_back(withIterations(contract.getMap(unsigned(number)),
                                  kind != Kind::Common));
    if (kind != Kind::Other) {
      operands.push_back(kind == Kind::Common
                             ? batch.common(operand, builder)
                             : batch.perIteration(operand, builder));
    } else {
      operands.push_back(kept.front());
      kept = kept.drop_front();
    }
  }
  maps.push_back(withIterations(contract.getMap(2), false));
  SmallVector<int64_t> extents = {trips()}, reduced = {0};
  llvm::append_range(extents, contract.getDomain().getExtents());
  for (int64_t iterator : contract.getDomain().getReduced())
    reduced.push_back(iterator + 1);
  return ContractOp::create(
      builder, contract.getLoc(), contract.getType(), operands[0], operands[1],
      DomainAttr::get(builder.getContext(), extents, reduced),
      builder.getAffineMapArrayAttr(maps), contract.getBoundsAttr(),
      *findOrder());
}

LoopOp ContractionAfterLoop::replace() {
  for (Value operand : contract->getOperands())
    if (batch.kindOf(operand) == Kind::Other)
      keep(operand);
  SmallVector<Value> allInits(loop.getInits()), allNexts(loop.getYielded()),
      old(loop.getResults());
  for (auto *list : {&allInits, &allNexts, &old})
    list->erase(list->begin() + sum.number);
  llvm::append_range(allInits, inits);
  llvm::append_range(allNexts, nexts);
  OpBuilder builder(loop);
  auto made =
      LoopOp::create(builder, loop.getLoc(), ValueRange(allInits).getTypes(),
                     loop.getTripsAttr(), loop.getExhaustAttr(), Value(),
                     allInits, loop.getInvariants());
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  // Where the contraction is built, values before the loop are known too.
  Value all = build(
      SmallVector<Value>(made.getResults().take_back(inits.size())), builder);
  loop.getResult(sum.number).replaceAllUsesWith(all);
  for (auto [before, after] : llvm::zip(old, made.getResults()))
    before.replaceAllUsesWith(after);
  Block &block = loop.getBlock();
  block.getTerminator()->setOperands(allNexts);
  sum.add->erase();
  contract->erase();
  block.eraseArgument(1 + sum.number);
  made.getBody().takeBody(loop.getBody());
  loop->erase();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(made.getBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
  return made;
}

/// True if every iteration runs.
bool isCounted(LoopOp loop) {
  return !loop.getCondition() && loop.getTrips() >= 2 &&
         loop.getTrips() <= (uint64_t(1) << 30);
}

void changeSums(LoopOp loop) {
  int64_t budget = findBudget(loop);
  for (unsigned number = 0; number < loop.getInits().size();) {
    std::optional<CarriedSum> sum = readSum(loop, number++);
    if (!sum)
      continue;
    addUpdatesDirectly(*sum, loop);
    if (!isCounted(loop) || !sum->term.getDefiningOp<ContractOp>())
      continue;
    ContractionAfterLoop after(loop, *sum);
    std::optional<int64_t> cost = after.findCost();
    if (!cost || *cost > budget)
      continue;
    LDBG() << "one contraction after the loop: " << sum->term.getLoc();
    budget -= *cost;
    loop = after.replace();
    --number;
  }
}

struct SumAfterLoops final : impl::SumAfterLoopsPassBase<SumAfterLoops> {
  void runOnOperation() override {
    SmallVector<LoopOp> loops;
    getOperation().walk([&](LoopOp loop) { loops.push_back(loop); });
    for (LoopOp loop : loops)
      changeSums(loop);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
