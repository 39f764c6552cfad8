// See NarrowOracle.h.

#include "NarrowOracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace gensyn::narrow {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// According to the standards' tables.
struct Row {
  ElementType type;
  int width, mantissa, bias;
  double largest, leastNormal, least;
  bool hasInfinity, hasMinusZero;
  uint32_t nan;
};
constexpr Row kRows[] = {
    {ElementType::F16, 16, 10, 15, 65504, 0x1p-14, 0x1p-24, true, true, 0x7E00},
    {ElementType::BF16, 16, 7, 127, 0x1.FEp127, 0x1p-126, 0x1p-133, true, true,
     0x7FC0},
    {ElementType::F8E4M3FN, 8, 3, 7, 448, 0x1p-6, 0x1p-9, false, true, 0x7F},
    {ElementType::F8E4M3FNUZ, 8, 3, 8, 240, 0x1p-7, 0x1p-10, false, false,
     0x80},
    {ElementType::F8E5M2, 8, 2, 15, 57344, 0x1p-14, 0x1p-16, true, true, 0x7E},
    {ElementType::F8E5M2FNUZ, 8, 2, 16, 57344, 0x1p-15, 0x1p-17, false, false,
     0x80},
    {ElementType::F6E2M3FN, 6, 3, 1, 7.5, 1, 0.125, false, true, 0x20},
    {ElementType::F6E3M2FN, 6, 2, 3, 28, 0.25, 0.0625, false, true, 0x20},
    {ElementType::F4E2M1FN, 4, 1, 1, 6, 1, 0.5, false, true, 0x8},
};
} // namespace

Oracle::Oracle(ElementType type) {
  const Row *row = std::ranges::find(kRows, type, &Row::type);
  if (row == std::end(kRows))
    throw std::invalid_argument("no signed narrow float");
  width = row->width;
  mantissa = row->mantissa;
  bias = row->bias;
  hasInfinity = row->hasInfinity;
  hasMinusZero = row->hasMinusZero;
  nan = row->nan;
  for (uint32_t bits = 0; bits < 1u << (width - 1); ++bits)
    if (double value = valueOf(bits); value < kInfinity)
      finite.emplace_back(value, bits);
  if (finite.back().first != row->largest || finite[1].first != row->least ||
      finite[size_t{1} << mantissa].first != row->leastNormal)
    throw std::logic_error("the description misses the standard's table");
}

double Oracle::valueOf(uint32_t bits) const {
  const uint32_t sign = 1u << (width - 1);
  const uint32_t magnitude = bits & (sign - 1);
  const auto exponent = static_cast<int>(magnitude >> mantissa);
  const uint32_t fraction = magnitude & ((1u << mantissa) - 1);
  const int all = (1 << (width - 1 - mantissa)) - 1;
  if (hasInfinity && exponent == all)
    return fraction ? kNan : bits & sign ? -kInfinity : kInfinity;
  if (width == 8 && (hasMinusZero ? magnitude == 0x7F : bits == 0x80))
    return kNan; // E5M2 with its infinities has been left
  const double digits =
      exponent == 0 ? fraction : fraction + std::ldexp(1.0, mantissa);
  const double value =
      std::ldexp(digits, std::max(exponent, 1) - bias - mantissa);
  return bits & sign ? -value : value;
}

std::vector<double> Oracle::magnitudes() const {
  std::vector<double> result;
  for (const auto &[value, bits] : finite)
    result.push_back(value);
  return result;
}

double Oracle::after(double magnitude) const {
  auto next = std::ranges::upper_bound(finite, magnitude, {},
                                       &std::pair<double, uint32_t>::first);
  if (next != finite.end())
    return next->first;
  const double largest = finite.back().first;
  return largest + (largest - finite[finite.size() - 2].first);
}

uint32_t Oracle::round(double x, bool saturate) const {
  if (x != x)
    return nan;
  const uint32_t sign = std::signbit(x) ? 1u << (width - 1) : 0;
  const double magnitude = std::fabs(x);
  // The last value that is not above it; the first is 0.
  auto above = std::ranges::upper_bound(finite, magnitude, {},
                                        &std::pair<double, uint32_t>::first);
  const auto [low, bits] = *(above - 1);
  const double middle = (low + after(low)) / 2;
  const bool up = magnitude > middle || (magnitude == middle && (bits & 1));
  uint32_t result = bits;
  if (up && above != finite.end()) {
    result = above->second;
  } else if (up) { // over the range
    if (!saturate && width > 6)
      return hasInfinity ? sign | finite.back().second + 1 : nan;
    result = finite.back().second;
  }
  return result == 0 && !hasMinusZero ? 0 : sign | result;
}

uint32_t roundToPower(double x, Narrowing how) {
  constexpr uint32_t nan = 0xFF;
  if (!(x >= 0))
    return nan;
  if (x == 0)
    return how.saturate ? 0 : nan;
  if (x == kInfinity)
    return how.saturate ? 0xFE : nan;
  int exponent = std::ilogb(x); // 2^exponent <= x
  const double low = std::ldexp(1.0, exponent);
  if (how.power == PowerRounding::Up)
    exponent += x > low;
  else if (how.power == PowerRounding::Nearest)
    exponent += x >= 1.5 * low;
  if (exponent < -127)
    return how.saturate ? 0 : nan;
  if (exponent > 127)
    return how.saturate ? 0xFE : nan;
  return static_cast<uint32_t>(exponent + 127);
}

} // namespace gensyn::narrow
