// See LaneReduction.h. Lanes are combined by halves, the largest distance
// first: lane l combines with lane l + h. If a thread has V adjacent lanes,
// distances of V and more are xor shuffles, in which both partners compute the
// same with the lower lane on the left; smaller ones are between registers.

#include "LaneReduction.h"

#include "gensyn/Codegen/Emit/ReduceKinds.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {

/// Words of a thread in a loop body, whose loads are in flight together.
static constexpr int64_t kWordsAtOnce = 32;

LaneReduction::LaneReduction(repro::ElementEmitter &emitter, repro::ReduceOp op,
                             const Target &target)
    : emitter(emitter), builder(emitter.builder), location(emitter.location),
      index(builder, location), target(target), kind(op.getKind()),
      element(cast<ShapedType>(op.getType()).getElementType()),
      scalar(codegen::getScalarType(element)) {}

Value LaneReduction::identity() {
  emit::Scalar arithmetic(emitter, element);
  return emit::emitIdentity(arithmetic, kind, element);
}

Value LaneReduction::combine(Value x, Value y) {
  if (isExtremum())
    return kind == repro::ReduceKind::Max
               ? arith::MaximumFOp::create(builder, location, x, y).getResult()
               : arith::MinimumFOp::create(builder, location, x, y).getResult();
  emit::Scalar arithmetic(emitter, element);
  return emit::emitCombine(arithmetic, kind, x, y);
}

bool LaneReduction::isExtremum() const {
  return scalar.isF32() && target.hasFloatExtrema &&
         (kind == repro::ReduceKind::Max || kind == repro::ReduceKind::Min);
}

bool LaneReduction::mayComputeNan() const {
  return kind == repro::ReduceKind::Sum || kind == repro::ReduceKind::Product ||
         isExtremum();
}

Value LaneReduction::step(Value x, Value y, Value inside) {
  Value next = combine(x, y);
  return inside ? index.select(inside, next, x) : next;
}

/// Converts a value to a word of 32 or 64 bits.
Value LaneReduction::toWord(Value value) {
  const unsigned width = scalar.getIntOrFloatBitWidth();
  if (isa<FloatType>(scalar))
    value = builder.createOrFold<arith::BitcastOp>(
        location, builder.getIntegerType(width), value);
  if (width < 32)
    value =
        arith::ExtUIOp::create(builder, location, builder.getI32Type(), value);
  return value;
}

Value LaneReduction::fromWord(Value word) {
  const unsigned width = scalar.getIntOrFloatBitWidth();
  if (width < 32)
    word = arith::TruncIOp::create(builder, location, scalar, word);
  return isa<FloatType>(scalar)
             ? builder.createOrFold<arith::BitcastOp>(location, scalar, word)
             : word;
}

Value LaneReduction::joinLanes(SmallVector<Value> lanes, int64_t group) {
  const auto perThread = static_cast<int64_t>(lanes.size());
  // Lanes without points are omitted, since their identity would change
  // nothing: a sum that started at +0 is not -0, and the NaN of a maximum is
  // already canonical.
  for (int64_t distance = group / 2; distance >= 1; distance /= 2)
    for (Value &lane : lanes)
      if (lane)
        lane =
            combine(lane, target.exchange(builder, location, lane, distance));
  for (int64_t half = perThread / 2; half >= 1; half /= 2)
    for (int64_t lane = 0; lane < half; ++lane)
      if (lanes[lane + half])
        lanes[lane] = lanes[lane] ? combine(lanes[lane], lanes[lane + half])
                                  : lanes[lane + half];
  return lanes.front() ? lanes.front() : identity();
}

Value LaneReduction::address(const JoinMemory &memory, Value number) {
  auto advance = [&](Value pointer, Type element, Value by) -> Value {
    return LLVM::GEPOp::create(builder, location, pointer.getType(), element,
                               pointer, ValueRange{index.toI64(by)},
                               LLVM::GEPNoWrapFlags::none);
  };
  Type word = builder.getI64Type();
  Value first = advance(memory.pointer, word, memory.first);
  const bool isWide = scalar.getIntOrFloatBitWidth() == 64;
  return advance(first, isWide ? word : builder.getI32Type(), number);
}

