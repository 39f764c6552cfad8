// See ColumnLayout.h. The constants here affect speed only.

#include "ColumnLayout.h"

#include "RowLayout.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Maximum points of a column that one thread reduces alone.
constexpr int64_t kFewPoints = 8;
/// Usual and maximum number of threads per column, and the maximum of a block.
constexpr int64_t kUsualShare = 8, kMostShare = 32, kMostThreads = 512;
/// Maximum sums in the registers of a thread.
constexpr int64_t kMostSums = 64;
/// Minimum bytes of adjacent columns of a tile. Narrower ones, of a single
/// sector of 32 bytes, are slower than idle multiprocessors.
constexpr int64_t kLeastBytes = 64;
/// Points of a thread in a loop body, and the instructions of a point from
/// which on they are fewer.
constexpr int64_t kUnrolled = 16, kFewUnrolled = 8, kLongColumnBody = 40;

/// Appends the levels of an order. Returns false if it has another form.
bool addLevels(const Order &order, int64_t points,
               SmallVectorImpl<ColumnLevel> &levels) {
  const bool isBlocked = order.kind() == Order::Kind::Blocked;
  std::optional<int64_t> lanes = lanesOf(isBlocked ? order.inner() : order);
  if (!lanes)
    return false;
  ColumnLevel &level = levels.emplace_back();
  level.points = points;
  level.lanes = *lanes;
  level.unit = isBlocked ? std::min(order.blockSize(), points) : points;
  level.units = llvm::divideCeil(points, level.unit);
  // The outer order is applied to the result of a single block too.
  return !isBlocked || addLevels(order.outer(), level.units, levels);
}

/// Returns the smallest width with which a row of a tile has kLeastBytes of all
/// operands.
int64_t leastWidth(const repro::KernelForm &form) {
  int64_t bytes = kLeastBytes;
  for (repro::ReduceOp reduce : form.reductions) {
    Type type = cast<ShapedType>(reduce.getType()).getElementType();
    bytes = std::min<int64_t>(bytes,
                              getStoredType(type).getIntOrFloatBitWidth() / 8);
  }
  return kLeastBytes / bytes;
}

/// Returns false if a thread would have too many sums.
bool chooseColumnThreads(const repro::KernelForm &form, const Target &target,
                         const ColumnScheduleOptions &options,
                         ColumnLevel &level) {
  const auto needed = static_cast<int64_t>(
      llvm::PowerOf2Ceil(static_cast<uint64_t>(form.columns)));
  const bool isAlone = level.lanes == 1 || level.unit <= kFewPoints;
  auto setWidth = [&](int64_t width) {
    level.width = std::min(needed, width);
    level.tiles = llvm::divideCeil(form.columns, level.width);
  };
  setWidth(isAlone ? 4 * target.warpSize : target.warpSize);
  // Narrower tiles leave fewer multiprocessors idle.
  while (!isAlone && level.blocks() < target.multiprocessors &&
         level.width > leastWidth(form))
    setWidth(level.width / 2);
  const int64_t most = std::min(level.lanes, kMostShare);
  level.share = isAlone ? 1 : std::min(most, kUsualShare);
  if (!isAlone && options.width > 0)
    setWidth(options.width);
  if (!isAlone && options.share > 0)
    level.share = std::min(level.lanes, options.share);
  if (options.unrolled > 0)
    level.unrolled = options.unrolled;
  auto hasRoom = [&] {
    return options.share == 0 && level.threads() < kMostThreads &&
           level.blocks() < 2 * target.multiprocessors &&
           level.share * 2 <= level.unit;
  };
  auto sums = [&] {
    // Lanes without points take no registers.
    return static_cast<int64_t>(form.reductions.size()) *
           llvm::divideCeil(std::min(level.lanes, level.unit), level.share);
  };
  while (level.share < most && ((!isAlone && hasRoom()) || sums() > kMostSums))
    level.share *= 2;
  // The sums of more threads would not be in registers.
  while (options.width == 0 && options.share == 0 &&
         level.threads() > kMostThreads && level.width > leastWidth(form))
    setWidth(level.width / 2);
  level.perThread = level.lanes / level.share;
  return sums() <= kMostSums;
}

/// Returns the form of a kernel that only reduces an argument over adjacent
/// dimensions.
std::optional<ColumnForm> getMiddleForm(repro::KernelOp kernel) {
  Block &block = kernel.getBlock();
  auto reduce = dyn_cast<repro::ReduceOp>(block.front());
  if (!reduce || !llvm::hasSingleElement(block.without_terminator()) ||
      kernel.getYielded().size() != 1 ||
      kernel.getYielded().front() != reduce.getResult())
    return std::nullopt;
  ColumnForm form;
  form.argument = dyn_cast<BlockArgument>(reduce.getOperand());
  repro::DomainAttr domain = reduce.getDomain();
  ArrayRef<int64_t> extents = domain.getExtents();
  auto operand = cast<ShapedType>(reduce.getOperand().getType());
  if (!form.argument || operand.getNumElements() == 0 ||
      operand.getShape() != extents || !reduce.getMap(0).isIdentity())
    return std::nullopt;
  int64_t outer = 1;
  SmallVector<AffineExpr> kept;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (domain.isReduced(dim)) {
      if (form.inner != 1)
        return std::nullopt;
      form.space.rows *= extents[dim];
      continue;
    }
    kept.push_back(getAffineDimExpr(dim, reduce.getContext()));
    (form.space.rows == 1 ? outer : form.inner) *= extents[dim];
  }
  if (ArrayRef(kept) != reduce.getMap(1).getResults() || form.space.rows < 2)
    return std::nullopt;
  form.space.kind = repro::KernelKind::ColumnSums;
  form.space.columns = outer * form.inner;
  form.space.reductions.push_back(reduce);
  form.space.placements[reduce.getResult()] = repro::Placement::Column;
  return form;
}

} // namespace

std::optional<ColumnForm> getColumnForm(repro::KernelOp kernel) {
  ColumnForm form;
  form.space = repro::getKernelForm(kernel);
  form.inner = form.space.columns;
  if (form.space.kind == repro::KernelKind::ColumnSums)
    return form;
  if (form.space.kind == repro::KernelKind::Other)
    return getMiddleForm(kernel);
  return std::nullopt;
}

std::optional<SmallVector<ColumnLevel>>
chooseColumnLevels(const repro::KernelForm &form, const Target &target,
                   const ColumnScheduleOptions &options) {
  std::optional<Order> common;
  for (repro::ReduceOp reduce : form.reductions) {
    std::optional<Order> order = ownOrder(reduce);
    if (order && common && *order != *common)
      return std::nullopt;
    // Reductions without an order follow the order of the others.
    if (order)
      common = order;
  }
  SmallVector<ColumnLevel> levels;
  if (!addLevels(common ? *common : anyOrder(form.rows), form.rows, levels))
    return std::nullopt;
  const int64_t instructions = llvm::sum_of(
      countInstructions(form, RowStage(), !target.hasFastDouble()));
  for (ColumnLevel &level : levels) {
    level.unrolled = instructions < kLongColumnBody ? kUnrolled : kFewUnrolled;
    if (!chooseColumnThreads(form, target, options, level))
      return std::nullopt;
  }
  return levels;
}

} // namespace gensyn::gpu
