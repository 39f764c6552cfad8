// arg_reduce. The winner of a set of points is a key, which orders as g5 does,
// and the number of its point. Of two winners the one with the better key wins,
// among equal keys the one with the lower or the higher number (arg_r1). This
// is associative, commutative and idempotent, so points may be assigned to
// threads in any way, and a point may be processed twice.
//
//   rows      A row has 1 to 32 threads or a block. A thread takes 16 bytes of
//             adjacent points at a time, and a warp whole lines.
//   columns   32 adjacent threads have adjacent results; other threads share
//             the points of each.
//
// Winners of threads are combined by xor shuffles, those of warps through
// shared memory. If there are too few results to fill the device, each has
// several blocks, whose winners a second launch combines from workspaces.
//
// Past the last point a thread processes the last one again; past the last
// result it processes the last one's points and does not store the winner. So
// every thread reaches every shuffle and barrier.

#include "../Common/LaneReduction.h"
#include "../Common/LaunchCode.h"
#include "../Common/PointwiseEmitter.h"
#include "ArgReduceLayout.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

constexpr int64_t kKeyBytes = 8, kNumberBytes = 4;
/// Resident threads per multiprocessor. Without this bound the assembler
/// allocates so few registers that loads wait for each other.
constexpr int64_t kResidentThreads = 512;
/// Results per block of the second launch, with a warp each.
constexpr int64_t kJoinsPerBlock = 4;

struct Winner {
  Value key, number;
};
using Winners = SmallVector<Winner>;

SmallVector<Value> flatten(const Winners &winners) {
  SmallVector<Value> values;
  for (const Winner &winner : winners)
    values.append({winner.key, winner.number});
  return values;
}

Winners unflatten(ValueRange values) {
  Winners winners;
  for (size_t i = 0; i < values.size(); i += 2)
    winners.push_back({values[i], values[i + 1]});
  return winners;
}

/// Memory for keys and numbers of winners, in words of 8 and 4 bytes.
struct WinnerMemory {
  Value keys, numbers;
};

class ArgReduceCode : LaunchCode {
public:
  ArgReduceCode(repro::KernelOp kernel, const ArgReduceLayout &layout,
                const Target &target, const KernelFunction &function,
                OpBuilder &builder);

  LogicalResult emitUnits();
  LogicalResult emitJoin();

private:
  // Arithmetic of winners.
  Value makeKey(Value x);
  Value worstKey();
  Winner choose(Value condition, const Winner &x, const Winner &y);
  /// Returns the winner after a point whose number is not below the winner's.
  Winner take(const Winner &best, Value key, Value number);
  Winner join(const Winner &x, const Winner &y);
  Winner shuffle(const Winner &winner, int64_t distance);
  Value address(Value pointer, Value number, int64_t bytes);
  void storeWinner(const Winner &winner, const WinnerMemory &memory,
                   Value number);
  Winner loadWinner(const WinnerMemory &memory, Value number);

  // The pass over the points.
  void locate();
  void takeAccess(PointwiseEmitter &emitter, int64_t offset, Value first,
                  Winners &winners);
  void takeWhole(Value from, Winners &winners);
  void takeRest(Value from, int64_t accesses, Winners &winners);
  void walkUnit(Winners &winners);
  void joinThreads(Winners &winners);
  void storeResults(const Winners &winners);

  const ArgReduceLayout &layout;
  repro::ArgReduceOp op;
  Value operand;
  Type element, i32, keyType;
  bool isMax, isLast, isUnsigned;
  arith::CmpIPredicate better, notWorse;
  PointerEmitter plain;
  Value thread, block;
  /// The thread's index along the results, and among the threads that share
  /// their points; its unit; its first result, and whether that exists (null:
  /// always); the linear index of the result's element at point 0.
  Value x, share, unit, result, isResult, start;
  bool hasFailed = false;
};

