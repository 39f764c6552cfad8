// Scans in which a thread computes a row, or a block of one, element by
// element.
//
//   blocks   A unit is a block of a row, whose prefixes start from the identity
//            (scan_r1). If rows are interleaved, adjacent threads have adjacent
//            rows: each loads 8 elements of its unit, combines them, and stores
//            them. Along the last dimension a warp moves lines of its units
//            through shared memory, where each thread has a row. The total of
//            a unit is stored to a workspace.
//   carries  A thread for each row combines the totals of its blocks.
//   join     Combines the prefixes after the first block with the carry.
//
// Past the end of a unit some element is read. It is combined after all valid
// ones, and dropped.

#include "ScanCode.h"
#include "ScanWays.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Elements that a thread loads before it combines them.
constexpr int64_t kAhead = 8, kMostAhead = 32;
constexpr int64_t kWalkThreads = 64;
constexpr int64_t kJoinThreads = 128, kJoinEach = 4;

class ScanWalk : ScanCode {
public:
  using ScanCode::ScanCode;

  LogicalResult emitBlocks() {
    thread =
        index.toIndex(b.thread(layout.staged ? layout.warpSize : kWalkThreads));
    if (layout.staged)
      walkStaged();
    else
      walkDirectly();
    return failure(hasFailed);
  }
  LogicalResult emitCarries();
  LogicalResult emitJoin();

private:
  struct Unit {
    Value row, begin; ///< and the first column
  };
  /// Units are numbered block by block.
  Unit locate(Value unit) {
    return {index.rem(unit, layout.rows),
            index.mul(index.div(unit, layout.rows), layout.block)};
  }
  void walkDirectly();
  void walkStaged();

  Value thread;
};

void ScanWalk::walkDirectly() {
  Value unit = index.add(index.mul(block, kWalkThreads), thread);
  b.when(isBelow(unit, layout.units(), layout.units()), [&] {
    Unit at = locate(unit);
    const int64_t steps = llvm::divideCeil(layout.block, kAhead);
    const bool isWhole = layout.block % kAhead == 0;
    Values sums = b.loop(
        b.constant(steps), {identity()}, [&](Value step, ValueRange carried) {
          Value first = index.mul(index.toIndex(step), kAhead);
          Values columns, elements;
          for (int64_t i = 0; i < kAhead; ++i) {
            columns.push_back(index.add(at.begin, index.add(first, i)));
            elements.push_back(
                read(at.row, index.min(columns[i], layout.extent - 1)));
          }
          Value sum = carried[0];
          for (int64_t i = 0; i < kAhead; ++i) {
            // The total excludes elements of the next block.
            Value inBlock = isWhole
                                ? Value()
                                : index.less(index.add(first, i), layout.block);
            sum = b.select(inBlock, combine(sum, elements[i]), sum);
            elements[i] = sum;
          }
          for (int64_t i = 0; i < kAhead; ++i) {
            Value inside = isWhole
                               ? Value()
                               : index.less(index.add(first, i), layout.block);
            if (layout.extent % layout.block != 0 || !isWhole)
              inside = b.both(inside, index.less(columns[i], layout.extent));
            b.when(inside, [&] { write(elements[i], at.row, columns[i]); });
          }
          return Values{sum};
        });
    if (layout.blocks() > 1)
      storeWord(sums[0], function.workspaces[0], unit);
  });
}

