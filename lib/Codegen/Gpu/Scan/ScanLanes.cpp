// Scans without an order, whose prefixes are combined among threads.
//
// Integers, maxima and minima may be combined in any order (g5, g6). A unit,
// which is a row or a block of one, is scanned by a few lanes of a warp or by 8
// warps. A step takes up to four stripes of adjacent elements. The prefixes in
// a stripe of a warp take five shuffles, and so do those of the totals of
// stripes, which warps exchange through shared memory with one barrier per
// step. If rows are few and long, a first launch computes the totals of units;
// a unit starts from the combined totals of the units before it.

#include "ScanCode.h"
#include "ScanWays.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

constexpr int64_t kLaneThreads = 128;

int64_t unitThreads(const ScanLayout &layout) {
  return layout.group * layout.warps;
}
int64_t unitsOfBlock(const ScanLayout &layout) {
  return std::max<int64_t>(1, kLaneThreads / unitThreads(layout));
}
/// Returns the slots of shared memory: totals of the stripes of two steps, and
/// one total per warp.
int64_t slotsOf(const ScanLayout &layout) {
  return layout.warps == 1 ? 0 : 2 * layout.warpSize + layout.warps;
}

class ScanLanes : ScanCode {
public:
  ScanLanes(repro::KernelOp kernel, const ScanLayout &layout,
            const Target &target, const KernelFunction &function,
            OpBuilder &builder);
  LogicalResult emitTotals();
  LogicalResult emitPrefixes();

private:
  /// Returns the column of a stripe within the unit.
  Value columnOf(Value step, int64_t stripe);
  Value element(Value column);
  Value joinStart();
  Value joinUnit(Value value);
  Value joinGroup(Value value, int64_t lanes);
  Value prefixOf(Value value, int64_t lanes);
  Value broadcast(Value value, int64_t lane);
  Values joinStripes(Value step, Value carry, Values prefixes);

  Value thread, lane, warp, lastLane, unit, row, begin;
};

ScanLanes::ScanLanes(repro::KernelOp kernel, const ScanLayout &layout,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder)
    : ScanCode(kernel, layout, target, function, builder) {
  const int64_t threads = unitThreads(layout), units = unitsOfBlock(layout);
  Value number32 = b.thread(threads * units);
  thread = units == 1 ? number32 : b.rem(number32, threads);
  lane = b.rem(thread, layout.group);
  warp = b.div(thread, layout.group);
  // The last lane of the group in the warp.
  lastLane =
      b.add(b.sub(b.rem(number32, layout.warpSize), lane), layout.group - 1);
  unit = index.add(index.mul(block, units),
                   index.toIndex(b.div(number32, threads)));
  // Units past the last one repeat its work.
  Value own = index.min(unit, layout.units() - 1);
  row = index.div(own, layout.blocks());
  begin = index.mul(index.rem(own, layout.blocks()), layout.block);
}

Value ScanLanes::columnOf(Value step, int64_t stripe) {
  Value stripes = b.add(b.mul(step, layout.stripes), stripe);
  Value warps = b.add(b.mul(stripes, layout.warps), warp);
  return index.toIndex(b.add(b.mul(warps, layout.group), lane));
}

Value ScanLanes::element(Value column) {
  Value value =
      read(row, index.min(index.add(begin, column), layout.extent - 1));
  // Combining with the identity canonicalizes a NaN.
  return isa<FloatType>(scalar) ? combine(identity(), value) : value;
}

Value ScanLanes::broadcast(Value value, int64_t from) {
  return b.shuffle(value, ShuffleKind::Index, b.constant(from),
                   layout.warpSize);
}

Value ScanLanes::joinGroup(Value value, int64_t lanes) {
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2)
    value = combine(value, b.exchange(value, distance));
  return value;
}

/// Combines the values of all threads of the unit; all get the result.
Value ScanLanes::joinUnit(Value value) {
  value = joinGroup(value, layout.group);
  if (layout.warps == 1)
    return value;
  b.when(b.equal(lane, b.constant(0)),
         [&] { storeShared(value, b.add(warp, 2 * layout.warpSize)); });
  b.barrier();
  return joinGroup(
      loadShared(b.add(b.rem(lane, layout.warps), 2 * layout.warpSize)),
      layout.warps);
}

/// Returns inclusive prefixes among adjacent lanes.
Value ScanLanes::prefixOf(Value value, int64_t lanes) {
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    Value before =
        b.shuffle(value, ShuffleKind::Up, b.constant(distance), lanes);
    Value isFirst = b.less(lane, distance);
    value = b.select(isFirst, value, combine(before, value));
  }
  return value;
}

LogicalResult ScanLanes::emitTotals() {
  const int64_t steps = llvm::divideCeil(layout.block, layout.perStep());
  Values totals = b.loop(
      b.constant(steps), {identity()}, [&](Value step, ValueRange carried) {
        Values elements;
        for (int64_t i = 0; i < layout.stripes; ++i) {
          Value column = columnOf(step, i);
          Value inside = index.less(column, layout.block);
          elements.push_back(b.select(inside, element(column), identity()));
        }
        Value sum = carried[0];
        for (Value value : elements)
          sum = combine(sum, value);
        return Values{sum};
      });
  Value total = joinUnit(totals[0]);
  b.when(
      b.both(b.equal(thread, b.constant(0)), index.less(unit, layout.units())),
      [&] { storeWord(total, function.workspaces[0], unit); });
  return failure(hasFailed);
}

