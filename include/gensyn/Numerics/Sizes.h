// Bounds on sizes (g2), and products of extents with overflow checks. Extents
// come from files, so all code that multiplies them uses these functions.

#ifndef GENSYN_NUMERICS_SIZES_H
#define GENSYN_NUMERICS_SIZES_H

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace gensyn {

/// Maximum number of elements of a tensor and of points of one reduction (g2).
inline constexpr int64_t kMaxElements = int64_t{1} << 40;

/// Maximum number of points of a whole iteration domain, and largest magnitude
/// of an index expression over it: both leave room for the sums of a cost
/// model.
inline constexpr int64_t kMaxDomainPoints = int64_t{1} << 60;

/// Maximum size of a constant in bytes, since plans contain the constants.
inline constexpr int64_t kMaxConstantBytes = int64_t{1} << 29;

/// The product of extents. An extent of 0 counts as 1, because strides are
/// computed from the others, which must not overflow either. Nothing if an
/// extent is negative or the product exceeds `limit`.
std::optional<int64_t>
boundedProduct(std::span<const int64_t> extents,
               int64_t limit = std::numeric_limits<int64_t>::max());

/// Saturating sum and product of non-negative numbers, for costs, where only
/// the magnitude matters.
int64_t saturatingAdd(int64_t a, int64_t b);
int64_t saturatingMultiply(int64_t a, int64_t b);

} // namespace gensyn

#endif // GENSYN_NUMERICS_SIZES_H
