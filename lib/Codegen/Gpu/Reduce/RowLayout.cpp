// See RowLayout.h. All numbers here are about speed.

#include "RowLayout.h"

#include <algorithm>

using namespace mlir;
using gensyn::repro::KernelForm;

namespace gensyn::gpu {

std::optional<int64_t> lanesOf(const Order &order) {
  if (order.kind() == Order::Kind::Lanes)
    return order.laneCount();
  if (order.isSequential())
    return 1;
  return std::nullopt;
}

Order anyOrder(int64_t points) {
  constexpr int64_t block = 1024;
  if (points <= block)
    return Order::lanes(32);
  return Order::blocked(block, Order::lanes(32),
                        anyOrder(llvm::divideCeil(points, block)));
}

std::optional<Order> ownOrder(repro::ReduceOp reduce) {
  if (std::optional<repro::OrderAttr> order = reduce.getOrder();
      order && *order)
    return order->getOrder();
  return std::nullopt;
}

namespace {

/// Registers of a thread that rows may take, of 255 (128 where a block has 512
/// threads); the rest is for addresses and what functions compute with.
constexpr int64_t kHeld = 96, kHeldInLargeBlocks = 64;
/// Steps that are written out although nothing is held.
constexpr int64_t kShort = 8;
/// Warps of a block that shares a row; of one whose row is staged.
constexpr int64_t kRowWarps = 16, kStagedWarps = 32;
/// Instructions for all points of a thread up to which they are written out,
/// and for those in the bodies of the loops; for a point from which bodies are
/// made shorter.
constexpr int64_t kWritten = 1600, kBody = 800, kLong = 40;
/// Warps that a multiprocessor has to have room for beside what they stage.
/// With fewer, memory waits longer than it takes to read a row again.
constexpr int64_t kLeastWarps = 8;
/// Shared memory that a block takes beside its own.
constexpr int64_t kReservedBytes = 1 << 10;
/// Rows of many units below which units go over the grid: a block for each
/// would leave most multiprocessors of a large device (132 on sm_90) idle.
constexpr int64_t kFewRows = 132;
/// Units of a whole grid from which that pays for a second launch.
constexpr int64_t kManyUnits = 32;

/// One level of an order: blocks of `unit` points by lanes.
struct Shape {
  int64_t lanes, unit;
  bool operator==(const Shape &) const = default;
};

/// True if results of units can be joined in this order: lanes, nested in
/// `outer` only.
bool isJoin(const Order &order) {
  if (order.kind() == Order::Kind::Blocked)
    return lanesOf(order.inner()) && isJoin(order.outer());
  return lanesOf(order).has_value();
}

std::optional<Shape> shapeOf(const Order &order, int64_t columns,
                             const Target &target) {
  if (std::optional<int64_t> lanes = lanesOf(order))
    return Shape{*lanes, columns};
  // A block that holds all would be joined with nothing.
  if (order.kind() != Order::Kind::Blocked || order.blockSize() >= columns ||
      !isJoin(order.outer()))
    return std::nullopt;
  std::optional<int64_t> lanes = lanesOf(order.inner());
  if (!lanes || *lanes < target.warpSize || order.blockSize() % *lanes != 0)
    return std::nullopt;
  return Shape{*lanes, order.blockSize()};
}

/// Full values that are computed for one reduction and needed after it: what
/// every point of a row holds in registers.
int64_t countHeld(const KernelForm &form) {
  const unsigned last = form.numPhases();
  // The walks in which a value is needed: through whatever is not kept itself.
  int64_t held = 0;
  for (auto [value, placement] : form.placements) {
    Operation *op = value.getDefiningOp();
    if (placement != repro::Placement::Full ||
        (op && repro::getElementCost(op) == repro::ElementCost::Free))
      continue;
    const unsigned phase = form.phaseOf(value);
    bool isNeededLater = false;
    for (Operation *user : value.getUsers()) {
      unsigned needed = last;
      if (isa<repro::ReduceOp>(user))
        needed = form.phaseOf(value);
      else if (user->getNumResults() == 1)
        needed = form.phaseOf(user->getResult(0));
      isNeededLater |= needed > phase;
    }
    held += isNeededLater;
  }
  return held;
}

void chooseThreads(RowLayout &layout) {
  layout.group = std::min(layout.lanes, layout.warpSize);
  if (layout.units == 1 && layout.lanes == layout.warpSize) {
    // Wider accesses, and fewer shuffles a row, where each thread still has a
    // few points only.
    const bool isAligned = layout.columns % 4 == 0;
    if (layout.columns <= 8)
      layout.group = 1;
    else if (layout.columns <= 32 || (isAligned && layout.columns <= 256))
      layout.group = 8;
    else if (layout.columns % 2 == 0 && layout.columns <= 512)
      layout.group = 16;
    // Rather all threads than wide accesses.
    while (layout.group < layout.warpSize &&
           layout.rows * layout.group < 4096 && layout.columns > 8)
      layout.group *= 2;
  }
  layout.perThread = layout.lanes / layout.group;
  layout.access = std::min<int64_t>(layout.perThread, 4);
  while (layout.columns % layout.access != 0)
    layout.access /= 2;
}

/// Steps of a whole unit.
int64_t stepsOf(const RowLayout &layout) {
  return llvm::divideCeil(std::min(layout.unit, layout.columns), layout.lanes);
}

/// True if the points of a row fit into registers, and the code of all of them
/// is not too long.
bool canHold(const RowLayout &layout, int64_t held, int64_t instructions) {
  const int64_t steps = stepsOf(layout), points = steps * layout.perThread;
  if (points > kShort / 2 && points * instructions > kWritten)
    return false;
  if (layout.units == 1)
    return steps <= kShort || (held > 0 && points * held <= kHeld);
  return layout.units <= kRowWarps && held > 0 &&
         points * held <= (layout.units > 8 ? kHeldInLargeBlocks : kHeld);
}

/// Warps for rows of many units that are walked by loops.
int64_t chooseRowWarps(const RowLayout &layout) {
  if (!layout.stage.values.empty()) // few blocks: all there may be
    return llvm::divideCeil(layout.units,
                            llvm::divideCeil(layout.units, kStagedWarps));
  // As few idle warps in the last round as can be had.
  int64_t best = std::min(layout.units, kRowWarps);
  auto idle = [&](int64_t warps) {
    return llvm::divideCeil(layout.units, warps) * warps - layout.units;
  };
  for (int64_t warps = best; warps >= kRowWarps / 2; --warps)
    if (idle(warps) < idle(best))
      best = warps;
  return best;
}

/// True if enough warps run beside each other with so much shared memory.
bool hasRoom(const RowLayout &layout, int64_t bytes, const Target &target) {
  const int64_t blocks =
      (target.sharedBytes + kReservedBytes) / (bytes + kReservedBytes);
  return bytes <= target.sharedBytes && blocks * layout.warps >= kLeastWarps;
}

/// Stages a row that is not held, where that pays: all that walks need again,
/// or what is computed at least.
void chooseStage(RowLayout &layout, const KernelForm &form,
                 const Target &target) {
  // With fewer threads a row the rows of a warp would meet in the same banks.
  if (layout.group < 8)
    return;
  const bool canBeWide = layout.lanes == layout.warpSize &&
                         layout.group == layout.warpSize &&
                         layout.columns % 4 == 0;
  layout.wideResults = canBeWide;
  layout.wideFirst = canBeWide && llvm::none_of(form.reductionsOf(0), ownOrder);
  for (bool arguments : {true, false}) {
    layout.stage = planStage(form, arguments);
    if (layout.stage.values.empty())
      break;
    layout.warps = layout.units == 1 ? 4 : chooseRowWarps(layout);
    const int64_t words = layout.units == 1 ? 0 : countJoinWords(form, layout);
    if (hasRoom(layout, layout.stageBytes() + words * 8, target))
      return;
  }
  layout.stage = {};
  layout.wideFirst = layout.wideResults = false;
}

} // namespace

Order outerOrder(repro::ReduceOp reduce, const RowLayout &layout) {
  // A reduction without an order follows the units of the others.
  std::optional<Order> order = ownOrder(reduce);
  return order ? order->outer() : anyOrder(layout.units);
}

int64_t countJoinSlots(const Order &outer, int64_t count) {
  if (outer.kind() != Order::Kind::Blocked)
    return count;
  return count + countJoinSlots(outer.outer(),
                                llvm::divideCeil(count, outer.blockSize()));
}

int64_t countJoinWords(const KernelForm &form, const RowLayout &layout) {
  int64_t words = 0;
  for (repro::ReduceOp reduce : form.reductions)
    words += countJoinSlots(outerOrder(reduce, layout), layout.units);
  return words;
}

/// True if the units of all rows are walked side by side, by a launch of their
/// own: where all that follows the reductions is a number per row.
static bool isSplit(const KernelForm &form, const RowLayout &layout) {
  bool hasFullResults = false;
  Operation *yield = form.reductions.front()->getBlock()->getTerminator();
  for (Value yielded : yield->getOperands())
    hasFullResults |=
        cast<ShapedType>(yielded.getType()).getNumElements() != form.rows;
  return layout.units > 1 && !hasFullResults && form.numPhases() == 1 &&
         form.rows < kFewRows && form.rows * layout.units >= kManyUnits;
}

std::optional<RowLayout> chooseRowLayout(const KernelForm &form,
                                         const Target &target,
                                         const RowWishes &wishes) {
  RowLayout layout;
  layout.warpSize = target.warpSize;
  layout.rows = form.rows;
  layout.columns = form.columns;
  std::optional<Shape> shape;
  for (repro::ReduceOp reduce : form.reductions) {
    std::optional<Order> order = ownOrder(reduce);
    if (!order)
      continue;
    std::optional<Shape> own = shapeOf(*order, form.columns, target);
    if (!own || (shape && *own != *shape))
      return std::nullopt;
    shape = own;
  }
  if (!shape)
    shape = shapeOf(anyOrder(form.columns), form.columns, target);
  layout.lanes = shape->lanes;
  layout.unit = shape->unit;
  layout.units = llvm::divideCeil(form.columns, shape->unit);
  chooseThreads(layout);
  layout.warps = 4;
  layout.isSplit = wishes.spread && isSplit(form, layout);
  auto count = [&](const RowStage &stage) {
    return countInstructions(form, stage, !target.hasFastDouble());
  };
  layout.isHeld = wishes.hold && !layout.isSplit &&
                  canHold(layout, countHeld(form),
                          llvm::sum_of(count(planStage(form, true))));
  if (!layout.isHeld && !layout.isSplit && wishes.stage)
    chooseStage(layout, form, target);
  const SmallVector<int64_t> counts = count(layout.stage);
  const int64_t all = llvm::sum_of(counts);
  for (int64_t instructions : counts) {
    int64_t &unrolled = layout.unrolled.emplace_back(RowLayout::kUnrolled);
    // Walks that are alike share the room.
    if (instructions > kLong)
      while (unrolled > 2 && unrolled * all > kBody)
        unrolled /= 2;
  }
  if (layout.units > 1 && !layout.isSplit)
    layout.warps = layout.isHeld ? layout.units : chooseRowWarps(layout);
  return layout;
}

} // namespace gensyn::gpu
