// See RowLayout.h. All constants here affect speed only.

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

/// Registers of a thread for held rows, of 255 (128 in blocks of 512 threads).
/// The others are for addresses and intermediate values.
constexpr int64_t kHeld = 96, kHeldInLargeBlocks = 64;
/// Steps that are unrolled even if nothing is held.
constexpr int64_t kShort = 8;
/// Maximum warps of a block that shares a row, and of one whose row is staged.
constexpr int64_t kRowWarps = 16, kStagedWarps = 32;
/// Maximum warps of the block that combines the units of a row that are spread
/// over the grid.
constexpr int64_t kJoinWarps = 32;
/// Maximum instructions for all points of a thread if they are unrolled, and
/// for those in loop bodies. Bodies become shorter if a point has more than
/// kLong.
constexpr int64_t kWritten = 1600, kBody = 800, kLong = 40;
/// Minimum resident warps per multiprocessor with staged rows. With fewer,
/// memory latency costs more than reading a row again.
constexpr int64_t kLeastWarps = 8;
/// Shared memory that the system reserves per block.
constexpr int64_t kReservedBytes = 1 << 10;
/// With fewer rows of many units, the units are spread over the grid: a block
/// per row would leave most multiprocessors of a large device (132 on sm_90)
/// idle.
constexpr int64_t kFewRows = 132;
/// Minimum units of a grid that justify the second launch.
constexpr int64_t kManyUnits = 32;

/// One level of an order: blocks of `unit` points by lanes.
struct Shape {
  int64_t lanes, unit;
  bool operator==(const Shape &) const = default;
};

/// True if the results of units can be combined in this order: lanes, nested in
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
  // A single block would not be combined with others.
  if (order.kind() != Order::Kind::Blocked || order.blockSize() >= columns ||
      !isJoin(order.outer()))
    return std::nullopt;
  std::optional<int64_t> lanes = lanesOf(order.inner());
  if (!lanes || *lanes < target.warpSize || order.blockSize() % *lanes != 0)
    return std::nullopt;
  return Shape{*lanes, order.blockSize()};
}

