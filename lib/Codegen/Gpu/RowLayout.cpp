// See RowLayout.h. All numbers here are about speed.

#include "RowLayout.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

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
/// Warps of a block that shares a row.
constexpr int64_t kRowWarps = 16;
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

/// Whether results of units can be joined in this order: lanes, nested in
/// `outer` only.
bool isJoin(const Order &order) {
  if (order.kind() == Order::Kind::Blocked)
    return lanesOf(order.inner()) && isJoin(order.outer());
  return lanesOf(order).has_value();
}

std::optional<Shape> shapeOf(const Order &order, int64_t columns) {
  if (std::optional<int64_t> lanes = lanesOf(order))
    return Shape{*lanes, columns};
  // A block that holds all would be joined with nothing.
  if (order.kind() != Order::Kind::Blocked || order.blockSize() >= columns ||
      !isJoin(order.outer()))
    return std::nullopt;
  std::optional<int64_t> lanes = lanesOf(order.inner());
  if (!lanes || *lanes < kWarp || order.blockSize() % *lanes != 0)
    return std::nullopt;
  return Shape{*lanes, order.blockSize()};
}

/// Full values that are computed for one reduction and needed after it: what
/// every point of a row holds in registers.
int64_t countHeld(const repro::KernelForm &form) {
  const unsigned last = form.numPhases();
  // The walks in which a value is needed: through whatever is not kept itself.
  int64_t held = 0;
  for (auto [value, placement] : form.placements) {
    if (placement != repro::Placement::Full ||
        isa_and_nonnull<repro::ConstantOp, repro::BroadcastOp,
                        repro::ReshapeOp>(value.getDefiningOp()))
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

void chooseThreads(RowLayout &layout, int64_t held) {
  layout.group = std::min(layout.lanes, kWarp);
  if (layout.units == 1 && layout.lanes == kWarp) {
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
    while (layout.group < kWarp && layout.rows * layout.group < 4096 &&
           layout.columns > 8)
      layout.group *= 2;
  }
  layout.perThread = layout.lanes / layout.group;
  layout.access = std::min<int64_t>(layout.perThread, 4);
  while (layout.columns % layout.access != 0)
    layout.access /= 2;

  const int64_t steps =
      llvm::divideCeil(std::min(layout.unit, layout.columns), layout.lanes);
  const int64_t points = steps * layout.perThread;
  if (layout.units == 1) {
    layout.warps = 4;
    layout.isHeld = steps <= kShort || (held > 0 && points * held <= kHeld);
    return;
  }
  layout.isHeld =
      layout.units <= kRowWarps && held > 0 &&
      points * held <= (layout.units > 8 ? kHeldInLargeBlocks : kHeld);
  layout.warps = std::min(layout.units, kRowWarps);
  if (layout.isHeld)
    return;
  // As few idle warps in the last round as can be had.
  auto idle = [&](int64_t warps) {
    return llvm::divideCeil(layout.units, warps) * warps - layout.units;
  };
  for (int64_t warps = layout.warps; warps >= kRowWarps / 2; --warps)
    if (idle(warps) < idle(layout.warps))
      layout.warps = warps;
}

} // namespace

Order outerOrder(repro::ReduceOp reduce, const RowLayout &layout) {
  // What may be joined in any order goes along with the others' units.
  std::optional<Order> order = ownOrder(reduce);
  return order ? order->outer() : anyOrder(layout.units);
}

int64_t countJoinSlots(const Order &outer, int64_t count) {
  if (outer.kind() != Order::Kind::Blocked)
    return count;
  return count + countJoinSlots(outer.outer(),
                                llvm::divideCeil(count, outer.blockSize()));
}

std::optional<RowLayout> chooseRowLayout(const repro::KernelForm &form) {
  RowLayout layout;
  layout.rows = form.rows;
  layout.columns = form.columns;
  std::optional<Shape> shape;
  for (repro::ReduceOp reduce : form.reductions) {
    std::optional<Order> order = ownOrder(reduce);
    if (!order)
      continue;
    std::optional<Shape> own = shapeOf(*order, form.columns);
    if (!own || (shape && *own != *shape))
      return std::nullopt;
    shape = own;
  }
  if (!shape)
    shape = shapeOf(anyOrder(form.columns), form.columns);
  layout.lanes = shape->lanes;
  layout.unit = shape->unit;
  layout.units = llvm::divideCeil(form.columns, shape->unit);
  chooseThreads(layout, countHeld(form));
  // Where all that follows the reductions is a number per row.
  bool hasFullResults = false;
  Operation *yield = form.reductions.front()->getBlock()->getTerminator();
  for (Value yielded : yield->getOperands())
    hasFullResults |=
        cast<ShapedType>(yielded.getType()).getNumElements() != form.rows;
  layout.isSplit = layout.units > 1 && !hasFullResults &&
                   form.numPhases() == 1 && form.rows < kFewRows &&
                   form.rows * layout.units >= kManyUnits;
  if (layout.isSplit) {
    layout.isHeld = false;
    layout.warps = 4;
  }
  return layout;
}

} // namespace gensyn::gpu