ArgReduceCode::ArgReduceCode(repro::KernelOp kernel,
                             const ArgReduceLayout &layout,
                             const Target &target,
                             const KernelFunction &function, OpBuilder &builder)
    : LaunchCode(kernel, target, function, builder), layout(layout),
      op(layout.op), operand(op.getOperand()),
      element(cast<ShapedType>(operand.getType()).getElementType()),
      i32(builder.getI32Type()), keyType(builder.getIntegerType(std::max(
                                     32u, element.getIntOrFloatBitWidth()))),
      isMax(op.getKind() == repro::ArgKind::Max), isLast(op.getLast()),
      isUnsigned(element.isUnsignedInteger() || element.isInteger(1)),
      plain(builder, kernel, function, target) {
  using CmpI = arith::CmpIPredicate;
  better = isMax ? (isUnsigned ? CmpI::ugt : CmpI::sgt)
                 : (isUnsigned ? CmpI::ult : CmpI::slt);
  notWorse = isMax ? (isUnsigned ? CmpI::uge : CmpI::sge)
                   : (isUnsigned ? CmpI::ule : CmpI::sle);
  thread = threadId();
  block = blockId();
}

Value ArgReduceCode::makeKey(Value x) {
  Value key = emit::Scalar(plain, element).orderKey(x, /*nanIsLeast=*/!isMax);
  if (key.getType() == keyType)
    return key;
  return isUnsigned ? arith::ExtUIOp::create(builder, location, keyType, key)
                          .getResult()
                    : arith::ExtSIOp::create(builder, location, keyType, key)
                          .getResult();
}

Value ArgReduceCode::worstKey() {
  const unsigned width = keyType.getIntOrFloatBitWidth();
  const APInt worst = isMax ? (isUnsigned ? APInt::getMinValue(width)
                                          : APInt::getSignedMinValue(width))
                            : (isUnsigned ? APInt::getMaxValue(width)
                                          : APInt::getSignedMaxValue(width));
  return arith::ConstantOp::create(builder, location,
                                   IntegerAttr::get(keyType, worst));
}

Winner ArgReduceCode::choose(Value condition, const Winner &x,
                             const Winner &y) {
  return {index.select(condition, x.key, y.key),
          index.select(condition, x.number, y.number)};
}

Winner ArgReduceCode::take(const Winner &best, Value key, Value number) {
  Value wins = index.compare(isLast ? notWorse : better, key, best.key);
  return choose(wins, {key, number}, best);
}

Winner ArgReduceCode::join(const Winner &x, const Winner &y) {
  using CmpI = arith::CmpIPredicate;
  Value wins = index.compare(better, y.key, x.key);
  Value isEqual = index.compare(CmpI::eq, y.key, x.key);
  Value isBefore =
      index.compare(isLast ? CmpI::ugt : CmpI::ult, y.number, x.number);
  isEqual = index.both(isEqual, isBefore);
  return choose(arith::OrIOp::create(builder, location, wins, isEqual), y, x);
}

Winner ArgReduceCode::shuffle(const Winner &winner, int64_t distance) {
  Value number = target.exchange(builder, location, winner.number, distance);
  return {target.exchange(builder, location, winner.key, distance), number};
}

Value ArgReduceCode::address(Value pointer, Value number, int64_t bytes) {
  Value wide = index.toI64(number);
  return LLVM::GEPOp::create(
      builder, location, pointer.getType(),
      builder.getIntegerType(static_cast<unsigned>(8 * bytes)), pointer,
      ValueRange{wide}, LLVM::GEPNoWrapFlags::none);
}

void ArgReduceCode::storeWinner(const Winner &winner,
                                const WinnerMemory &memory, Value number) {
  LLVM::StoreOp::create(builder, location, winner.key,
                        address(memory.keys, number, kKeyBytes));
  LLVM::StoreOp::create(builder, location, winner.number,
                        address(memory.numbers, number, kNumberBytes));
}