/// A tile has `staged` units by `staging` columns, with one slot of padding per
/// unit.
void ScanWalk::walkStaged() {
  const int64_t wide = layout.staging(), pitch = wide + 1;
  const int64_t most = layout.units() - 1;
  Value firstUnit = index.mul(block, layout.staged);
  Value lane = index.toI32(thread);
  const int64_t tiles = llvm::divideCeil(layout.block, wide);
  // Elements of a tile that a thread loads before it stores them.
  constexpr int64_t batch = 8;
  struct Moved {
    Value row, column, slot, inside;
  };
  auto locateMoved = [&](Value tile, Value group, int64_t i) {
    Value at =
        b.add(b.mul(b.add(b.mul(group, batch), i), layout.warpSize), lane);
    Value own = b.div(at, wide), inTile = b.rem(at, wide);
    Value unit = index.add(firstUnit, index.toIndex(own));
    Value isUnit = isBelow(unit, layout.units(),
                           layout.units() % layout.staged == 0 ? 0 : most + 1);
    Unit place = locate(index.min(unit, most));
    Value inBlock =
        index.add(index.mul(index.toIndex(tile), wide), index.toIndex(inTile));
    Moved moved;
    moved.row = place.row;
    moved.column = index.add(place.begin, inBlock);
    moved.slot = b.add(b.mul(own, pitch), inTile);
    moved.inside = b.both(index.less(inBlock, layout.block),
                          index.less(moved.column, layout.extent));
    moved.inside = b.both(moved.inside, isUnit);
    return moved;
  };
  const int64_t groups = layout.staged * wide / (layout.warpSize * batch);
  Value walks = isBelow(thread, layout.staged, layout.warpSize - 1);
  Values sums = b.loop(
      b.constant(tiles), {identity()}, [&](Value tile, ValueRange carried) {
        b.loop(b.constant(groups), {}, [&](Value group, ValueRange) {
          Values elements, slots;
          for (int64_t i = 0; i < batch; ++i) {
            Moved moved = locateMoved(tile, group, i);
            slots.push_back(moved.slot);
            elements.push_back(
                read(moved.row, index.min(moved.column, layout.extent - 1)));
          }
          for (auto [element, slot] : llvm::zip_equal(elements, slots))
            storeShared(element, slot);
          return Values();
        });
        b.barrier();
        auto walk = [&] {
          Value begin = b.mul(lane, pitch);
          return b.loop(b.constant(wide / kAhead), {carried[0]},
                        [&](Value step, ValueRange before) {
                          Values elements;
                          Value first = b.add(begin, b.mul(step, kAhead));
                          for (int64_t i = 0; i < kAhead; ++i)
                            elements.push_back(loadShared(b.add(first, i)));
                          Value sum = before[0];
                          for (int64_t i = 0; i < kAhead; ++i) {
                            sum = combine(sum, elements[i]);
                            storeShared(sum, b.add(first, i));
                          }
                          return Values{sum};
                        });
        };
        Values next =
            walks ? b.either(walks, walk, [&] { return Values{carried[0]}; })
                  : walk();
        b.barrier();
        b.loop(b.constant(groups), {}, [&](Value group, ValueRange) {
          for (int64_t i = 0; i < batch; ++i) {
            Moved moved = locateMoved(tile, group, i);
            b.when(moved.inside, [&] {
              write(loadShared(moved.slot), moved.row, moved.column);
            });
          }
          return Values();
        });
        // The last tile has the block's total among what follows it.
        if (layout.blocks() == 1 || layout.block % wide == 0)
          b.barrier();
        return next;
      });
  if (layout.blocks() == 1)
    return;
  Value unit = index.add(firstUnit, thread);
  b.when(b.both(walks, index.less(unit, layout.units())), [&] {
    const int64_t last = (layout.block - 1) % wide;
    Value total = layout.block % wide == 0
                      ? sums[0]
                      : loadShared(b.add(b.mul(lane, pitch), last));
    storeWord(total, function.workspaces[0], unit);
  });
}

