// Row-major walks over a shape with any number of strided operands, for
// movement, broadcasting and reductions.

#ifndef GENSYN_NUMERICS_WALK_H
#define GENSYN_NUMERICS_WALK_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gensyn {

/// Calls `row(offsets, n, steps)` for each innermost row of `shape`, in
/// row-major order: operand k's elements of the row are at
/// `offsets[k] + i * steps[k]` for i < n. `strides[k]` holds operand k's stride
/// along each dimension (0 repeats, negative reverses) and `offsets[k]` its
/// start. A rank-0 shape is one row of one element; a zero extent has no rows.
template <size_t N, class Row>
void forEachRow(std::span<const int64_t> shape,
                const std::array<std::vector<int64_t>, N> &strides,
                std::array<int64_t, N> offsets, Row &&row) {
  for (int64_t extent : shape)
    if (extent == 0)
      return;
  std::array<int64_t, N> steps{};
  if (shape.empty()) {
    row(offsets, int64_t{1}, steps);
    return;
  }
  const size_t last = shape.size() - 1;
  for (size_t k = 0; k < N; ++k)
    steps[k] = strides[k][last];
  std::vector<int64_t> index(shape.size(), 0);
  while (true) {
    row(offsets, shape[last], steps);
    size_t d = last;
    while (d-- > 0) {
      for (size_t k = 0; k < N; ++k)
        offsets[k] += strides[k][d];
      if (++index[d] < shape[d])
        break;
      for (size_t k = 0; k < N; ++k)
        offsets[k] -= shape[d] * strides[k][d];
      index[d] = 0;
    }
    if (d > last) // wrapped below dimension 0
      return;
  }
}

/// Calls `body(offsets)` for each index of `shape` in row-major order, with the
/// offset of each operand; see `forEachRow`.
template <size_t N, class Body>
void forEachOffset(std::span<const int64_t> shape,
                   const std::array<std::vector<int64_t>, N> &strides,
                   std::array<int64_t, N> offsets, Body &&body) {
  forEachRow<N>(shape, strides, offsets,
                [&](std::array<int64_t, N> at, int64_t n,
                    const std::array<int64_t, N> &steps) {
                  for (int64_t i = 0; i < n; ++i) {
                    body(at);
                    for (size_t k = 0; k < N; ++k)
                      at[k] += steps[k];
                  }
                });
}

/// Calls `body(index)` with each index vector of `shape`, in row-major order.
template <class Body>
void forEachIndex(std::span<const int64_t> shape, Body &&body) {
  for (int64_t extent : shape)
    if (extent == 0)
      return;
  std::vector<int64_t> index(shape.size(), 0);
  while (true) {
    body(static_cast<const std::vector<int64_t> &>(index));
    size_t d = shape.size();
    while (d-- > 0) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return;
  }
}

} // namespace gensyn

#endif // GENSYN_NUMERICS_WALK_H