void LaneReduction::storeWord(Value value, const JoinMemory &memory,
                              Value number) {
  LLVM::StoreOp::create(builder, location, toWord(value),
                        address(memory, number));
}

Value LaneReduction::loadWord(const JoinMemory &memory, Value number) {
  const bool isWide = scalar.getIntOrFloatBitWidth() == 64;
  return fromWord(LLVM::LoadOp::create(
      builder, location, isWide ? builder.getI64Type() : builder.getI32Type(),
      address(memory, number)));
}

/// Combines the words [begin, end) by `lanes` lanes; there are 1 to `most`
/// words.
Value LaneReduction::joinRange(int64_t lanes, Value begin, Value end,
                               int64_t most, const JoinMemory &memory,
                               Value thread) {
  const int64_t group = std::min(lanes, target.warpSize),
                perThread = lanes / group;
  const int64_t steps = (most + lanes - 1) / lanes;
  Value first = index.rem(thread, group);
  first = index.mul(first, perThread);
  first = index.add(first, begin);
  Value last = index.sub(end, index(1));
  auto takeStep = [&](Value at, ValueRange sums) {
    SmallVector<Value> next;
    for (int64_t lane = 0; lane < perThread; ++lane) {
      Value own = index.add(at, lane);
      Value inside = index.less(own, end);
      Value word = loadWord(memory, index.min(own, last));
      next.push_back(step(sums[lane], word, inside));
    }
    return next;
  };
  SmallVector<Value> sums(static_cast<size_t>(perThread), identity());
  // Steps past the last word change nothing.
  const int64_t together =
      std::min(steps, std::max<int64_t>(1, kWordsAtOnce / perThread));
  auto takeSteps = [&](Value at, ValueRange from) {
    SmallVector<Value> next(from);
    for (int64_t k = 0; k < together; ++k)
      next = takeStep(index.add(at, k * lanes), next);
    return next;
  };
  if (steps == together)
    return joinLanes(takeSteps(first, sums), group);
  auto loop =
      scf::ForOp::create(builder, location, index(0), index(steps * lanes),
                         index(together * lanes), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitter.inNestedRegion([&] {
      Value at = index.add(first, loop.getInductionVar());
      scf::YieldOp::create(builder, location,
                           takeSteps(at, loop.getRegionIterArgs()));
    });
  }
  return joinLanes(SmallVector<Value>(loop.getResults()), group);
}

Value LaneReduction::joinWords(const Order &order, int64_t count,
                               JoinMemory memory, Value thread, int64_t warps) {
  auto lanesOf = [](const Order &lanes) {
    return lanes.isSequential() ? 1 : lanes.laneCount();
  };
  if (order.kind() != Order::Kind::Blocked)
    return joinRange(lanesOf(order), index(0), index(count), count, memory,
                     thread);
  const int64_t size = order.blockSize(), blocks = (count + size - 1) / size;
  JoinMemory results = memory;
  results.first = index.add(memory.first, count);
  Value warp = index.div(thread, target.warpSize);
  auto loop =
      scf::ForOp::create(builder, location, warp, index(blocks), index(warps));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitter.inNestedRegion([&] {
      Value block = loop.getInductionVar();
      Value begin = index.mul(block, size);
      Value end = index.min(index.add(begin, size), count);
      Value result = joinRange(lanesOf(order.inner()), begin, end,
                               std::min(size, count), memory, thread);
      Value inWarp = index.rem(thread, target.warpSize);
      auto isFirst =
          scf::IfOp::create(builder, location,
                            index.compare(arith::CmpIPredicate::eq, inWarp, 0));
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(isFirst.thenBlock());
      storeWord(result, results, block);
    });
  }
  mlir::gpu::BarrierOp::create(builder, location);
  return joinWords(order.outer(), blocks, results, thread, warps);
}

} // namespace gensyn::gpu