Winner ArgReduceCode::loadWinner(const WinnerMemory &memory, Value number) {
  return {LLVM::LoadOp::create(builder, location, keyType,
                               address(memory.keys, number, kKeyBytes)),
          LLVM::LoadOp::create(builder, location, i32,
                               address(memory.numbers, number, kNumberBytes))};
}

/// Computes the thread's position.
void ArgReduceCode::locate() {
  const int64_t across = layout.across;
  x = index.rem(thread, across);
  share = index.div(thread, across);
  Value group = index(0);
  if (layout.groups > 1) {
    group = index.div(share, layout.share);
    share = index.rem(share, layout.share);
  }
  unit = index.rem(block, layout.units);
  Value tile = index.add(
      index.mul(index.div(block, layout.units), layout.groups), group);
  auto limit = [&](Value &value, int64_t count, int64_t reached, int64_t each) {
    if (reached <= count)
      return;
    isResult = index.both(isResult, index.less(value, count));
    value = index.min(value, count - each);
  };
  const int64_t tiles = layout.tiles();
  if (layout.isNarrow()) {
    limit(tile, tiles, llvm::divideCeil(tiles, layout.groups) * layout.groups,
          1);
    limit(x, layout.inner, across, 1);
    result = index.add(index.mul(tile, layout.inner), x);
    start = index.add(index.mul(tile, layout.points * layout.inner), x);
    return;
  }
  const int64_t width = layout.width, each = across * width;
  result = index.add(index.mul(tile, each), index.mul(x, width));
  limit(result, layout.results(),
        llvm::divideCeil(tiles, layout.groups) * layout.groups * each, width);
  start = index.add(
      index.mul(index.div(result, layout.inner), layout.points * layout.inner),
      index.rem(result, layout.inner));
}

/// Processes the access at `offset` elements from the emitter's first, which
/// starts at point `first`.
void ArgReduceCode::takeAccess(PointwiseEmitter &emitter, int64_t offset,
                               Value first, Winners &winners) {
  for (int64_t lane = 0; lane < layout.width && !hasFailed; ++lane) {
    emitter.setLane(offset, lane);
    Value value = emitter.result(operand);
    if (!value) {
      hasFailed = true;
      return;
    }
    const int64_t ahead = offset / layout.inner + (layout.isRow() ? lane : 0);
    Winner &winner = winners[layout.isRow() ? 0 : static_cast<size_t>(lane)];
    winner = take(winner, makeKey(value), index.toI32(index.add(first, ahead)));
  }
}

/// Processes one iteration from point `from` on, which is whole.
void ArgReduceCode::takeWhole(Value from, Winners &winners) {
  Value first = index.add(from, index.mul(share, layout.pointsOfAccess()));
  PointwiseEmitter emitter(builder, kernel, function, target,
                           index.add(start, index.mul(first, layout.inner)),
                           layout.outer * layout.points * layout.inner,
                           layout.width);
  for (int64_t k = 0; k < layout.together; ++k)
    takeAccess(emitter, k * layout.step() * layout.inner, first, winners);
}

/// Processes accesses from point `from` on, which may exceed the end.
void ArgReduceCode::takeRest(Value from, int64_t accesses, Winners &winners) {
  for (int64_t k = 0; k < accesses; ++k) {
    Value first =
        index.add(index.add(from, index.mul(share, layout.pointsOfAccess())),
                  k * layout.step());
    first = index.min(first, layout.points - layout.pointsOfAccess());
    PointwiseEmitter emitter(builder, kernel, function, target,
                             index.add(start, index.mul(first, layout.inner)),
                             layout.outer * layout.points * layout.inner,
                             layout.width);
    takeAccess(emitter, 0, first, winners);
  }
}

