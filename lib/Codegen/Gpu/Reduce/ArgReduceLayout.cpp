// See ArgReduceLayout.h. All constants here affect speed only.

#include "ArgReduceLayout.h"

#include "../Common/PointwiseCode.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Maximum threads of a group.
constexpr int64_t kMostArgThreads = 512;
/// Threads that fill a large device (132 multiprocessors of 1024).
constexpr int64_t kFullDevice = int64_t(1) << 17;
/// Large blocks that a large device runs at the same time.
constexpr int64_t kManyArgBlocks = 264;
/// Minimum iterations of a block that justify a second launch.
constexpr int64_t kTurnsOfUnit = 4;
constexpr int64_t kMostUnits = 1024;

int64_t ceilPowerOf2(int64_t value) {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(value)));
}

/// Finds the extents around the points. Returns false if the reduced dimensions
/// are not adjacent.
bool findPoints(ArgReduceLayout &layout) {
  repro::ArgReduceOp op = layout.op;
  repro::DomainAttr domain = op.getDomain();
  ArrayRef<int64_t> extents = domain.getExtents();
  auto operand = cast<ShapedType>(op.getOperand().getType());
  if (operand.getShape() != extents || !op.getMap(0).isIdentity() ||
      !llvm::is_sorted(domain.getReduced()))
    return false;
  SmallVector<AffineExpr> kept;
  bool hasPoints = false;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (domain.isReduced(dim)) {
      if (layout.inner != 1)
        return false;
      layout.points *= extents[dim];
      hasPoints = true;
      continue;
    }
    kept.push_back(getAffineDimExpr(dim, op.getContext()));
    (hasPoints ? layout.inner : layout.outer) *= extents[dim];
  }
  return ArrayRef(kept) == op.getMap(1).getResults() &&
         cast<ShapedType>(op.getType()).getNumElements() == layout.results();
}

/// Assigns threads to rows, and to results with few adjacent ones.
void chooseNarrow(ArgReduceLayout &layout) {
  layout.across = ceilPowerOf2(layout.inner);
  auto size = [&] { return layout.across * layout.share; };
  auto all = [&] { return layout.tiles() * size(); };
  layout.share = layout.warpSize / layout.across;
  // There are no more threads than points, and fewer if each would have few
  // points.
  while (layout.share > 1 &&
         (layout.step() >= 2 * layout.points ||
          (layout.step() * 4 > layout.points && all() > kFullDevice / 2)))
    layout.share /= 2;
  while (size() < kMostArgThreads && layout.step() * 8 < layout.points &&
         all() < kFullDevice)
    layout.share *= 2;
  layout.groups = size() >= 128              ? 1
                  : size() > layout.warpSize ? 1
                                             : 128 / size();
}

/// Assigns threads to results with many adjacent ones.
void chooseWide(ArgReduceLayout &layout, int64_t most) {
  layout.across = layout.warpSize;
  while (layout.width * 2 <= most && layout.inner % (layout.width * 2) == 0 &&
         layout.results() / (layout.width * 2) >= kFullDevice / 8)
    layout.width *= 2;
  layout.share = 1;
  auto all = [&] { return layout.tiles() * layout.warpSize * layout.share; };
  while (layout.across * layout.share < kMostArgThreads &&
         layout.share * 4 <= layout.points && all() < kFullDevice)
    layout.share *= 2;
  layout.groups = layout.share == 1 ? 4 : 1;
}

/// Splits results into units of several iterations if there are too few blocks.
void chooseUnits(ArgReduceLayout &layout) {
  layout.unit = layout.points;
  const int64_t least = kTurnsOfUnit * layout.turn();
  if (layout.groups > 1 || layout.tiles() >= kManyArgBlocks / 4 ||
      layout.points < 2 * least)
    return;
  const int64_t wanted =
      std::min<int64_t>({(kManyArgBlocks - 1) / layout.tiles() + 1,
                         layout.points / least, kMostUnits});
  layout.unit =
      llvm::divideCeil(llvm::divideCeil(layout.points, wanted), layout.turn()) *
      layout.turn();
  layout.units = llvm::divideCeil(layout.points, layout.unit);
}

} // namespace

int64_t ArgReduceLayout::tiles() const {
  return isNarrow() ? outer : llvm::divideCeil(results(), across * width);
}

std::optional<ArgReduceLayout> layOutArgReduce(repro::KernelOp kernel,
                                               const Target &target) {
  if (kernel.getScheduleAttr() || kernel.getYielded().size() != 1)
    return std::nullopt;
  ArgReduceLayout layout;
  layout.warpSize = target.warpSize;
  layout.op = kernel.getYielded().front().getDefiningOp<repro::ArgReduceOp>();
  if (!layout.op)
    return std::nullopt;
  // Elements of other reductions are too expensive to be computed by a thread.
  for (Operation &op : kernel.getBlock().without_terminator())
    if (&op != layout.op &&
        isa<repro::ColumnOpInterface, repro::DomainOpInterface>(op))
      return std::nullopt;
  Value operand = layout.op.getOperand();
  Type element = cast<ShapedType>(operand.getType()).getElementType();
  if (isStorageOnly(*repro::getElementType(element)) || !findPoints(layout) ||
      layout.points < 2 || layout.results() == 0)
    return std::nullopt;
  const PointwiseShape shape = choosePointwiseShape(kernel, {operand}, target);
  const int64_t most = std::min<int64_t>(shape.width, 8);
  if (layout.isRow())
    while (layout.width < most && layout.points % (2 * layout.width) == 0)
      layout.width *= 2;
  // Expensive elements are unrolled less.
  const bool isCheap = shape.width >= 4 || isa<BlockArgument>(operand);
  layout.together = !isCheap ? shape.width : layout.width >= 4 ? 4 : 8;
  if (layout.isNarrow())
    chooseNarrow(layout);
  else
    chooseWide(layout, most);
  layout.together = std::min(
      layout.together, std::max<int64_t>(1, layout.points / layout.step()));
  chooseUnits(layout);
  return layout;
}

} // namespace gensyn::gpu
