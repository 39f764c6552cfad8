// See SortLayout.h.

#include "SortLayout.h"

#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Maximum number of items in the registers of a thread.
constexpr int64_t kMostPerThread = 8;
constexpr int64_t kMostThreads = 1024;
/// Threads of a block that several short rows share.
constexpr int64_t kSortThreads = 128;
/// The same if adjacent rows are interleaved, which are read in sectors of 32
/// bytes.
constexpr int64_t kMostAcross = 512;
/// Items per chunk of a long row. Rows of at most kWhole items are not split
/// even if that leaves a part of the device idle.
constexpr int64_t kChunk = 4096, kWhole = 2048;
/// With fewer blocks than this, chunks are smaller, but not below the minimum.
constexpr int64_t kFullBlocks = 256, kLeastChunk = 1024;

ItemLayout chooseItem(repro::SortOp sort, int64_t extent) {
  ItemLayout item;
  item.keyBits = cast<ShapedType>(sort.getOperand().getType())
                     .getElementType()
                     .getIntOrFloatBitWidth();
  // Positions are below that of the padding item.
  const bool isShort = item.keyBits < 32 && extent < int64_t{1}
                                                         << (32 - item.keyBits);
  item.wordBits = item.keyBits == 64 ? 0 : isShort ? 32 : 64;
  return item;
}

int64_t nextPowerOf2(int64_t value) {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(value)));
}

void deal(SortLayout &layout) {
  layout.perThread = std::min(layout.chunk, kMostPerThread);
  layout.group = layout.chunk / layout.perThread;
  layout.groups = std::max<int64_t>(1, kSortThreads / layout.group);
}

/// True if a block can sort a chunk of this layout.
bool fits(const SortLayout &layout, const Target &target) {
  return layout.group <= kMostThreads && layout.bytes() <= target.sharedBytes;
}

/// Increases the interleaved rows of a block to a sector's, if they fit.
void widenAcross(SortLayout &layout, const Target &target) {
  constexpr int64_t sector = 8;
  if (layout.stride == 1 || !layout.runs.empty())
    return;
  while (layout.groups < std::min(sector, layout.stride) &&
         2 * layout.threads() <= kMostAcross &&
         2 * layout.bytes() <= target.staticSharedBytes)
    layout.groups *= 2;
}

} // namespace

std::optional<SortLayout> chooseSortLayout(repro::KernelOp kernel,
                                           const Target &target) {
  repro::ColumnOpInterface column = codegen::getColumnOp(kernel);
  auto sort = column ? dyn_cast<repro::SortOp>(column.getOperation()) : nullptr;
  if (!sort)
    return std::nullopt;
  auto type = cast<ShapedType>(sort.getOperand().getType());
  const auto dim = static_cast<unsigned>(sort.getDim());
  SortLayout layout;
  layout.sort = sort;
  layout.extent = type.getDimSize(dim);
  layout.count = static_cast<int64_t>(sort.getCount());
  layout.rowExtents = column.getColumns();
  for (int64_t extent : layout.rowExtents)
    layout.rows *= extent;
  for (int64_t extent : type.getShape().drop_front(dim + 1))
    layout.stride *= extent;
  layout.gap = layout.stride > 1 ? 1 : 0;
  // Positions in a row, and past its end, are i32.
  if (layout.rows == 0 || layout.count == 0 ||
      layout.extent > INT32_MAX - 2 * kChunk)
    return std::nullopt;
  layout.item = chooseItem(sort, layout.extent);

  const int64_t whole = nextPowerOf2(layout.extent);
  layout.chunk = whole;
  deal(layout);
  if (!fits(layout, target))
    layout.chunk = kChunk;
  while (whole > kWhole && layout.chunk > kLeastChunk &&
         layout.rows * llvm::divideCeil(layout.extent, layout.chunk) <
             kFullBlocks)
    layout.chunk /= 2;
  layout.ways = chooseWays(llvm::divideCeil(layout.extent, layout.chunk));
  if (Attribute schedule = kernel.getScheduleAttr()) {
    auto fields = dyn_cast<DictionaryAttr>(schedule);
    std::string error;
    const std::pair<StringRef, int64_t *> numbers[] = {{"chunk", &layout.chunk},
                                                       {"ways", &layout.ways}};
    if (!fields || !codegen::readScheduleFields(fields, numbers, {}, error) ||
        layout.chunk < 1 || layout.chunk > whole ||
        layout.chunk != nextPowerOf2(layout.chunk) || layout.ways < 2)
      return std::nullopt;
    deal(layout);
    if (!fits(layout, target))
      return std::nullopt;
  }
  deal(layout);
  layout.listRuns();
  widenAcross(layout, target);
  return layout;
}

} // namespace gensyn::gpu
