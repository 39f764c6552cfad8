// Elementwise arithmetic on single elements: g3 to g6 and elementwise meanings.

#include "gensyn/Numerics/Scalar.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::scalar;

namespace {
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::bit_cast<float>(0xFFA12345u);
const double kNan64 = std::bit_cast<double>(0xFFF0000000000001u);

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }

/// Hides a value from constant folding.
template <class T> T opaque(T x) {
  volatile T hidden = x;
  return hidden;
}
} // namespace

template <class T> T twoRoundings(T a, T b, T c) { return a * b + c; }

// The same where the compiler could fuse: the baseline has no instruction for
// it.
#if defined(__x86_64__)
template <class T>
__attribute__((target("fma"), noinline)) T withFmaAtHand(T a, T b, T c) {
  return a * b + c;
}
const bool fmaAtHand = __builtin_cpu_supports("fma");
#else
template <class T> T withFmaAtHand(T a, T b, T c) { return a * b + c; }
const bool fmaAtHand = true;
#endif

// The build must not contract: a b + c as two operations rounds twice. Each
// product is one of fresh values, since one that is used twice is not fused.
TEST(Scalar, g3_NothingIsFused) {
  const float a = 1 + 0x1p-12f, c = -(1 + 0x1p-11f);
  EXPECT_EQ(twoRoundings(opaque(a), opaque(a), opaque(c)), 0)
      << "a * b + c was fused";
  EXPECT_EQ(add(mul(opaque(a), opaque(a)), opaque(c)), 0);
  EXPECT_EQ(scalar::fma(opaque(a), opaque(a), opaque(c)), 0x1p-24f);
  const double d = 1 + 0x1p-27, e = -(1 + 0x1p-26);
  EXPECT_EQ(twoRoundings(opaque(d), opaque(d), opaque(e)), 0)
      << "a * b + c was fused";
  EXPECT_EQ(add(mul(opaque(d), opaque(d)), opaque(e)), 0);
  EXPECT_EQ(scalar::fma(opaque(d), opaque(d), opaque(e)), 0x1p-54);
}

TEST(Scalar, g3_NothingIsFusedWhereItCouldBe) {
  if (!fmaAtHand) // then this processor cannot fuse either
    return;
  EXPECT_EQ(withFmaAtHand(1 + 0x1p-12f, 1 + 0x1p-12f, -(1 + 0x1p-11f)), 0);
  EXPECT_EQ(withFmaAtHand(1 + 0x1p-27, 1 + 0x1p-27, -(1 + 0x1p-26)), 0);
}

TEST(Scalar, g3_SubnormalsAndRounding) {
  EXPECT_EQ(mul(opaque(0x1p-126f), 0.5f), 0x1p-127f);
  EXPECT_EQ(add(opaque(0x1p-149f), 0x1p-149f), 0x1p-148f);
  EXPECT_EQ(add(opaque(1.0f), 0x1p-24f), 1.0f);
  EXPECT_EQ(add(opaque(1.0f), 0x1.8p-24f), 1 + 0x1p-23f);
  EXPECT_EQ(scalar::div(opaque(1.0f), 3.0f), 0x1.555556p-2f);
  EXPECT_EQ(bits(scalar::sqrt(opaque(-0.0f))), 0x80000000u);
  EXPECT_EQ(scalar::sqrt(opaque(2.0f)), 0x1.6a09e6p0f);
}

TEST(Scalar, g4_ComputedNansAreCanonical) {
  const float one = 1;
  for (float y : {add(kNan, one), sub(one, kNan), mul(kNan, kNan),
                  scalar::div(one, kNan), rem(kNan, one), rem(kInf, one),
                  rem(one, 0.0f), scalar::fma(kNan, one, one), neg(kNan),
                  scalar::abs(kNan), scalar::sqrt(-one), scalar::min(one, kNan),
                  scalar::min(kNan, one), scalar::max(kNan, -kInf),
                  scalar::max(one, kNan), scalar::round(kNan, Rounding::Even),
                  sub(kInf, kInf), mul(kInf, 0.0f), scalar::div(0.0f, 0.0f)})
    EXPECT_EQ(bits(y), 0x7FC00000u);
  for (double y : {add(kNan64, 1.0), neg(kNan64), scalar::sqrt(-1.0),
                   scalar::max(1.0, kNan64),
                   scalar::round(kNan64, Rounding::Floor), scalar::exp(kNan64)})
    EXPECT_EQ(bits(y), 0x7FF8000000000000u);
  EXPECT_EQ(bits(scalar::select(true, kNan, one)), bits(kNan));
}

