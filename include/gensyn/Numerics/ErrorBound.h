// Error bounds of orders, and the accuracy policies.

#ifndef GENSYN_NUMERICS_ERRORBOUND_H
#define GENSYN_NUMERICS_ERRORBOUND_H

#include "gensyn/Numerics/Order.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gensyn {

/// The accuracy policy; OrderPolicy.cpp maps it to orders. Sliced has those of
/// Fast, where contractions are not sliced (SliceContractions.cpp).
enum class Accuracy : uint8_t { Fast, Accurate, Exact, Sliced };

/// "fast", "accurate", "exact", "sliced".
std::string_view name(Accuracy accuracy);
std::span<const std::string_view> accuracyNames();
/// The policy with that name, or nothing.
std::optional<Accuracy> accuracyFromName(std::string_view name);

/// The step that folds a point into a reduction's accumulator.
enum class OrderedStep : uint8_t { Add, Multiply, FusedMultiplyAdd };

/// Returns h, the largest number of roundings between any of `points` points
/// and the result. The error of a sum or contraction is then at most
///
///   ((1 + u)^h - 1) sum |t_i|,   about h u sum |t_i|,
///
/// with u = 2^-24 (f32) or 2^-53 (f64) and t_i the elements or the exact
/// products, where nothing overflows. For products it is the same with the true
/// product's absolute value in place of the sum, where nothing overflows or is
/// subnormal on the way.
///
/// *Derivation* (Higham, Accuracy and Stability of Numerical Algorithms,
/// sections 3.1 and 4.2). Each rounded operation gives x op y times (1 + d),
/// |d| <= u; sums of floats that are subnormal are exact. So the computed sum
/// is the sum of t_i times the product of (1 + d) over the operations that t_i
/// passes, at most h of them, and |product - 1| <= (1 + u)^h - 1. It remains to
/// count. Operations with an identity (0 + x, 1 x, empty lanes) are exact.
///   sequential  of n: n - 1; n for fma, whose first step rounds the product.
///   lanes<L>    the longest lane, sequential of ceil(n / L), then a join for
///               each halving that meets points: ceil(log2(min(n, L))).
///   blocked     the longest block by `inner`, then the blocks' results by
///               `outer`, where a step is a join.
///   exact       1: one rounding, so in fact u |result|.
/// In a product the errors of every factor propagate, so all n - 1
/// multiplications count, whatever the order.
///
/// An fma whose result is subnormal is off by up to half the least subnormal
/// more, so a contraction's bound grows by n 2^-150 (f32) or n 2^-1075.
///
/// Returns 0 if there are no points. `order` must be well formed.
int64_t worstRoundings(const Order &order, int64_t points, OrderedStep step);

/// Returns what a point of a sliced contraction adds to the error of its sum at
/// most, relative to the product of the largest absolute values of its two rows
/// (of at least 2^-126): slices_r1 of docs/Numerics.md derives it. Operands
/// have `slices` slices of 8 bits, and products of slices p and q, counted from
/// 0, are summed where p + q <= last. The sum is then rounded once.
double slicedPointError(int64_t slices, int64_t last);

} // namespace gensyn

#endif // GENSYN_NUMERICS_ERRORBOUND_H