void ArgReduceCode::walkUnit(Winners &winners) {
  const int64_t turn = layout.turn();
  const int64_t last = layout.points - (layout.units - 1) * layout.unit;
  // The whole iterations of all units but the last, those of the last unit, and
  // the accesses after them.
  const int64_t whole = layout.unit / turn, wholeOfLast = last / turn;
  const int64_t rest =
      std::max(layout.unit % turn, layout.units == 1 ? 0 : last % turn);
  Value begin = index.mul(unit, layout.unit), behind;
  if (whole == 1 && wholeOfLast == 1) {
    takeWhole(begin, winners);
    behind = index.add(begin, turn);
  } else if (whole == 0) {
    behind = begin;
  } else {
    Value end = index.add(begin, whole * turn);
    if (wholeOfLast != whole)
      end =
          index.min(end, (layout.units - 1) * layout.unit + wholeOfLast * turn);
    auto loop = scf::ForOp::create(builder, location, begin, end, index(turn),
                                   flatten(winners));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Winners inner = unflatten(loop.getRegionIterArgs());
    takeWhole(loop.getInductionVar(), inner);
    scf::YieldOp::create(builder, location, flatten(inner));
    winners = unflatten(loop.getResults());
    behind = end;
  }
  if (rest == 0)
    return;
  const int64_t accesses = llvm::divideCeil(rest, layout.step());
  if (layout.units == 1)
    return takeRest(behind, accesses, winners);
  // Only the last unit has these.
  auto branch = scf::IfOp::create(
      builder, location, TypeRange(ValueRange(flatten(winners))),
      index.compare(arith::CmpIPredicate::eq, unit, layout.units - 1),
      /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, flatten(winners));
  builder.setInsertionPointToStart(branch.thenBlock());
  takeRest(behind, accesses, winners);
  scf::YieldOp::create(builder, location, flatten(winners));
  winners = unflatten(branch.getResults());
}

/// Combines winners; the first of the threads that share a result gets its
/// winner.
void ArgReduceCode::joinThreads(Winners &winners) {
  const int64_t size = layout.across * layout.share;
  for (int64_t distance = std::min(size, layout.warpSize) / 2;
       distance >= layout.across; distance /= 2)
    for (Winner &winner : winners)
      winner = join(winner, shuffle(winner, distance));
  const int64_t warps = layout.warps();
  if (warps == 1)
    return;
  // The memory has a row per warp with the winners of `across` threads.
  const int64_t lanes = layout.lanes(), perWarp = layout.across * lanes;
  WinnerMemory memory = {
      function.shared,
      LLVM::GEPOp::create(builder, location, function.shared.getType(),
                          builder.getI8Type(), function.shared,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(
                              warps * perWarp * kKeyBytes)})};
  Value warp = index.div(thread, layout.warpSize);
  Value own = index.rem(thread, layout.across);
  when(layout.across == layout.warpSize
           ? Value()
           : index.less(index.rem(thread, layout.warpSize), layout.across),
       [&] {
         for (int64_t lane = 0; lane < lanes; ++lane)
           storeWinner(winners[static_cast<size_t>(lane)], memory,
                       index.add(index.add(index.mul(warp, perWarp), own),
                                 lane * layout.across));
       });
  mlir::gpu::BarrierOp::create(builder, location);
  // Only the first warp continues; the winners of the others are not stored.
  auto branch =
      scf::IfOp::create(builder, location, index.less(thread, layout.across));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (int64_t other = 1; other < warps; ++other) {
      Winner &winner = winners[static_cast<size_t>(lane)];
      winner = join(
          winner, loadWinner(memory, index.add(own, other * perWarp +
                                                        lane * layout.across)));
    }
  storeResults(winners);
}

