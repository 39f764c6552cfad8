// Counts roundings; the derivation is in the header.

#include "gensyn/Numerics/ErrorBound.h"

#include <algorithm>
#include <bit>

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

} // namespace gensyn
