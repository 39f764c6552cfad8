// Counts roundings; the derivation is in the header.

#include "gensyn/Numerics/ErrorBound.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gensyn {

static constexpr std::string_view kAccuracyNames[] = {"fast", "accurate",
                                                      "exact", "sliced"};

std::span<const std::string_view> accuracyNames() { return kAccuracyNames; }

std::string_view name(Accuracy accuracy) {
  return kAccuracyNames[static_cast<size_t>(accuracy)];
}

std::optional<Accuracy> accuracyFromName(std::string_view name) {
  for (size_t i = 0; i < std::size(kAccuracyNames); ++i)
    if (kAccuracyNames[i] == name)
      return static_cast<Accuracy>(i);
  return std::nullopt;
}

int64_t worstRoundings(const Order &order, int64_t points, OrderedStep step) {
  if (points <= 0)
    return 0;
  if (step == OrderedStep::Multiply)
    return points - 1;
  switch (order.kind()) {
  case Order::Kind::Sequential:
    return step == OrderedStep::FusedMultiplyAdd ? points : points - 1;
  case Order::Kind::Lanes: {
    const int64_t longest = (points - 1) / order.laneCount() + 1;
    const auto used =
        static_cast<uint64_t>(std::min(points, order.laneCount()));
    return worstRoundings(Order::sequential(), longest, step) +
           std::bit_width(used - 1);
  }
  case Order::Kind::Blocked: {
    const int64_t blocks = (points - 1) / order.blockSize() + 1;
    return worstRoundings(order.inner(), std::min(points, order.blockSize()),
                          step) +
           worstRoundings(order.outer(), blocks, OrderedStep::Add);
  }
  case Order::Kind::Exact:
    return 1;
  }
  return 0;
}

double slicedPointError(int64_t slices, int64_t last) {
  const int64_t bits = 8 * slices - 2;
  // Elements are less than 2 P, and each is off by at most P 2^-(bits + 1).
  double error = std::ldexp(1.0, static_cast<int>(1 - bits)) +
                 std::ldexp(1.0, static_cast<int>(-2 * bits - 2));
  for (int64_t p = 0; p < slices; ++p)
    for (int64_t q = 0; q < slices; ++q)
      if (p + q > last)
        error +=
            std::ldexp(1.0, static_cast<int>(14 - 2 * bits +
                                             8 * (2 * slices - 2 - p - q)));
  // P is at most 1 / (1 - 2^-8) times the largest absolute value of a row.
  return error / ((1 - 0x1p-8) * (1 - 0x1p-8));
}

} // namespace gensyn