/// Combines the totals of the row's units before this one.
Value ScanLanes::joinStart() {
  const int64_t threads = unitThreads(layout), last = layout.blocks() - 1;
  Value first = index.mul(row, layout.blocks());
  Value own = index.div(begin, layout.block);
  Values sums =
      b.loop(b.constant(llvm::divideCeil(last, threads)), {identity()},
             [&](Value step, ValueRange carried) {
               Value at = index.toIndex(b.add(b.mul(step, threads), thread));
               Value total = loadWord(function.workspaces[0],
                                      index.add(first, index.min(at, last)));
               Value isBefore = index.less(at, own);
               return Values{
                   b.select(isBefore, combine(carried[0], total), carried[0])};
             });
  return joinUnit(sums[0]);
}

/// Returns the prefixes of the row, from those of stripes, followed by the next
/// carry.
ScanLanes::Values ScanLanes::joinStripes(Value step, Value carry,
                                         Values prefixes) {
  Values results;
  if (layout.warps == 1) {
    for (Value prefix : prefixes) {
      results.push_back(combine(carry, prefix));
      carry = b.shuffle(results.back(), ShuffleKind::Index, lastLane,
                        layout.warpSize);
    }
    results.push_back(carry);
    return results;
  }
  const int64_t count = layout.stripes * layout.warps;
  // Threads that are one step behind still read the other half.
  Value half = b.mul(b.bitAnd(step, 1), layout.warpSize);
  b.when(b.equal(lane, b.constant(layout.warpSize - 1)), [&] {
    for (auto [i, prefix] : llvm::enumerate(prefixes))
      storeShared(prefix, b.add(half, b.add(warp, static_cast<int64_t>(i) *
                                                      layout.warps)));
  });
  b.barrier();
  Value totals = loadShared(b.add(
      half,
      count == layout.warpSize ? lane : b.min(lane, b.constant(count - 1))));
  totals = combine(carry, prefixOf(totals, layout.warpSize));
  for (auto [i, prefix] : llvm::enumerate(prefixes)) {
    // The total before this stripe of this warp; for the first stripe, the
    // carry.
    Value own = b.add(warp, static_cast<int64_t>(i) * layout.warps);
    Value isFirst = b.equal(own, b.constant(0));
    Value previous =
        b.select(isFirst, b.constant(0), b.sub(own, b.constant(1)));
    Value before =
        b.shuffle(totals, ShuffleKind::Index, previous, layout.warpSize);
    results.push_back(combine(b.select(isFirst, carry, before), prefix));
  }
  results.push_back(broadcast(totals, count - 1));
  return results;
}

LogicalResult ScanLanes::emitPrefixes() {
  const int64_t steps = llvm::divideCeil(layout.block, layout.perStep());
  Value start = layout.blocks() == 1 ? identity() : joinStart();
  Value isUnit = layout.units() % unitsOfBlock(layout) == 0
                     ? Value()
                     : index.less(unit, layout.units());
  b.loop(b.constant(steps), {start}, [&](Value step, ValueRange carried) {
    Values columns, prefixes;
    for (int64_t i = 0; i < layout.stripes; ++i) {
      columns.push_back(columnOf(step, i));
      prefixes.push_back(element(columns[i]));
    }
    for (Value &prefix : prefixes)
      prefix = prefixOf(prefix, layout.group);
    Values results = joinStripes(step, carried[0], prefixes);
    for (int64_t i = 0; i < layout.stripes; ++i) {
      Value inRow = index.add(begin, columns[i]);
      Value inside = b.both(index.less(columns[i], layout.block), isUnit);
      if (layout.extent % layout.block != 0)
        inside = b.both(inside, index.less(inRow, layout.extent));
      b.when(inside, [&] { write(results[i], row, inRow); });
    }
    return Values{results.back()};
  });
  return failure(hasFailed);
}

KernelPlan planLanes(const ScanLayout &layout) {
  const int64_t bytes =
      codegen::getScalarType(layout.element).getIntOrFloatBitWidth() / 8;
  KernelPlan plan;
  LaunchPlan launch;
  launch.grid[0] = llvm::divideCeil(layout.units(), unitsOfBlock(layout));
  launch.block[0] = unitThreads(layout) * unitsOfBlock(layout);
  launch.sharedBytes = slotsOf(layout) * bytes;
  if (layout.blocks() > 1) {
    plan.workspaces = {layout.units() * bytes};
    launch.suffix = "totals";
    plan.launches.push_back(launch);
    launch.suffix = "prefixes";
  }
  plan.launches.push_back(launch);
  return plan;
}

LogicalResult emitLanes(repro::KernelOp kernel, const ScanLayout &layout,
                        unsigned launch, const Target &target,
                        const KernelFunction &function, OpBuilder &builder) {
  ScanLanes code(kernel, layout, target, function, builder);
  return layout.blocks() > 1 && launch == 0 ? code.emitTotals()
                                            : code.emitPrefixes();
}

} // namespace

const ScanWay scanByLanes = {planLanes, emitLanes};

} // namespace gensyn::gpu
