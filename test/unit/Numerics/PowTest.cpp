// pow: C23's special cases, every tie there is, and pairs against the oracle.

#include "Oracle.h"
#include "PowPairs.h"
#include "gensyn/Numerics/Cost.h"
#include "gensyn/Numerics/Scalar.h"

#include <gtest/gtest.h>

using namespace gensyn;

namespace {
uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

::testing::AssertionResult isPower(float x, float y, float want) {
  const float got = scalar::pow(x, y);
  if (bits(got) == bits(want))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "pow(" << x << ", " << y << ") is " << got << ", not " << want;
}

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::bit_cast<float>(0x7FC00000u);
} // namespace

TEST(Pow, pow_r1_SpecialCases) {
  const float any[] = {0,
                       -0.0f,
                       1,
                       -1,
                       0.5f,
                       -2.5f,
                       3,
                       kInf,
                       -kInf,
                       kNan,
                       0x1p-149f,
                       1e38f,
                       std::bit_cast<float>(0xFF812345u)};
  for (float x : any) {
    EXPECT_TRUE(isPower(x, 0, 1));
    EXPECT_TRUE(isPower(x, -0.0f, 1));
    EXPECT_TRUE(isPower(1, x, 1));
  }
  for (float inf : {kInf, -kInf}) {
    EXPECT_TRUE(isPower(-1, inf, 1));
    EXPECT_TRUE(isPower(kNan, inf, kNan));
  }
  for (float x : {2.0f, -2.0f, 1.0000001f, -kInf}) {
    EXPECT_TRUE(isPower(x, kInf, kInf));
    EXPECT_TRUE(isPower(x, -kInf, 0));
  }
  for (float x : {0.0f, -0.0f, 0.5f, -0.99999994f}) {
    EXPECT_TRUE(isPower(x, kInf, 0));
    EXPECT_TRUE(isPower(x, -kInf, kInf));
  }
  for (float odd : {1.0f, 3.0f, 16777215.0f}) {
    EXPECT_TRUE(isPower(-0.0f, odd, -0.0f));
    EXPECT_TRUE(isPower(-0.0f, -odd, -kInf));
    EXPECT_TRUE(isPower(-kInf, odd, -kInf));
    EXPECT_TRUE(isPower(-kInf, -odd, -0.0f));
    EXPECT_TRUE(isPower(-1, odd, -1));
  }
  for (float even : {2.0f, 0.5f, 16777216.0f, 1e30f}) {
    EXPECT_TRUE(isPower(-0.0f, even, 0));
    EXPECT_TRUE(isPower(-0.0f, -even, kInf));
    EXPECT_TRUE(isPower(-kInf, even, kInf));
    EXPECT_TRUE(isPower(-kInf, -even, 0));
  }
  EXPECT_TRUE(isPower(-1, 16777216.0f, 1));
  for (float fraction : {0.5f, -0.5f, 8388607.5f, 0x1p-149f})
    EXPECT_TRUE(isPower(-2, fraction, kNan));
  EXPECT_TRUE(isPower(kNan, 1, kNan));
  EXPECT_TRUE(isPower(2, kNan, kNan));
  EXPECT_TRUE(isPower(2, 127.5f, 0x1.6a09e6p127f));
  EXPECT_TRUE(isPower(2, 128, kInf));
  EXPECT_TRUE(isPower(-2, 129, -kInf));
  EXPECT_TRUE(isPower(2, -149, 0x1p-149f));
  EXPECT_TRUE(isPower(-2, -151, -0.0f));
}

// A power on the boundary between two f32 is m 2^e to an exponent n / 2^k,
// where m is the 2^k-th power of an odd r and 2^k divides e: otherwise it is
// not dyadic, or has too many bits. Tests all of them, with results from
// integer arithmetic.
TEST(Pow, pow_r1_EveryTie) {
  int ties = 0, wrong = 0;
  auto check = [&](double base, int k, int j, int n, int64_t m) {
    const double wide = std::ldexp(base, j * (1 << k));
    const auto x = static_cast<float>(wide);
    if (x == 0 || static_cast<double>(x) != wide) // an infinity too
      return;
    ++ties;
    const float y = std::ldexp(static_cast<float>(n), -k);
    const int64_t half = m >> 1, even = half + (half & 1);
    const auto want =
        static_cast<float>(std::ldexp(static_cast<double>(even), n * j + 1));
    wrong += !isPower(x, y, want);
    if (k == 0)
      wrong += !isPower(-x, y, n % 2 ? -want : want);
  };
  for (int k = 0; k < 4; ++k)
    for (int64_t r = 3;; r += 2) {
      double base = static_cast<double>(r);
      for (int i = 0; i < k; ++i)
        base *= base;
      if (base >= 0x1p24)
        break;
      int64_t m = 1;
      for (int n = 1; (m *= r) < (1 << 25); ++n) {
        if (k > 0 && n % 2 == 0)
          continue;
        // m's last bit is worth 2^(n j): of 25 bits of a normal number, or half
        // of the least subnormal.
        if (m < (1 << 24) && 150 % n == 0)
          check(base, k, -150 / n, n, m);
        for (int j = -150 / n; m >= (1 << 24) && n * j <= 103; ++j)
          check(base, k, j, n, m);
      }
    }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(ties, 116494);
  // Half the least subnormal, from powers of two: it rounds to even, which is
  // 0.
  int halves = 0;
  for (int e = -149; e < 128; ++e) {
    const auto y = static_cast<float>(-150.0 / (e == 0 ? 1 : e));
    if (e == 0 || static_cast<double>(y) * e != -150)
      continue;
    ++halves;
    EXPECT_TRUE(isPower(std::ldexp(1.0f, e), y, 0)) << e;
  }
  EXPECT_GE(halves, 20);
}

TEST(Pow, pow_r1_AgainstTheOracle) {
  int wrong = 0, undecided = 0, close = 0;
  for (uint64_t block = 0; block < 100; ++block) {
    PowPairs pairs((uint64_t{1} << 40) + block);
    for (int i = 0; i < 10000; ++i) {
      float x, y;
      pairs.next(x, y);
      // The library's pow of a signalling NaN and 0 is a NaN.
      if (x != x || y != y)
        continue;
      const oracle::Answer want = oracle::answerPow(x, y);
      undecided += want.undecided;
      close += want.closeness >= 60;
      if (bits(scalar::pow(x, y)) != want.bits && ++wrong < 10)
        ADD_FAILURE() << std::hexfloat << x << " " << y;
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(undecided, 0);
  EXPECT_GT(close, 1000); // ties and their like are among them
}

TEST(Pow, Costs) {
  OperationCounts n;
  Cost a(n);
  functions::pow(a, a.f32(0), a.f32(0));
  EXPECT_EQ(n.f64, 245);
  EXPECT_EQ(n.divide, 1);
}
