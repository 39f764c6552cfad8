// Maps of the differences between two tensors; see Comparison.h.

#include "Comparison.h"

#include "gensyn/Runtime/Formats/Compare.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gensyn::runtime::report {

static int64_t divideUp(int64_t number, int64_t by) {
  return (number + by - 1) / by;
}

/// A matrix whose rows are pieces of the sequence of elements.
static MapShape cutInLines(int64_t elements) {
  constexpr int64_t longestLine = 256;
  MapShape map;
  map.columns = elements;
  if (elements > longestLine) {
    map.columns = 1;
    while (map.columns * map.columns < elements)
      map.columns *= 2;
  }
  map.rows = divideUp(elements, map.columns);
  return map;
}

static MapShape chooseMatrix(const std::vector<int64_t> &shape) {
  constexpr int64_t least = 4;
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  MapShape best = cutInLines(elements);
  double bestRatio = INFINITY;
  int64_t rows = 1;
  for (size_t dims = 1; dims < shape.size(); ++dims) {
    rows *= shape[dims - 1];
    const int64_t columns = elements / rows;
    const double ratio = std::abs(std::log2(double(rows) / double(columns)));
    if (std::min(rows, columns) < least || ratio >= bestRatio)
      continue;
    bestRatio = ratio;
    best = {rows, columns, 1, 1, dims};
  }
  return best;
}

MapShape chooseMapShape(const std::vector<int64_t> &shape, int64_t mostCells) {
  // More rows than columns would make a page long.
  constexpr int64_t mostRows = 128, mostColumns = 192;
  MapShape map = chooseMatrix(shape);
  map.blockRows = divideUp(map.rows, mostRows);
  map.blockColumns = divideUp(map.columns, mostColumns);
  while (map.cellRows() * map.cellColumns() > mostCells)
    if (map.cellRows() > map.cellColumns())
      map.blockRows =
          divideUp(map.rows, std::max<int64_t>(1, map.cellRows() * 3 / 4));
    else
      map.blockColumns = divideUp(
          map.columns, std::max<int64_t>(1, map.cellColumns() * 3 / 4));
  return map;
}

int logOfUlps(uint64_t ulps) { return std::bit_width(ulps) - 1; }

/// The class of a difference: 0 for equal elements, 1 + the logarithm, 65 for
/// NaNs.
static uint8_t classOf(uint64_t ulps) {
  return ulps == kNanUlps ? 65 : uint8_t(1 + logOfUlps(ulps));
}

static char letterOf(uint8_t ulpClass) {
  static constexpr char letters[] =
      ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/!";
  static_assert(sizeof(letters) == 67);
  return letters[ulpClass];
}

static void keepWorst(std::vector<WorstElement> &worst, WorstElement element,
                      size_t most) {
  if (worst.size() == most && element.ulps <= worst.back().ulps)
    return;
  auto place =
      std::upper_bound(worst.begin(), worst.end(), element,
                       [](const WorstElement &a, const WorstElement &b) {
                         return a.ulps > b.ulps;
                       });
  worst.insert(place, element);
  if (worst.size() > most)
    worst.pop_back();
}

TensorDifference findTensorDifference(const TensorEntry &a,
                                      const TensorEntry &b, int64_t mostCells,
                                      size_t mostWorst) {
  TensorDifference found;
  if (countElements(a) == 0)
    return found;
  found.map = chooseMapShape(a.shape, mostCells);
  const int64_t width = found.map.cellColumns();
  std::vector<uint8_t> classes(size_t(found.map.cellRows() * width), 0);
  visitDifferences(a, b, [&](int64_t element, uint64_t ulps) {
    const uint8_t own = classOf(ulps);
    ++found.counts[size_t(own - 1)];
    keepWorst(found.worst, {element, ulps}, mostWorst);
    uint8_t &cell = classes[size_t(
        element / found.map.columns / found.map.blockRows * width +
        element % found.map.columns / found.map.blockColumns)];
    cell = std::max(cell, own);
  });
  for (int64_t row = 0; row < found.map.cellRows(); ++row) {
    std::string cells;
    for (int64_t column = 0; column < width; ++column)
      cells += letterOf(classes[size_t(row * width + column)]);
    cells.resize(cells.find_last_not_of('.') + 1);
    found.cells.push_back(std::move(cells));
  }
  return found;
}

} // namespace gensyn::runtime::report
