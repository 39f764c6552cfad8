// See WindowContraction.h.

#include "WindowContraction.h"

#include "../Common/Rounding.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn::cpu {

using codegen::ContractBox;
using codegen::LinearIndex;
using codegen::LinearIndices;

namespace {

/// The taps are unrolled.
constexpr int64_t kMostTaps = 64;
/// Longer steps would need more shuffles than elements that are used.
constexpr int64_t kMostPhases = 2;
/// A tile's part of the image stays in the first cache.
constexpr int64_t kTileBytes = 20 << 10, kMostBytes = 384 << 10;

class WindowFinder {
public:
  explicit WindowFinder(const ContractBox &box) : box(box) {}

  std::optional<WindowContraction> find() {
    const int64_t points = box.numPoints();
    if (box.blockStarts.size() != 1 || points < 1 || points > kMostTaps ||
        llvm::is_contained(box.extents, 0) || !findColumns() || !findRows() ||
        !findOuter() || !findTaps())
      return std::nullopt;
    return view;
  }

private:
  bool moves(const LinearIndex &index, unsigned i) const {
    return index.steps[i] != 0 && box.extents[i] > 1;
  }
  bool isParallel(unsigned i) const {
    return !box.isReduced[i] && box.extents[i] > 1;
  }
  bool isPoint(unsigned i) const {
    return box.isReduced[i] && box.extents[i] > 1;
  }
  bool usesAny(const LinearIndices &indices, unsigned i) const {
    return llvm::any_of(
        indices, [&](const LinearIndex &index) { return moves(index, i); });
  }
  const LinearIndices &imageIndices() const { return box.indices[view.image]; }
  const LinearIndices &weightIndices() const {
    return box.indices[1 - view.image];
  }

  /// Returns the axis of an index that moves with one parallel iterator,
  /// forward, and any points.
  std::optional<WindowAxis> axisOf(const LinearIndex &index) const {
    WindowAxis axis;
    axis.low = index.constant;
    axis.extent = index.extent;
    axis.imageStride = index.stride;
    bool isFound = false;
    for (unsigned i = 0; i < box.extents.size(); ++i) {
      if (!moves(index, i))
        continue;
      const int64_t by = index.steps[i];
      if (isPoint(i)) {
        const int64_t most = by * (box.extents[i] - 1);
        axis.reach += std::abs(most);
        axis.low += std::min<int64_t>(most, 0);
        continue;
      }
      if (isFound || by < 0)
        return std::nullopt;
      isFound = true;
      axis.iterator = i;
      axis.results = box.extents[i];
      axis.step = by;
      axis.resultStride = codegen::strideOf(box.indices[2], i);
    }
    return isFound ? std::optional(axis) : std::nullopt;
  }

  bool findColumns() {
    for (unsigned image : {0u, 1u})
      for (const LinearIndex &index : box.indices[image]) {
        auto axis = axisOf(index);
        if (!axis || index.stride != 1 || axis->resultStride != 1 ||
            axis->step > kMostPhases)
          continue;
        auto others = [&](const LinearIndex &other) {
          return &other != &index && moves(other, axis->iterator);
        };
        if (usesAny(box.indices[1 - image], axis->iterator) ||
            llvm::any_of(box.indices[image], others))
          continue;
        view.image = image;
        view.columns = *axis;
        columnIndex = &index;
        return true;
      }
    return false;
  }

  /// At most one other index has points; it is that of the rows.
  bool findRows() {
    for (const LinearIndex &index : imageIndices()) {
      if (&index == columnIndex)
        continue;
      const bool hasPoints = llvm::any_of(
          llvm::seq<unsigned>(0, unsigned(box.extents.size())),
          [&](unsigned i) { return isPoint(i) && moves(index, i); });
      if (!hasPoints && index.isInside(box.extents))
        continue;
      auto axis = axisOf(index);
      if (rowIndex || !axis || usesAny(weightIndices(), axis->iterator) ||
          axis->iterator == view.columns.iterator)
        return false;
      rowIndex = &index;
      view.rows = *axis;
      view.hasRows = true;
    }
    if (!rowIndex)
      return true;
    return llvm::none_of(imageIndices(), [&](const LinearIndex &index) {
      return &index != rowIndex && moves(index, view.rows.iterator);
    });
  }

  bool findOuter() {
    for (const LinearIndex &index : weightIndices())
      if (!index.isInside(box.extents))
        return false;
    for (unsigned i = 0; i < box.extents.size(); ++i) {
      if (!isParallel(i) || i == view.columns.iterator ||
          (view.hasRows && i == view.rows.iterator))
        continue;
      view.outer.push_back({i, box.extents[i],
                            codegen::strideOf(imageIndices(), i),
                            codegen::strideOf(weightIndices(), i),
                            codegen::strideOf(box.indices[2], i)});
    }
    for (const LinearIndex &index : imageIndices())
      if (&index != rowIndex && &index != columnIndex)
        view.imageOffset += index.constant * index.stride;
    view.weightOffset = codegen::constantOf(weightIndices());
    view.resultOffset = codegen::constantOf(box.indices[2]);
    return true;
  }

