// Narrow floats against their definitions: a list of all values, and a search
// in it for the nearest. All patterns, all middles between neighbours and what
// lies beside them, and a part of all f32; the rest is in the exhaustive run.

#include "gensyn/Numerics/Convert.h"

#include "NarrowOracle.h"
#include "gensyn/Numerics/Dispatch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace gensyn;

namespace {
template <class N> class NarrowFloatTest : public testing::Test {};
using Types = testing::Types<F16, BF16, F8E4M3FN, F8E4M3FNUZ, F8E5M2,
                             F8E5M2FNUZ, F6E2M3FN, F6E3M2FN, F4E2M1FN>;
TYPED_TEST_SUITE(NarrowFloatTest, Types);

template <class N> constexpr uint32_t kPatterns = 1u << N::kFormat.width();

template <class N> N pattern(uint32_t bits) {
  return {static_cast<typename N::Bits>(bits)};
}

/// `x` as f64 and, where it is one, as f32, saturating and not.
template <class N> void expectNarrowed(const narrow::Oracle &oracle, double x) {
  for (bool saturate : {false, true}) {
    const uint32_t want = oracle.round(x, saturate);
    ASSERT_EQ(narrowTo<N>(x, {saturate}).bits, want) << std::hexfloat << x;
    const auto single = static_cast<float>(x);
    if (static_cast<double>(single) == x)
      ASSERT_EQ(narrowTo<N>(single, {saturate}).bits, want)
          << std::hexfloat << x;
  }
}
} // namespace

TYPED_TEST(NarrowFloatTest, g4_WideningIsExact) {
  const narrow::Oracle oracle(elementTypeOf<TypeParam>());
  for (uint32_t bits = 0; bits < kPatterns<TypeParam>; ++bits) {
    const float got = widenNarrow(pattern<TypeParam>(bits));
    const double want = oracle.valueOf(bits);
    if (want != want)
      EXPECT_EQ(std::bit_cast<uint32_t>(got), 0x7FC00000u) << bits;
    else
      EXPECT_EQ(std::bit_cast<uint64_t>(static_cast<double>(got)),
                std::bit_cast<uint64_t>(want))
          << bits;
  }
}

TYPED_TEST(NarrowFloatTest, convert_r1_NarrowingInvertsWidening) {
  for (uint32_t bits = 0; bits < kPatterns<TypeParam>; ++bits) {
    const float wide = widenNarrow(pattern<TypeParam>(bits));
    const auto back = narrowTo<TypeParam>(wide);
    EXPECT_EQ(back.bits, wide != wide ? TypeParam::kNan : bits);
  }
}

// Between each two neighbours: the middle goes to the even one, any other value
// to the nearer one, however close to the middle it is.
TYPED_TEST(NarrowFloatTest, convert_r1_RoundsToNearestEven) {
  const narrow::Oracle oracle(elementTypeOf<TypeParam>());
  constexpr double far = std::numeric_limits<double>::infinity();
  for (double low : oracle.magnitudes()) {
    const double high = oracle.after(low), middle = (low + high) / 2;
    for (double x : {low, middle, high})
      for (double beside : {x, std::nextafter(x, 0.0), std::nextafter(x, far)})
        for (double either : {beside, -beside})
          expectNarrowed<TypeParam>(oracle, either);
  }
  for (double x : {1e300, 0x1p-1074, 0x1p-149, 0x1p127, 0.0, far,
                   std::numeric_limits<double>::quiet_NaN()})
    for (double either : {x, -x})
      expectNarrowed<TypeParam>(oracle, either);
}

// The same for singles, whose neighbours of a middle are farther away, and for
// what lies between a middle and a value.
TYPED_TEST(NarrowFloatTest, convert_r1_SinglesBesideTies) {
  const narrow::Oracle oracle(elementTypeOf<TypeParam>());
  constexpr float far = std::numeric_limits<float>::infinity();
  for (double low : oracle.magnitudes()) {
    const double step = oracle.after(low) - low;
    for (double part : {0.25, 0.5, 0.75}) {
      const auto x = static_cast<float>(low + part * step);
      for (float beside : {x, std::nextafter(x, 0.0f), std::nextafter(x, far)})
        for (float either : {beside, -beside})
          expectNarrowed<TypeParam>(oracle, either);
    }
  }
}

