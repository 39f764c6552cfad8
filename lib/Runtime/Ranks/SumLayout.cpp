// See SumLayout.h.

#include "SumLayout.h"

namespace gensyn::runtime {

/// Kernels read tensors from addresses of this alignment on.
static constexpr int64_t kAlignment = 64;

static int64_t roundUp(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::vector<Slice> makeSlices(std::span<const Port> sums, int ranks) {
  auto bytesOf = [](const Port &sum) {
    return countBytes(sum.type, sum.shape).value_or(0);
  };
  int64_t total = 0;
  for (const Port &sum : sums)
    total += roundUp(bytesOf(sum));
  std::vector<Slice> slices(static_cast<size_t>(ranks));
  // Slice r has the bytes up to (r + 1) / ranks of all, in units of 64.
  auto endOf = [&](int64_t rank) {
    return total / kAlignment * (rank + 1) / ranks * kAlignment;
  };
  int64_t rank = 0, begin = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    const int64_t bytes = bytesOf(sums[i]);
    for (int64_t from = 0; from < bytes;) {
      while (begin + from >= endOf(rank))
        ++rank;
      Slice &slice = slices[size_t(rank)];
      const int64_t to = std::min(bytes, endOf(rank) - begin);
      const int64_t width = byteWidth(sums[i].type);
      slice.pieces.push_back(
          {i, sums[i].type, from / width, (to - from) / width, slice.bytes});
      slice.bytes += roundUp(to - from);
      from = to;
    }
    begin += roundUp(bytes);
  }
  return slices;
}

} // namespace gensyn::runtime