  /// Points of rows come before those of columns, so that the rows of the image
  /// can be read one after the other.
  bool findTaps() {
    SmallVector<unsigned> points;
    bool isInColumns = false;
    for (unsigned i = 0; i < box.extents.size(); ++i) {
      if (!isPoint(i))
        continue;
      points.push_back(i);
      const bool ofRow = rowIndex && moves(*rowIndex, i),
                 ofColumn = moves(*columnIndex, i);
      if (ofRow == ofColumn || (isInColumns && ofRow))
        return false;
      isInColumns = ofColumn;
    }
    view.taps.assign(size_t(box.numPoints()), {});
    for (auto [number, tap] : llvm::enumerate(view.taps)) {
      tap.column = columnIndex->constant - view.columns.low;
      if (rowIndex)
        tap.row = rowIndex->constant - view.rows.low;
      auto rest = int64_t(number);
      for (unsigned i : llvm::reverse(points)) {
        const int64_t value = rest % box.extents[i];
        rest /= box.extents[i];
        tap.column += value * columnIndex->steps[i];
        if (rowIndex)
          tap.row += value * rowIndex->steps[i];
        tap.weight += value * codegen::strideOf(weightIndices(), i);
      }
    }
    auto before = [](const WindowTap &x, const WindowTap &y) {
      return x.row < y.row;
    };
    if (llvm::is_sorted(view.taps, before))
      return true;
    view.isDescending = true;
    return std::is_sorted(view.taps.rbegin(), view.taps.rend(), before);
  }

  const ContractBox &box;
  WindowContraction view;
  const LinearIndex *rowIndex = nullptr, *columnIndex = nullptr;
};

/// Divides the whole into pieces of about equal sizes, none above `size`.
int64_t evenly(int64_t whole, int64_t size) {
  return ceilDiv(whole, ceilDiv(whole, std::clamp<int64_t>(size, 1, whole)));
}

} // namespace

std::optional<WindowContraction> findWindowContraction(const ContractBox &box) {
  return WindowFinder(box).find();
}

WindowLayout::WindowLayout(const WindowContraction &view,
                           const WindowSizes &sizes) {
  rowVectors = ceilDiv(view.columns.results, sizes.lanes);
  const int64_t beyond = view.columns.reach / view.columns.step;
  phaseLength =
      ceilDiv(rowVectors * sizes.lanes + beyond, sizes.lanes) * sizes.lanes;
  rowLength = view.columns.step * phaseLength;
  imageRows = view.rows.coordinates(sizes.tileRows);
  rowTiles = ceilDiv(view.rows.results, sizes.tileRows);
  tiles = rowTiles;
  for (const WindowContraction::Outer &outer : view.outer)
    tiles *= outer.extent;
  sumsOffset = imageRows * rowLength;
  scratchElements =
      sumsOffset + sizes.rows * view.columns.results + sizes.lanes;
}

WindowSizes chooseWindowSizes(const WindowContraction &view, int64_t sumBytes,
                              const machine::Cpu &target) {
  WindowSizes sizes;
  sizes.lanes = target.lanes(sumBytes);
  const int64_t vectors = ceilDiv(view.columns.results, sizes.lanes);
  const bool isWide = target.vectorRegisters >= 32;
  const int64_t most = isWide ? 8 : 4;
  // Weights that are no longer in registers are read for several vectors.
  constexpr int64_t keptWeights = 16;
  if (vectors % 2 == 0 && int64_t(view.taps.size()) > keptWeights)
    sizes.vectors = 2;
  sizes.rows = evenly(view.rows.results, most / sizes.vectors);
  sizes.tileRows = sizes.rows;
  const WindowLayout least(view, sizes);
  const int64_t rows = kTileBytes / (least.rowLength * sumBytes);
  const int64_t results = (rows - view.rows.reach - 1) / view.rows.step + 1;
  const int64_t blocks = ceilDiv(view.rows.results, sizes.rows);
  sizes.tileRows = std::min(
      view.rows.results,
      evenly(blocks, std::max<int64_t>(results / sizes.rows, 1)) * sizes.rows);
  return sizes;
}

double estimateWindowCycles(const WindowContraction &view,
                            const WindowSizes &sizes) {
  // Measured on AVX-512, where most vectors of the image cross a line of the
  // cache.
  constexpr double tile = 120, row = 6, vector = 1.5, store = 3, load = 0.8,
                   fma = 0.5;
  const WindowLayout layout(view, sizes);
  const auto taps = double(view.taps.size()), rows = double(sizes.rows);
  llvm::SmallVector<int64_t> rowOffsets;
  for (const WindowTap &tap : view.taps)
    if (!llvm::is_contained(rowOffsets, tap.row))
      rowOffsets.push_back(tap.row);
  // Elements of the image that the rows share are loaded once.
  const double perRow = taps / double(rowOffsets.size());
  const double loads =
      std::min(taps, double(view.rows.coordinates(sizes.rows)) * perRow / rows);
  const double perVector = std::max(taps * fma, loads * load) + store;
  const double copy = double(layout.imageRows) *
                      (row + double(layout.rowLength / sizes.lanes) * vector);
  const double vectors =
      double(layout.rowVectors) *
      double(ceilDiv(view.rows.results, sizes.rows) * sizes.rows);
  return double(layout.tiles) * (tile + copy) +
         vectors * double(layout.tiles / layout.rowTiles) * perVector;
}

} // namespace gensyn::cpu