void ArgReduceCode::storeResults(const Winners &winners) {
  Value isFirst;
  if (layout.share > 1 && layout.warps() == 1)
    isFirst = index.less(share, 1);
  when(index.both(isResult, isFirst), [&] {
    SmallVector<Value> numbers;
    for (auto [lane, winner] : llvm::enumerate(winners)) {
      numbers.push_back(winner.number);
      if (layout.units > 1)
        storeWinner(
            winner, {function.workspaces[0], function.workspaces[1]},
            index.add(index.mul(index.add(result, static_cast<int64_t>(lane)),
                                layout.units),
                      unit));
    }
    if (layout.units > 1)
      return;
    for (auto [lane, number] : llvm::enumerate(numbers))
      plain.storeAt(number, function.outputs[0], result,
                    static_cast<int64_t>(lane));
  });
}

LogicalResult ArgReduceCode::emitUnits() {
  locate();
  // The worst key wins only if no element has a better one.
  Value first = index.add(index.mul(unit, layout.unit),
                          index.mul(share, layout.pointsOfAccess()));
  first = index.min(first, layout.points - layout.pointsOfAccess());
  Winners winners(static_cast<size_t>(layout.lanes()),
                  {worstKey(), index.toI32(first)});
  walkUnit(winners);
  if (hasFailed)
    return failure();
  joinThreads(winners);
  if (layout.warps() == 1)
    storeResults(winners);
  return success();
}

LogicalResult ArgReduceCode::emitJoin() {
  Value number = index.add(index.mul(block, kJoinsPerBlock),
                           index.div(thread, layout.warpSize));
  Value lane = index.rem(thread, layout.warpSize), isThere;
  if (layout.results() % kJoinsPerBlock != 0) {
    isThere = index.less(number, layout.results());
    number = index.min(number, layout.results() - 1);
  }
  WinnerMemory memory = {function.workspaces[0], function.workspaces[1]};
  Value first = index.mul(number, layout.units);
  auto load = [&](int64_t ahead) {
    Value own = index.add(lane, ahead);
    if (ahead + layout.warpSize > layout.units)
      own = index.min(own, layout.units - 1);
    return loadWinner(memory, index.add(first, own));
  };
  Winner winner = load(0);
  for (int64_t ahead = layout.warpSize; ahead < layout.units;
       ahead += layout.warpSize)
    winner = join(winner, load(ahead));
  for (int64_t distance = layout.warpSize / 2; distance > 0; distance /= 2)
    winner = join(winner, shuffle(winner, distance));
  when(index.both(isThere, index.less(lane, 1)),
       [&] { plain.storeAt(winner.number, function.outputs[0], number); });
  return success();
}

class ArgReduceSchedule final : public Schedule {
public:
  StringRef getName() const override { return "arg_reduce"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<ArgReduceLayout> layout = layOutArgReduce(kernel, target);
    if (!layout)
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan &units = plan.launches.emplace_back();
    units.grid[0] = layout->blocks();
    units.block[0] = layout->threads();
    if (layout->together > 1)
      units.minBlocks = static_cast<int>(
          std::max<int64_t>(1, kResidentThreads / layout->threads()));
    if (layout->warps() > 1)
      units.sharedBytes = layout->warps() * layout->across * layout->lanes() *
                          (kKeyBytes + kNumberBytes);
    if (layout->units == 1)
      return plan;
    units.suffix = "units";
    LaunchPlan &join = plan.launches.emplace_back();
    join.suffix = "join";
    join.grid[0] = llvm::divideCeil(layout->results(), kJoinsPerBlock);
    join.block[0] = kJoinsPerBlock * layout->warpSize;
    const int64_t winners = layout->results() * layout->units;
    plan.workspaces = {winners * kKeyBytes, winners * kNumberBytes};
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    const ArgReduceLayout layout = *layOutArgReduce(kernel, target);
    ArgReduceCode code(kernel, layout, target, function, builder);
    return launch == 0 ? code.emitUnits() : code.emitJoin();
  }
};

} // namespace

/// Accepts arg_reduce over adjacent dimensions, with the ops that compute its
/// operand's elements.
std::unique_ptr<Schedule> createArgReduceSchedule() {
  return std::make_unique<ArgReduceSchedule>();
}

} // namespace gensyn::gpu