/// Replaces totals by the carries of the next blocks.
LogicalResult ScanWalk::emitCarries() {
  thread = index.toIndex(b.thread(kWalkThreads));
  Value row = index.add(index.mul(block, kWalkThreads), thread);
  const int64_t totals = layout.blocks() - 1;
  const int64_t ahead = std::min(totals - 1, kMostAhead);
  Value buffer = function.workspaces[0];
  b.when(isBelow(row, layout.rows, layout.rows), [&] {
    Value first = loadWord(buffer, row);
    b.loop(b.constant(llvm::divideCeil(totals - 1, ahead)), {first},
           [&](Value step, ValueRange carried) {
             Values elements;
             SmallVector<Value> places, inside;
             Value begin = index.mul(index.toIndex(step), ahead);
             for (int64_t i = 0; i < ahead; ++i) {
               Value at = index.add(begin, i + 1);
               inside.push_back(index.less(at, totals));
               places.push_back(index.add(
                   index.mul(index.min(at, totals), layout.rows), row));
               elements.push_back(loadWord(buffer, places.back()));
             }
             Value sum = carried[0];
             for (int64_t i = 0; i < ahead; ++i) {
               sum = combine(sum, elements[i]);
               elements[i] = sum;
             }
             for (int64_t i = 0; i < ahead; ++i)
               b.when(inside[i],
                      [&] { storeWord(elements[i], buffer, places[i]); });
             return Values{sum};
           });
  });
  return success();
}

LogicalResult ScanWalk::emitJoin() {
  Value first = index.add(index.mul(block, kJoinThreads * kJoinEach),
                          index.toIndex(b.thread(kJoinThreads)));
  // The elements of each row after its first block.
  const int64_t left = layout.extent - layout.block;
  const int64_t total = layout.rows * left;
  SmallVector<Value> rows, columns, inside;
  Values results;
  for (int64_t i = 0; i < kJoinEach; ++i) {
    Value at = index.add(first, i * kJoinThreads);
    inside.push_back(isBelow(at, total, total));
    at = index.min(at, total - 1);
    // Adjacent threads access adjacent elements.
    const int64_t interleaved = layout.stride;
    Value inner =
        interleaved == 1 ? index.constant(0) : index.rem(at, interleaved);
    Value outer = index.div(at, interleaved);
    Value column = index.rem(outer, left);
    Value row =
        index.add(index.mul(index.div(outer, left), interleaved), inner);
    Value before =
        index.add(index.mul(index.div(column, layout.block), layout.rows), row);
    rows.push_back(row);
    // Threads past the end read some element and write nothing.
    columns.push_back(b.select(inside[i], index.add(column, layout.block),
                               index.constant(0)));
    results.push_back(combine(loadWord(function.workspaces[0], before),
                              readBack(row, columns.back())));
  }
  for (int64_t i = 0; i < kJoinEach; ++i)
    b.when(inside[i], [&] { write(results[i], rows[i], columns[i]); });
  return success();
}

KernelPlan planWalks(const ScanLayout &layout) {
  const int64_t bytes =
      codegen::getScalarType(layout.element).getIntOrFloatBitWidth() / 8;
  KernelPlan plan;
  auto add = [&](StringRef suffix, int64_t work, int64_t perBlock,
                 int64_t threads) {
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.suffix = suffix.str();
    launch.grid[0] = llvm::divideCeil(work, perBlock);
    launch.block[0] = threads;
  };
  const bool isOne = layout.blocks() == 1;
  if (layout.staged) {
    add(isOne ? "" : "blocks", layout.units(), layout.staged, layout.warpSize);
    plan.launches[0].sharedBytes =
        layout.staged * (layout.staging() + 1) * bytes;
  } else {
    add(isOne ? "" : "blocks", layout.units(), kWalkThreads, kWalkThreads);
  }
  if (isOne)
    return plan;
  plan.workspaces = {layout.units() * bytes};
  // With two blocks no launch is needed: the carry of the second is the total
  // of the first.
  if (layout.blocks() > 2)
    add("carries", layout.rows, kWalkThreads, kWalkThreads);
  add("join", layout.rows * (layout.extent - layout.block),
      kJoinThreads * kJoinEach, kJoinThreads);
  return plan;
}

LogicalResult emitWalks(repro::KernelOp kernel, const ScanLayout &layout,
                        unsigned launch, const Target &target,
                        const KernelFunction &function, OpBuilder &builder) {
  ScanWalk code(kernel, layout, target, function, builder);
  if (launch == 0)
    return code.emitBlocks();
  return launch == 1 && layout.blocks() > 2 ? code.emitCarries()
                                            : code.emitJoin();
}

} // namespace

const ScanWay scanByWalks = {planWalks, emitWalks};

} // namespace gensyn::gpu
