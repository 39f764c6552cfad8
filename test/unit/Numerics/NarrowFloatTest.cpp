// f16 and bf16: all patterns, and all boundaries between neighbours.

#include "gensyn/Numerics/NarrowFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace gensyn;

namespace {
/// The value of a pattern by the definition of the format, in f64.
template <class N> double valueOf(uint32_t bits) {
  const int fraction = static_cast<int>(bits & ((1u << N::kMantissaBits) - 1));
  const int exponent = static_cast<int>(bits >> N::kMantissaBits &
                                        ((1u << N::kExponentBits) - 1));
  const int bias = (1 << (N::kExponentBits - 1)) - 1;
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == (1 << N::kExponentBits) - 1)
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  const double unit =
      std::ldexp(1.0, std::max(exponent, 1) - bias - N::kMantissaBits);
  return sign * unit * (fraction + (exponent ? 1 << N::kMantissaBits : 0));
}

template <class N> class NarrowFloat : public testing::Test {};
using Types = testing::Types<F16, BF16>;
TYPED_TEST_SUITE(NarrowFloat, Types);
} // namespace

TYPED_TEST(NarrowFloat, g4_WideningIsExact) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float got = widenNarrow(TypeParam{static_cast<uint16_t>(bits)});
    const double want = valueOf<TypeParam>(bits);
    if (want != want) {
      EXPECT_EQ(std::bit_cast<uint32_t>(got), 0x7FC00000u);
    } else {
      EXPECT_EQ(static_cast<double>(got), want) << bits;
      EXPECT_EQ(std::signbit(got), bits >> 15 != 0) << bits;
    }
  }
}

TYPED_TEST(NarrowFloat, convert_r1_NarrowingInvertsWidening) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const TypeParam x{static_cast<uint16_t>(bits)};
    const float wide = widenNarrow(x);
    const TypeParam back = narrowTo<TypeParam>(wide);
    if (wide != wide)
      EXPECT_EQ(back.bits, TypeParam::kNan);
    else
      EXPECT_EQ(back.bits, bits);
  }
}

// Between each two neighbours: the middle goes to the even one, anything
// beside it to the nearer one, however near the middle it is.
TYPED_TEST(NarrowFloat, convert_r1_RoundsToNearestEven) {
  const uint32_t infinity = ((1u << TypeParam::kExponentBits) - 1)
                            << TypeParam::kMantissaBits;
  for (uint32_t bits = 0; bits < infinity; ++bits) {
    const double low = valueOf<TypeParam>(bits);
    // Above the largest finite value, the next one would be a power of two.
    const double high = bits + 1 < infinity
                            ? valueOf<TypeParam>(bits + 1)
                            : 2 * low - valueOf<TypeParam>(bits - 1);
    const double middle = (low + high) / 2;
    const double far = std::numeric_limits<double>::max();
    auto narrowed = [](double x) -> uint32_t {
      EXPECT_EQ(narrowTo<TypeParam>(-x).bits,
                narrowTo<TypeParam>(x).bits | 0x8000u);
      return narrowTo<TypeParam>(x).bits;
    };
    EXPECT_EQ(narrowed(middle), bits + (bits & 1)) << bits;
    EXPECT_EQ(narrowed(std::nextafter(middle, 0.0)), bits) << bits;
    EXPECT_EQ(narrowed(std::nextafter(middle, far)), bits + 1) << bits;
    EXPECT_EQ(narrowed(std::nextafter(low, far)), bits) << bits;
  }
  EXPECT_EQ(narrowTo<TypeParam>(1e300).bits, infinity);
  EXPECT_EQ(narrowTo<TypeParam>(0x1p-1074).bits, 0);
  EXPECT_EQ(narrowTo<TypeParam>(-0x1p-1074).bits, 0x8000);
}

#if defined(__FLT16_MAX__)
TEST(F16Test, AgreesWithTheCompiler) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000000; ++i) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (x == x)
      ASSERT_EQ(narrowTo<F16>(x).bits,
                std::bit_cast<uint16_t>(static_cast<_Float16>(x)));
  }
}
#endif
