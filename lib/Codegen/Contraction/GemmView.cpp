// Views of contractions; see GemmView.h.

#include "gensyn/Codegen/Contraction/GemmView.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gensyn::codegen {

int64_t product(llvm::ArrayRef<GemmAxis> axes) {
  int64_t result = 1;
  for (const GemmAxis &axis : axes)
    result *= axis.extent;
  return result;
}

int64_t GemmView::numBatches() const { return product(batch); }
int64_t GemmView::numRows() const { return product(rows); }
int64_t GemmView::runLength() const { return product(run); }
int64_t GemmView::numColumns() const { return product(columns) * product(run); }
int64_t GemmView::numPoints() const { return product(points); }
int64_t GemmView::longestBlock() const {
  if (blockStarts.empty())
    return std::max<int64_t>(std::min(blockSize, numPoints()), 1);
  int64_t longest = numPoints() - blockStarts.back();
  for (size_t i = 1; i < blockStarts.size(); ++i)
    longest = std::max(longest, blockStarts[i] - blockStarts[i - 1]);
  return longest;
}

std::optional<int64_t> singleStride(llvm::ArrayRef<GemmAxis> axes,
                                    GemmTensor tensor) {
  if (axes.empty())
    return 0;
  int64_t stride = axes.back().stride(tensor), next = stride;
  for (const GemmAxis &axis : llvm::reverse(axes)) {
    if (axis.stride(tensor) != next)
      return std::nullopt;
    next *= axis.extent;
  }
  return stride;
}

RowLine lineOfRows(const GemmView &view) {
  llvm::ArrayRef<GemmAxis> rows(view.rows);
  size_t first = rows.size();
  while (first > 0 && singleStride(rows.drop_front(first - 1), GemmTensor::C))
    --first;
  const auto line = rows.drop_front(first);
  return {product(line), *singleStride(line, GemmTensor::C)};
}

int64_t largestDivisor(int64_t number, int64_t most) {
  int64_t divisor = std::max<int64_t>(std::min(number, most), 1);
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

/// Returns the longest piece with a stride that `accepts` does.
static ColumnPiece findPiece(const GemmView &view, GemmTensor tensor,
                             llvm::function_ref<bool(int64_t)> accepts) {
  ColumnPiece piece;
  piece.outerAxes = view.run.size();
  for (size_t axes = view.run.size(); axes-- > 0;) {
    const auto inner = llvm::ArrayRef(view.run).drop_front(axes);
    const auto stride = singleStride(inner, tensor);
    if (!stride || !accepts(*stride))
      break;
    piece = {product(inner), *stride, axes};
  }
  return piece;
}

ColumnPiece pieceInB(const GemmView &view) {
  return findPiece(view, GemmTensor::B, [](int64_t stride) {
    return stride >= 1 && stride <= kMostGap;
  });
}

int64_t piecesPerVector(const GemmView &view, int64_t lanes) {
  const int64_t length = pieceInB(view).length;
  return std::min((lanes - 2) / length + 2,
                  (view.runLength() + length - 1) / length);
}

ColumnPiece pieceInC(const GemmView &view) {
  if (view.run.empty())
    return {1, 0, 0};
  return findPiece(view, GemmTensor::C, [](int64_t) { return true; });
}

bool isJoined(const GemmView &view) { return pieceInC(view).outerAxes > 0; }

int64_t contiguousPoints(const GemmView &view, GemmTensor tensor) {
  int64_t count = 1;
  for (const GemmAxis &axis : llvm::reverse(view.points)) {
    if (axis.stride(tensor) != count)
      break;
    count *= axis.extent;
  }
  return count;
}

bool hasContiguousPoints(const GemmView &view, GemmTensor tensor) {
  const int64_t count = contiguousPoints(view, tensor);
  return count >= kLeastContiguous || (count > 1 && count == view.numPoints());
}

bool hasContiguousWindows(const GemmView &view) {
  return contiguousPoints(view, GemmTensor::B) >= kLeastOfWindows;
}

/// True if rows have at least twice as many elements of A as there are
/// different ones.
static bool haveSharedElements(const GemmView &view) {
  int64_t reach = 1;
  for (const GemmAxes *axes : {&view.rows, &view.points})
    for (const GemmAxis &axis : *axes)
      reach += (axis.extent - 1) * std::abs(axis.a);
  return view.numRows() * view.numPoints() >= 2 * reach;
}

std::optional<RowTaps> tapsOfRows(const GemmView &view) {
  // A panel of rows has a pointer for each tap with checks; without, a table
  // has the offset of each tap for all panels.
  const int64_t mostTaps = view.aChecks.empty() ? 1024 : 64;
  llvm::ArrayRef<GemmAxis> points(view.points);
  for (size_t outer = points.size(); outer > 0; --outer) {
    const auto channels = points.take_front(outer);
    const auto stride = singleStride(channels, GemmTensor::A);
    if (!stride || isChecked(channels, GemmTensor::A) ||
        (*stride != 1 && !(view.aChecks.empty() && haveSharedElements(view))))
      continue;
    // The phases of a stride can be without points, along any axis.
    const int64_t taps = product(points.drop_front(outer));
    return product(points) > 0 && taps <= mostTaps
               ? std::optional(RowTaps{taps, *stride})
               : std::nullopt;
  }
  return std::nullopt;
}

bool isChecked(llvm::ArrayRef<GemmAxis> axes, GemmTensor tensor) {
  return llvm::any_of(axes, [&](const GemmAxis &axis) {
    const auto &steps = tensor == GemmTensor::A ? axis.aChecks : axis.bChecks;
    return llvm::any_of(steps, [](int64_t step) { return step != 0; });
  });
}

GemmView viewOfMatmul(int64_t m, int64_t n, int64_t k, bool transposeA,
                      bool transposeB) {
  GemmView view;
  view.rows = {{m, transposeA ? 1 : k, 0, n}};
  view.run = {{n, 0, transposeB ? k : 1, 1}};
  view.points = {{k, transposeA ? m : 1, transposeB ? 1 : n, 0}};
  view.blockSize = k;
  return view;
}

} // namespace gensyn::codegen