/// Counts the Full values that are needed after the walk that computes them:
/// the registers of each point of a held row.
int64_t countHeld(const KernelForm &form) {
  // A value is needed in the phases of its users; reductions and the results
  // take it in the phase that computes it.
  int64_t held = 0;
  for (auto [value, placement] : form.placements) {
    Operation *op = value.getDefiningOp();
    if (placement != repro::Placement::Full ||
        (op && repro::getElementCost(op) == repro::ElementCost::Free))
      continue;
    const unsigned phase = form.phaseOf(value);
    bool isNeededLater = false;
    for (Operation *user : value.getUsers()) {
      unsigned needed = phase;
      if (user->getNumResults() == 1 && !isa<repro::ReduceOp>(user))
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
    // Accesses are wider, and rows need fewer shuffles, as long as each thread
    // has only a few points.
    const bool isAligned = layout.columns % 4 == 0;
    if (layout.columns <= 8)
      layout.group = 1;
    else if (layout.columns <= 32 || (isAligned && layout.columns <= 256))
      layout.group = 8;
    else if (layout.columns % 2 == 0 && layout.columns <= 512)
      layout.group = 16;
    // Using all threads is better than wide accesses.
    while (layout.group < layout.warpSize &&
           layout.rows * layout.group < 4096 && layout.columns > 8)
      layout.group *= 2;
  }
  layout.perThread = layout.lanes / layout.group;
  layout.access = std::min<int64_t>(layout.perThread, 4);
  while (layout.columns % layout.access != 0)
    layout.access /= 2;
}

/// Returns the steps of a whole unit.
int64_t stepsOf(const RowLayout &layout) {
  return llvm::divideCeil(std::min(layout.unit, layout.columns), layout.lanes);
}

/// True if the points of a row fit into registers and their unrolled code is
/// not too long.
bool canHold(const RowLayout &layout, int64_t held, int64_t instructions) {
  const int64_t steps = stepsOf(layout), points = steps * layout.perThread;
  if (points > kShort / 2 && points * instructions > kWritten)
    return false;
  if (layout.units == 1)
    return steps <= kShort || (held > 0 && points * held <= kHeld);
  return layout.units <= kRowWarps && held > 0 &&
         points * held <= (layout.units > 8 ? kHeldInLargeBlocks : kHeld);
}

/// Chooses the warps for rows of many units that are processed by loops.
int64_t chooseRowWarps(const RowLayout &layout) {
  if (!layout.stage.values.empty()) // few blocks fit: use all warps
    return llvm::divideCeil(layout.units,
                            llvm::divideCeil(layout.units, kStagedWarps));
  // Minimizes the idle warps in the last iteration.
  int64_t best = std::min(layout.units, kRowWarps);
  auto idle = [&](int64_t warps) {
    return llvm::divideCeil(layout.units, warps) * warps - layout.units;
  };
  for (int64_t warps = best; warps >= kRowWarps / 2; --warps)
    if (idle(warps) < idle(best))
      best = warps;
  return best;
}

/// Returns the blocks per multiprocessor for which there is shared memory if
/// each has `bytes`.
int64_t countResident(int64_t bytes, const Target &target) {
  return bytes <= target.sharedBytes
             ? (target.sharedBytes + kReservedBytes) / (bytes + kReservedBytes)
             : 0;
}

/// Stages a row that is not held, if that is faster: all values that several
/// walks need or, if they do not fit, those that are computed.
void chooseStage(RowLayout &layout, const KernelForm &form,
                 const Target &target) {
  // With fewer threads per row the rows of a warp would have bank conflicts.
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
    const int64_t blocks =
        countResident(layout.stageBytes() + words * 8, target);
    layout.isAlone = blocks == 1;
    if (blocks * layout.warps >= kLeastWarps)
      return;
  }
  layout.stage = {};
  layout.isAlone = false;
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

/// True if the units of all rows are processed in parallel by a first launch.
/// This requires that only values per row follow the reductions.
static bool isSplit(const KernelForm &form, const RowLayout &layout) {
  bool hasFullResults = false;
  Operation *yield = form.reductions.front()->getBlock()->getTerminator();
  for (Value yielded : yield->getOperands())
    hasFullResults |=
        cast<ShapedType>(yielded.getType()).getNumElements() != form.rows;
  return layout.units > 1 && !hasFullResults && form.numPhases() == 1 &&
         form.rows < kFewRows && form.rows * layout.units >= kManyUnits;
}

/// Returns the warps that combine the units of a row from global memory: one
/// for each block of the outer order.
static int64_t chooseJoinWarps(const KernelForm &form,
                               const RowLayout &layout) {
  int64_t blocks = 1;
  for (repro::ReduceOp reduce : form.reductions) {
    const Order outer = outerOrder(reduce, layout);
    if (outer.kind() == Order::Kind::Blocked)
      blocks = std::max<int64_t>(
          blocks, llvm::divideCeil(layout.units, outer.blockSize()));
  }
  return std::min(blocks, kJoinWarps);
}

std::optional<RowLayout> chooseRowLayout(const KernelForm &form,
                                         const Target &target,
                                         const RowScheduleOptions &options) {
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
  layout.isSplit = options.spread && isSplit(form, layout);
  auto count = [&](const RowStage &stage) {
    return countInstructions(form, stage, !target.hasFastDouble());
  };
  layout.isHeld = options.hold && !layout.isSplit &&
                  canHold(layout, countHeld(form),
                          llvm::sum_of(count(planStage(form, true))));
  if (!layout.isHeld && !layout.isSplit && options.stage)
    chooseStage(layout, form, target);
  const SmallVector<int64_t> counts = count(layout.stage);
  const int64_t all = llvm::sum_of(counts);
  for (int64_t instructions : counts) {
    int64_t &unrolled = layout.unrolled.emplace_back(RowLayout::kUnrolled);
    // Walks divide the instruction limit.
    if (instructions > kLong)
      while (unrolled > 2 && unrolled * all > kBody)
        unrolled /= 2;
  }
  if (options.unrolled > 0)
    layout.unrolled.front() = options.unrolled;
  if (layout.isSplit) {
    layout.warps = chooseJoinWarps(form, layout);
    if (options.warps > 0)
      layout.splitWarps = options.warps;
  } else if (layout.units > 1) {
    layout.warps = layout.isHeld   ? layout.units
                   : options.warps ? options.warps
                                   : chooseRowWarps(layout);
  }
  return layout;
}

} // namespace gensyn::gpu