TEST(Scalar, g5_MinMaxFollowTheTotalOrder) {
  const float order[] = {-kInf, -1,        -0x1p-149f, -0.0f,
                         0.0f,  0x1p-149f, 1,          kInf};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      EXPECT_EQ(bits(scalar::min(order[i], order[j])),
                bits(order[std::min(i, j)]));
      EXPECT_EQ(bits(scalar::max(order[i], order[j])),
                bits(order[std::max(i, j)]));
      EXPECT_EQ(totalLess(order[i], order[j]), i < j);
      const double a = order[i], b = order[j];
      EXPECT_EQ(bits(scalar::min(a, b)), bits(i < j ? a : b));
      EXPECT_EQ(totalLess(a, b), i < j);
    }
  EXPECT_TRUE(totalLess(kInf, kNan));
  EXPECT_FALSE(totalLess(kNan, std::bit_cast<float>(0x7FC00000u)));
  EXPECT_FALSE(totalLess(std::bit_cast<float>(0x7FC00000u), kNan));
  EXPECT_EQ(scalar::min(int8_t{-128}, int8_t{127}), -128);
  EXPECT_EQ(scalar::max(uint8_t{200}, uint8_t{100}), 200);
  EXPECT_EQ(scalar::max(true, false), true);
}

// Associative and commutative to the bit, so a maximum needs no order.
TEST(Scalar, g5_MinMaxAreOrderFree) {
  const float v[] = {kNan, -kInf, -2,   -0.0f,
                     0.0f, 2,     kInf, std::bit_cast<float>(0x7F800001u)};
  for (float a : v)
    for (float b : v) {
      EXPECT_EQ(bits(scalar::max(a, b)), bits(scalar::max(b, a)));
      EXPECT_EQ(bits(scalar::min(a, b)), bits(scalar::min(b, a)));
      EXPECT_EQ(bits(scalar::max(a, b)),
                bits(neg(scalar::min(neg(a), neg(b)))));
      for (float c : v) {
        EXPECT_EQ(bits(scalar::max(scalar::max(a, b), c)),
                  bits(scalar::max(a, scalar::max(b, c))));
        EXPECT_EQ(bits(scalar::min(scalar::min(a, b), c)),
                  bits(scalar::min(a, scalar::min(b, c))));
      }
    }
}

TEST(Scalar, g6_IntegersWrapAndNeverFault) {
  EXPECT_EQ(add(int8_t{127}, int8_t{1}), -128);
  EXPECT_EQ(sub(int32_t{INT32_MIN}, 1), INT32_MAX);
  EXPECT_EQ(mul(int16_t{-32768}, int16_t{-1}), -32768);
  EXPECT_EQ(mul(uint16_t{65535}, uint16_t{65535}), 1);
  EXPECT_EQ(mul(INT64_MAX, int64_t{2}), -2);
  EXPECT_EQ(add(UINT64_MAX, uint64_t{1}), 0u);
  EXPECT_EQ(scalar::div(int32_t{7}, 0), -1);
  EXPECT_EQ(scalar::div(uint8_t{7}, uint8_t{0}), 255);
  EXPECT_EQ(scalar::div(INT64_MIN, int64_t{-1}), INT64_MIN);
  EXPECT_EQ(scalar::div(int8_t{-128}, int8_t{-1}), -128);
  EXPECT_EQ(scalar::div(-7, 2), -3);
  EXPECT_EQ(rem(-7, 2), -1);
  EXPECT_EQ(rem(7, 0), 7);
  EXPECT_EQ(rem(INT32_MIN, -1), 0);
  EXPECT_EQ(neg(INT32_MIN), INT32_MIN);
  EXPECT_EQ(scalar::abs(int8_t{-128}), -128);
  EXPECT_EQ(scalar::abs(int16_t{-5}), 5);
}

