// Strided regions; see Region.h.

#include "Region.h"

#include <algorithm>

namespace gensyn::machine {

void Region::normalize() {
  int kept = 0;
  for (int k = 0; k < rank; ++k) {
    Dimension dimension = dimensions[static_cast<size_t>(k)];
    // A stride of 0 reads the same bytes again.
    if (dimension.count <= 1 || dimension.stride == 0)
      continue;
    if (dimension.stride < 0) {
      base += dimension.stride * (dimension.count - 1);
      dimension.stride = -dimension.stride;
    }
    dimensions[static_cast<size_t>(kept++)] = dimension;
  }
  std::stable_sort(dimensions.begin(), dimensions.begin() + kept,
                   [](const Dimension &a, const Dimension &b) {
                     return a.stride > b.stride;
                   });
  // From the innermost dimension: rows that touch are one, and so are two
  // dimensions of which the outer one continues the inner one.
  rank = kept;
  while (rank && dimensions[static_cast<size_t>(rank - 1)].stride <= row) {
    const Dimension inner = dimensions[static_cast<size_t>(--rank)];
    row += inner.stride * (inner.count - 1);
  }
  for (int k = rank - 1; k > 0; --k) {
    Dimension &outer = dimensions[static_cast<size_t>(k - 1)];
    const Dimension inner = dimensions[static_cast<size_t>(k)];
    if (outer.stride != inner.stride * inner.count)
      continue;
    outer = {inner.stride, inner.count * outer.count};
    std::copy(dimensions.begin() + k + 1, dimensions.begin() + rank,
              dimensions.begin() + k);
    --rank;
  }
}

int64_t Region::span(int first) const {
  int64_t bytes = row;
  for (int k = first; k < rank; ++k) {
    const auto [stride, count] = dimensions[static_cast<size_t>(k)];
    bytes += stride * (count - 1);
  }
  return bytes;
}

static int64_t dividedDown(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Looks for a common byte of the dimensions from i and k on, which begin at
/// `a` and `b`. Their spans meet.
static std::optional<int64_t> meet(const Region &first, int i, int64_t a,
                                   const Region &second, int k, int64_t b) {
  const int64_t strideA =
      i < first.rank ? first.dimensions[static_cast<size_t>(i)].stride : 0;
  const int64_t strideB =
      k < second.rank ? second.dimensions[static_cast<size_t>(k)].stride : 0;
  const int64_t stride = std::max(strideA, strideB);
  // Rows that do not meet are not looked at.
  if (!stride)
    return std::max(a, b);
  // The larger stride, of both if they are equal: parts of A and B at a
  // distance of m strides more than their bases, for every m at which their
  // spans meet.
  const bool takesA = strideA == stride, takesB = strideB == stride;
  const int64_t countA =
      takesA ? first.dimensions[static_cast<size_t>(i)].count : 1;
  const int64_t countB =
      takesB ? second.dimensions[static_cast<size_t>(k)].count : 1;
  const int nextI = i + takesA, nextK = k + takesB;
  const int64_t distance = b - a;
  const int64_t low = std::max(
      -(countA - 1), dividedDown(-second.span(nextK) - distance, stride) + 1);
  const int64_t high = std::min(
      countB - 1, dividedDown(first.span(nextI) - 1 - distance, stride));
  for (int64_t m = low; m <= high; ++m) {
    const int64_t partA = std::max<int64_t>(-m, 0), partB = m + partA;
    if (auto byte = meet(first, nextI, a + partA * stride, second, nextK,
                         b + partB * stride))
      return byte;
  }
  return std::nullopt;
}

std::optional<int64_t> findCommonByte(const Region &first,
                                      const Region &second) {
  if (first.end() <= second.begin() || second.end() <= first.begin())
    return std::nullopt;
  return meet(first, 0, first.base, second, 0, second.base);
}

} // namespace gensyn::machine
