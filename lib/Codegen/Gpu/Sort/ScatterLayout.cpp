// See ScatterLayout.h.

#include "ScatterLayout.h"

#include "../Common/PointwiseCode.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Positions past the end of twice as many updates still fit into 31 bits.
constexpr int64_t kMostUpdates = int64_t(1) << 29;

int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

/// Returns the number of trailing iterators that are trailing indices of the
/// result and affect nothing else.
unsigned countRowDims(repro::ScatterOp scatter) {
  ArrayRef<int64_t> from =
      cast<ShapedType>(scatter.getUpdates().getType()).getShape();
  ArrayRef<int64_t> to = cast<ShapedType>(scatter.getType()).getShape();
  unsigned count = 0;
  for (; count < std::min(from.size(), to.size()); ++count) {
    const auto iterator = static_cast<unsigned>(from.size() - 1 - count);
    const auto place = static_cast<unsigned>(to.size() - 1 - count);
    auto dim = dyn_cast<AffineDimExpr>(scatter.getMap(0).getResult(place));
    if (!dim || dim.getPosition() != iterator || from[iterator] != to[place])
      break;
    bool isUsed = false;
    for (unsigned number = 0; number < scatter.getMaps().size(); ++number)
      for (auto [i, expr] :
           llvm::enumerate(scatter.getMap(number).getResults()))
        isUsed |= (number > 0 || i != place) && expr.isFunctionOfDim(iterator);
    if (isUsed)
      break;
  }
  return count;
}

/// Reads `chunk` and `ways`. Returns false if they are invalid for a sort.
bool readSchedule(Attribute schedule, SegmentSort &sort) {
  auto fields = dyn_cast<DictionaryAttr>(schedule);
  std::string error;
  const std::pair<StringRef, int64_t *> numbers[] = {{"chunk", &sort.chunk},
                                                     {"ways", &sort.ways}};
  return fields && codegen::readScheduleFields(fields, numbers, {}, error) &&
         llvm::isPowerOf2_64(static_cast<uint64_t>(sort.chunk)) &&
         sort.chunk >= SegmentSort::kLeastChunk &&
         sort.chunk <= SegmentSort::kMostChunk && sort.ways >= 2 &&
         sort.ways <= 8;
}

} // namespace

int64_t ScatterLayout::singleBlocks(const Target &target) const {
  constexpr int64_t residentBlocks = 16;
  return std::min(
      llvm::divideCeil(elements() / width, kScatterThreads),
      static_cast<uint64_t>(target.multiprocessors * residentBlocks));
}

std::optional<ScatterLayout> layOutScatter(repro::KernelOp kernel,
                                           const Target &target) {
  repro::ColumnOpInterface column = codegen::getColumnOp(kernel);
  auto scatter =
      column ? dyn_cast<repro::ScatterOp>(column.getOperation()) : nullptr;
  // A part of a larger tensor; GPUs get whole kernels.
  if (!scatter || scatter.getWithin())
    return std::nullopt;
  ArrayRef<int64_t> from =
      cast<ShapedType>(scatter.getUpdates().getType()).getShape();
  ArrayRef<int64_t> to = cast<ShapedType>(scatter.getType()).getShape();
  const unsigned rowDims = countRowDims(scatter);
  ScatterLayout layout;
  layout.scatter = scatter;
  layout.updateExtents.assign(from.begin(), from.end() - rowDims);
  layout.rowExtents.assign(to.begin(), to.end() - rowDims);
  layout.updates = productOf(layout.updateExtents);
  layout.rows = productOf(layout.rowExtents);
  layout.row = productOf(from.take_back(rowDims));
  if (layout.updates > kMostUpdates || layout.rows >= SegmentSort::kNoTarget)
    return std::nullopt;
  // For combining kinds, many updates at once are better than wide accesses.
  Type scalar = codegen::getScalarType(scatter.getType().getElementType());
  const int64_t bytes =
      std::max<int64_t>(scalar.getIntOrFloatBitWidth() / 8, 1);
  const int64_t most = scatter.getKind() == repro::ScatterKind::Set
                           ? std::min<int64_t>(kAccessBytes / bytes, 8)
                           : 2;
  while (
      layout.row > 0 && 2 * layout.width <= most &&
      layout.row % (2 * layout.width) == 0 &&
      (layout.isSingle() || layout.row >= 2 * layout.width * target.warpSize))
    layout.width *= 2;
  // Expensive elements are unrolled less.
  if (!isa<BlockArgument>(scatter.getUpdates())) {
    const int64_t cheap =
        choosePointwiseShape(kernel, {scatter.getUpdates()}, target).width;
    layout.together = cheap >= 4 ? 16 : cheap;
  }
  layout.sort.warpSize = target.warpSize;
  layout.sort.count = layout.updates;
  layout.sort.chunk =
      std::clamp(static_cast<int64_t>(
                     llvm::PowerOf2Ceil(static_cast<uint64_t>(layout.updates))),
                 SegmentSort::kLeastChunk, SegmentSort::kMostChunk);
  layout.sort.ways = chooseWays(layout.sort.sizes().chunks());
  if (Attribute schedule = kernel.getScheduleAttr())
    if (!readSchedule(schedule, layout.sort))
      return std::nullopt;
  return layout;
}

} // namespace gensyn::gpu
