// See ScanLayout.h.

#include "ScanLayout.h"

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// For free scans by lanes: the minimum elements of a block, the maximum blocks
/// of a row, and the units that fill the device.
constexpr int64_t kLeastBlock = 4096, kMostBlocks = 1024, kFullUnits = 1024;
/// The same if one thread walks each block.
constexpr int64_t kLeastWalk = 64, kMostWalks = 256, kFullWalks = 32768;
constexpr int64_t kScanWarps = 8, kScanStripes = 4;
/// A warp stages several units only if as many warps do.
constexpr int64_t kFullWarps = 512;

int64_t powerOf2(int64_t value) {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(value)));
}

/// Chooses the block of a free scan: a row has few enough blocks that their
/// totals are combined quickly, and not more than fill the device.
int64_t chooseBlock(const ScanLayout &layout, int64_t least, int64_t most,
                    int64_t full) {
  const int64_t wanted = std::clamp<int64_t>(full / layout.rows, 1, most);
  const int64_t block = powerOf2(llvm::divideCeil(layout.extent, wanted));
  return std::min(std::max(block, least), layout.extent);
}

void dealLanes(ScanLayout &layout) {
  layout.group = std::min(powerOf2(layout.extent), layout.warpSize);
  layout.stripes = std::min<int64_t>(
      llvm::divideCeil(layout.extent, layout.group), kScanStripes);
  layout.warps =
      layout.extent > layout.warpSize * kScanStripes ? kScanWarps : 1;
}

} // namespace

std::optional<ScanLayout> chooseScanLayout(repro::KernelOp kernel,
                                           const Target &target) {
  repro::ColumnOpInterface column = codegen::getColumnOp(kernel);
  auto scan = column ? dyn_cast<repro::ScanOp>(column.getOperation()) : nullptr;
  if (!scan || (scan.needsOrder() && !scan.getOrder()))
    return std::nullopt;
  auto type = cast<ShapedType>(scan.getType());
  const auto dim = static_cast<unsigned>(scan.getDim());
  ScanLayout layout;
  layout.scan = scan;
  layout.warpSize = target.warpSize;
  layout.element = type.getElementType();
  layout.extent = type.getDimSize(dim);
  layout.rowExtents = column.getColumns();
  for (int64_t extent : layout.rowExtents)
    layout.rows *= extent;
  for (int64_t extent : type.getShape().drop_front(dim + 1))
    layout.stride *= extent;
  if (layout.rows == 0 || layout.extent == 0)
    return std::nullopt;
  layout.isFree = !scan.needsOrder();
  layout.isLanes = layout.isFree && layout.stride == 1;
  if (layout.isLanes)
    layout.block = chooseBlock(layout, kLeastBlock, kMostBlocks, kFullUnits);
  else if (layout.isFree)
    layout.block = chooseBlock(layout, kLeastWalk, kMostWalks, kFullWalks);
  else if (scan.getOrder()->getOrder().isSequential())
    layout.block = layout.extent;
  else
    layout.block =
        std::min(layout.extent, scan.getOrder()->getOrder().blockSize());
  if (!layout.isLanes && layout.stride == 1)
    layout.staged = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(
        std::clamp<int64_t>(layout.units() / kFullWarps, 1, layout.warpSize))));
  if (Attribute schedule = kernel.getScheduleAttr()) {
    auto fields = dyn_cast<DictionaryAttr>(schedule);
    std::string error;
    // Only sizes that the order does not determine can be set.
    SmallVector<std::pair<StringRef, int64_t *>> numbers;
    if (layout.isFree)
      numbers.emplace_back("block", &layout.block);
    if (layout.staged)
      numbers.emplace_back("staged", &layout.staged);
    if (!fields || !codegen::readScheduleFields(fields, numbers, {}, error) ||
        layout.block < 1 || layout.staged > layout.warpSize ||
        (numbers.back().first == "staged" &&
         !llvm::isPowerOf2_64(static_cast<uint64_t>(layout.staged))))
      return std::nullopt;
    layout.block = std::min(layout.block, layout.extent);
  }
  if (layout.isLanes)
    dealLanes(layout);
  // The steps of a thread are counted by an i32.
  if (layout.block > INT32_MAX)
    return std::nullopt;
  return layout;
}

} // namespace gensyn::gpu