TEST(Scalar, Shifts) {
  EXPECT_EQ(shl(int8_t{1}, int8_t{7}), -128);
  EXPECT_EQ(shl(int8_t{1}, int8_t{8}), 0);
  EXPECT_EQ(shl(int32_t{1}, int32_t{-1}), 0) << "the amount is unsigned";
  EXPECT_EQ(shl(uint64_t{1}, uint64_t{63}), uint64_t{1} << 63);
  EXPECT_EQ(shr(int8_t{-128}, int8_t{3}), -16);
  EXPECT_EQ(shr(int8_t{-128}, int8_t{8}), -1);
  EXPECT_EQ(shr(int8_t{127}, int8_t{-1}), 0);
  EXPECT_EQ(shr(uint8_t{255}, uint8_t{4}), 15);
  EXPECT_EQ(shr(uint8_t{255}, uint8_t{255}), 0);
  EXPECT_EQ(bitNot(true), false);
  EXPECT_EQ(bitNot(uint8_t{1}), 254);
  EXPECT_EQ(bitXor(true, true), false);
  EXPECT_EQ(bitAnd(int8_t{-1}, int8_t{5}), 5);
  EXPECT_EQ(bitOr(uint16_t{256}, uint16_t{1}), 257);
}

TEST(Scalar, RemIsExact) {
  EXPECT_EQ(rem(5.5f, 2.0f), 1.5f);
  EXPECT_EQ(rem(-5.5f, 2.0f), -1.5f);
  EXPECT_EQ(bits(rem(-4.0f, 2.0f)), bits(-0.0f));
  EXPECT_EQ(rem(3.0f, kInf), 3.0f);
  EXPECT_EQ(rem(0x1p127f, 3.0f), 2.0f); // 2 to an odd power
  EXPECT_EQ(rem(1.0, 0x1p-1074), 0.0);
}

TEST(Scalar, RoundKeepsTheSign) {
  struct Case {
    double x, floor, ceil, trunc, even;
  };
  for (auto [x, floor, ceil, trunc, even] : {
           Case{0.0, 0.0, 0.0, 0.0, 0.0},
           Case{-0.0, -0.0, -0.0, -0.0, -0.0},
           Case{0.5, 0.0, 1.0, 0.0, 0.0},
           Case{-0.5, -1.0, -0.0, -0.0, -0.0},
           Case{1.5, 1.0, 2.0, 1.0, 2.0},
           Case{2.5, 2.0, 3.0, 2.0, 2.0},
           Case{-2.5, -3.0, -2.0, -2.0, -2.0},
           Case{0.75, 0.0, 1.0, 0.0, 1.0},
           Case{-1e-30, -1.0, -0.0, -0.0, -0.0},
           Case{8388607.5, 8388607., 8388608., 8388607., 8388608.},
           Case{-16777217., -16777217., -16777217., -16777217., -16777217.},
       }) {
    const std::pair<Rounding, double> modes[] = {{Rounding::Floor, floor},
                                                 {Rounding::Ceil, ceil},
                                                 {Rounding::Trunc, trunc},
                                                 {Rounding::Even, even}};
    for (auto [mode, want] : modes) {
      EXPECT_EQ(bits(scalar::round(x, mode)), bits(want)) << x;
      if (static_cast<double>(static_cast<float>(x)) == x)
        EXPECT_EQ(bits(scalar::round(static_cast<float>(x), mode)),
                  bits(static_cast<float>(want)))
            << x;
    }
  }
  EXPECT_EQ(scalar::round(-kInf, Rounding::Ceil), -kInf);
  EXPECT_EQ(scalar::round(0x1p60, Rounding::Even), 0x1p60);
  EXPECT_EQ(scalar::round(0x1.fffffffffffffp51, Rounding::Even), 0x1p52);
}

TEST(Scalar, CompareIsIeee) {
  for (auto how : {Comparison::Eq, Comparison::Ne, Comparison::Lt,
                   Comparison::Le, Comparison::Gt, Comparison::Ge}) {
    EXPECT_EQ(compare(kNan, 1.0f, how), how == Comparison::Ne);
    EXPECT_EQ(compare(kNan, kNan, how), how == Comparison::Ne);
    const bool same =
        how == Comparison::Eq || how == Comparison::Le || how == Comparison::Ge;
    EXPECT_EQ(compare(-0.0f, 0.0f, how), same);
    EXPECT_EQ(compare(F16{0x8000}, F16{0}, how), same);
    EXPECT_EQ(compare(uint8_t{200}, uint8_t{200}, how), same);
  }
  EXPECT_TRUE(compare(uint32_t{0xFFFFFFFF}, uint32_t{1}, Comparison::Gt));
  EXPECT_TRUE(compare(int32_t{-1}, int32_t{1}, Comparison::Lt));
  EXPECT_TRUE(compare(BF16{0xBF80}, BF16{0x3F80}, Comparison::Lt));
  EXPECT_TRUE(compare(false, true, Comparison::Lt));
}
