// Rows of bytes at regular distances, and where two sets of them meet.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_REGION_H
#define GENSYN_LIB_MACHINE_SIMULATOR_REGION_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gensyn::machine {

/// The most dimensions of a copy.
constexpr int mostDimensions = 16;

/// Rows of `row` bytes at `base` + sum of i[k] * stride[k], 0 <= i[k] <
/// count[k]. Strides are positive and descend after normalize().
struct Region {
  struct Dimension {
    int64_t stride, count;
  };

  int64_t base = 0, row = 0;
  int rank = 0;
  std::array<Dimension, mostDimensions> dimensions{};

  void add(int64_t stride, int64_t count) {
    dimensions[static_cast<size_t>(rank++)] = {stride, count};
  }
  /// Brings the same bytes into a form with as few dimensions as possible.
  void normalize();
  /// The first byte, and the one after the last.
  int64_t begin() const { return base; }
  int64_t end() const { return base + span(0); }
  /// Bytes from the first to the last one of the dimensions from `first` on.
  int64_t span(int first) const;
};

/// Returns a byte that both normalized regions contain. Exact; its time is that
/// of the dimensions if both have the same strides, as tiles of one tensor,
/// else of the rows of one of them.
std::optional<int64_t> findCommonByte(const Region &first,
                                      const Region &second);

/// Calls `act(address)` for each row of a region, until it returns false.
template <class Act>
bool forEachRow(const Region &region, int64_t base, int first, Act &&act) {
  if (first == region.rank)
    return act(base);
  const auto [stride, count] = region.dimensions[static_cast<size_t>(first)];
  for (int64_t i = 0; i < count; ++i)
    if (!forEachRow(region, base + i * stride, first + 1, act))
      return false;
  return true;
}

} // namespace gensyn::machine

#endif