TYPED_TEST(NarrowFloatTest, convert_r1_APartOfAllSingles) {
  const narrow::Oracle oracle(elementTypeOf<TypeParam>());
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 40013)
    expectNarrowed<TypeParam>(
        oracle, std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

// Every pattern of every type of at most 16 bits.
TYPED_TEST(NarrowFloatTest, convert_r1_FromEveryNarrowPattern) {
  const narrow::Oracle oracle(elementTypeOf<TypeParam>());
  for (int i = 0; i < kNumElementTypes; ++i)
    dispatch(static_cast<ElementType>(i), [&](auto tag) {
      using From = typename decltype(tag)::type;
      if constexpr (IsNarrowFloat<From>)
        for (uint32_t bits = 0; bits < kPatterns<From>; ++bits)
          for (bool saturate : {false, true}) {
            const double x = widenNarrow(pattern<From>(bits));
            ASSERT_EQ(
                scalar::convert<TypeParam>(pattern<From>(bits), {saturate})
                    .bits,
                oracle.round(x, saturate))
                << bits;
          }
    });
}

// Written out: between 0 and the least number, whose half is a tie.
TEST(NarrowFloat, convert_r1_BesideTheLeastNumber) {
  EXPECT_EQ(narrowTo<F8E4M3FN>(0x1p-10f).bits, 0x00);
  EXPECT_EQ(narrowTo<F8E4M3FN>(0x1.fffffep-11f).bits, 0x00);
  EXPECT_EQ(narrowTo<F8E4M3FN>(0x1.000002p-10f).bits, 0x01);
  EXPECT_EQ(narrowTo<F8E4M3FN>(0x1.8p-10f).bits, 0x01);
  EXPECT_EQ(narrowTo<F8E4M3FN>(0x1.8p-9f).bits, 0x02);
  EXPECT_EQ(narrowTo<F8E4M3FN>(-0x1.8p-10f).bits, 0x81);
  EXPECT_EQ(narrowTo<F8E5M2>(0x1.8p-10f).bits, 0x16);
  EXPECT_EQ(narrowTo<F8E5M2>(0x1p-17f).bits, 0x00);
  EXPECT_EQ(narrowTo<F8E5M2>(0x1.fffffep-18f).bits, 0x00);
  EXPECT_EQ(narrowTo<F8E5M2>(0x1.000002p-17f).bits, 0x01);
  EXPECT_EQ(narrowTo<F8E5M2>(0x1.8p-17f).bits, 0x01);
  EXPECT_EQ(narrowTo<F8E5M2>(0x1.8p-16f).bits, 0x02);
}

TEST(NarrowFloat, g4_CanonicalNans) {
  EXPECT_EQ(F16::kNan, 0x7E00);
  EXPECT_EQ(BF16::kNan, 0x7FC0);
  EXPECT_EQ(F8E4M3FN::kNan, 0x7F);
  EXPECT_EQ(F8E5M2::kNan, 0x7E);
  EXPECT_EQ(F8E4M3FNUZ::kNan, 0x80);
  EXPECT_EQ(F8E5M2FNUZ::kNan, 0x80);
  EXPECT_EQ(F8E8M0FNU::kNan, 0xFF);
  // These formats have no NaN, so -0 takes its place.
  EXPECT_EQ(F6E2M3FN::kNan, 0x20);
  EXPECT_EQ(F6E3M2FN::kNan, 0x20);
  EXPECT_EQ(F4E2M1FN::kNan, 0x8);
}

TEST(NarrowFloat, convert_r3_EveryPowerOfTwoAndWhatLiesBetween) {
  for (uint32_t bits = 0; bits < 256; ++bits) {
    const float got = widenNarrow(F8E8M0FNU{static_cast<uint8_t>(bits)});
    if (bits == 255)
      EXPECT_EQ(std::bit_cast<uint32_t>(got), 0x7FC00000u);
    else
      EXPECT_EQ(got, std::ldexp(1.0f, static_cast<int>(bits) - 127));
  }
  constexpr double far = std::numeric_limits<double>::infinity();
  for (int exponent = -131; exponent <= 131; ++exponent)
    for (double x : {std::ldexp(1.0, exponent), std::ldexp(1.5, exponent)})
      for (double beside :
           {x, std::nextafter(x, 0.0), std::nextafter(x, far),
            static_cast<double>(std::nextafter(static_cast<float>(x), 0.0f))})
        for (bool saturate : {false, true})
          for (auto power : {PowerRounding::Nearest, PowerRounding::Up,
                             PowerRounding::Down}) {
            const Narrowing how = {saturate, power};
            const uint32_t want = narrow::roundToPower(beside, how);
            ASSERT_EQ(narrowTo<F8E8M0FNU>(beside, how).bits, want)
                << std::hexfloat << beside;
            const auto single = static_cast<float>(beside);
            if (static_cast<double>(single) == beside)
              ASSERT_EQ(narrowTo<F8E8M0FNU>(single, how).bits, want);
          }
}

TEST(NarrowFloat, convert_r3_WhatIsNoPositiveNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (auto power :
       {PowerRounding::Nearest, PowerRounding::Up, PowerRounding::Down}) {
    for (bool saturate : {false, true})
      for (double x : {-1.0, -0x1p-140, -infinity, std::nan("")})
        EXPECT_EQ(narrowTo<F8E8M0FNU>(x, {saturate, power}).bits, 0xFF);
    for (double x : {0.0, -0.0, 0x1p-1074}) {
      EXPECT_EQ(narrowTo<F8E8M0FNU>(x, {true, power}).bits, 0);
      EXPECT_EQ(narrowTo<F8E8M0FNU>(x, {false, power}).bits, 0xFF);
    }
    EXPECT_EQ(narrowTo<F8E8M0FNU>(infinity, {true, power}).bits, 0xFE);
    EXPECT_EQ(narrowTo<F8E8M0FNU>(infinity, {false, power}).bits, 0xFF);
  }
}

// GCC 12 defines the macro and has the type in C only.
#if defined(__FLT16_MAX__) && defined(__clang__)
TEST(NarrowFloat, F16AgreesWithTheCompiler) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000000; ++i) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (x == x)
      ASSERT_EQ(narrowTo<F16>(x).bits,
                std::bit_cast<uint16_t>(static_cast<_Float16>(x)));
  }
}
#endif
