// The arithmetic of f64 that cores without it run, against this processor's.

extern "C" {
#include "SoftFloat.h"
}

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace gensyn {
namespace {

constexpr uint64_t kSign = uint64_t(1) << 63;
constexpr uint64_t kSpecial[] = {0,
                                 1,
                                 uint64_t(0x7ff) << 52,
                                 uint64_t(0xfff) << 51,
                                 (uint64_t(1) << 52) - 1,
                                 uint64_t(1) << 52,
                                 uint64_t(0x3ff) << 52,
                                 uint64_t(0x3fe) << 52,
                                 uint64_t(0x43e) << 52,
                                 (uint64_t(0x7ff) << 52) - 1};

double toDouble(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t toBits(double value) { return std::bit_cast<uint64_t>(value); }

/// Numbers of all kinds, and pairs that are close to each other.
class Numbers {
public:
  uint64_t draw() {
    const uint64_t any = random();
    switch (random() % 8) {
    case 0:
      return previous = kSpecial[any % std::size(kSpecial)] | (any & kSign);
    case 1: // subnormal
      return previous = any & (kSign | ((uint64_t(1) << 52) - 1));
    case 2: // few bits
      return previous = any & ~uint64_t(0) << random() % 52;
    case 3: // close to the one before
      return previous ^= (any & 3) | (any & kSign);
    case 4:
      return previous = any;
    default: // of moderate size
      return previous = (any & ~(uint64_t(0x7ff) << 52)) |
                        (1023 - 60 + random() % 120) << 52;
    }
  }
  std::mt19937_64 random{5};

private:
  uint64_t previous = 0;
};

/// All NaNs are one.
template <class Bits, class Value> bool isSame(Bits found, Value expected) {
  return std::bit_cast<Bits>(expected) == found ||
         (std::isnan(expected) && std::isnan(std::bit_cast<Value>(found)));
}

#define EXPECT_SAME(found, expected)                                           \
  EXPECT_TRUE(isSame(found, expected))                                         \
      << std::hex << "of " << x << ", " << y << ", " << z << ": " << (found)

TEST(SoftFloat, RoundsAsTheProcessor) {
  Numbers numbers;
  for (int i = 0; i < 300'000; ++i) {
    const uint64_t x = numbers.draw(), y = numbers.draw();
    const double a = toDouble(x), b = toDouble(y);
    // Every third sum cancels all of the product but its rounding error.
    const uint64_t z = i % 3 ? numbers.draw() : toBits(-a * b) ^ (i & 2);
    EXPECT_SAME(gensyn_add(x, y), a + b);
    EXPECT_SAME(gensyn_multiply(x, y), a * b);
    EXPECT_SAME(gensyn_divide(x, y), a / b);
    EXPECT_SAME(gensyn_root(x), std::sqrt(a));
    EXPECT_SAME(gensyn_fma(x, y, z), std::fma(a, b, toDouble(z)));
    EXPECT_SAME(gensyn_to_f32(x), static_cast<float>(a));
    const auto narrow = static_cast<uint32_t>(numbers.random());
    EXPECT_SAME(gensyn_from_f32(narrow),
                static_cast<double>(std::bit_cast<float>(narrow)));
    const int order = std::isnan(a) || std::isnan(b) ? 2 : (a > b) - (a < b);
    EXPECT_EQ(gensyn_compare(x, y), order);
    if (HasFailure())
      return;
  }
}

TEST(SoftFloat, RoundsToIntegers) {
  Numbers numbers;
  for (int i = 0; i < 300'000; ++i) {
    const uint64_t x = numbers.draw(), y = 0, z = 0;
    const double a = toDouble(x);
    EXPECT_SAME(gensyn_round(x, GENSYN_DOWN), std::floor(a));
    EXPECT_SAME(gensyn_round(x, GENSYN_UP), std::ceil(a));
    EXPECT_SAME(gensyn_round(x, GENSYN_TO_ZERO), std::trunc(a));
    EXPECT_SAME(gensyn_round(x, GENSYN_TO_EVEN), std::nearbyint(a));
    EXPECT_SAME(gensyn_round(x, GENSYN_AWAY), std::round(a));
    if (std::fabs(a) < 0x1p64) {
      EXPECT_EQ(gensyn_to_integer(x, ~uint64_t(0)), uint64_t(std::fabs(a)));
    }
    const auto integer = int64_t(numbers.random()) >> numbers.random() % 64;
    const uint64_t size = integer < 0 ? -uint64_t(integer) : uint64_t(integer);
    EXPECT_SAME(gensyn_from_integer(size, integer < 0), double(integer));
    EXPECT_SAME(gensyn_f32_from_integer(size, integer < 0), float(integer));
    if (HasFailure())
      return;
  }
  EXPECT_EQ(gensyn_to_integer(toBits(1e300), 1000), 1000u);
  EXPECT_EQ(gensyn_to_integer(uint64_t(0xfff) << 51, 1000), 0u);
}

} // namespace
} // namespace gensyn
