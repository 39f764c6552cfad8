// Distributions: their bits first, then their statistics.
//
// The statistical tests have fixed words, so they pass or fail for ever; their
// bounds are five standard deviations of the statistic for true randomness,
// which one in 1.7 million good generators would miss.

#include "gensyn/Numerics/Distributions.h"

#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Philox.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

using namespace gensyn;
using namespace gensyn::random;

namespace {
constexpr Native a;
constexpr int kSamples = 1 << 18;

/// Words of a random op with a fixed key.
uint32_t word(uint32_t stream, uint64_t index) {
  return bitsAt(a, Draw<Native>{{7, 0}, 3, 0, kFirstStream + stream}, index);
}

struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0;
};
Moments momentsOf(const std::vector<double> &x) {
  Moments m;
  const double n = double(x.size());
  for (double v : x)
    m.mean += v / n;
  for (double v : x)
    m.variance += (v - m.mean) * (v - m.mean) / n;
  for (double v : x) {
    double z = (v - m.mean) / std::sqrt(m.variance);
    m.skewness += z * z * z / n;
    m.kurtosis += z * z * z * z / n;
  }
  return m;
}

/// The sum of (observed - expected)^2 / expected over equally likely bins.
double chiSquare(const std::vector<int64_t> &bins) {
  int64_t n = 0;
  for (int64_t count : bins)
    n += count;
  double expected = double(n) / double(bins.size()), sum = 0;
  for (int64_t count : bins)
    sum += (double(count) - expected) * (double(count) - expected) / expected;
  return sum;
}

/// chi-square with k - 1 degrees of freedom has mean k - 1 and variance
/// 2 (k - 1).
void expectEven(const std::vector<int64_t> &bins) {
  double freedom = double(bins.size()) - 1;
  EXPECT_NEAR(chiSquare(bins), freedom, 5 * std::sqrt(2 * freedom));
}

double phi(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }
} // namespace

TEST(Distributions, fromWordIsTheNearest) {
  for (uint32_t w : {0u, 1u, 2u, 0xFFFFFFu, 0x1000001u, 0x1000003u, 0x7FFFFFFFu,
                     0x80000080u, 0x80000180u, 0xFFFFFF7Fu, 0xFFFFFF80u, ~0u})
    EXPECT_EQ(fromWord(a, w), static_cast<float>(w)) << w;
  for (uint32_t i = 0; i < 10000; ++i)
    EXPECT_EQ(fromWord(a, word(0, i)), static_cast<float>(word(0, i)));
}

TEST(Distributions, uniformBitsRandomR2) {
  EXPECT_EQ(uniform(a, 0), 0.0f);
  EXPECT_EQ(uniform(a, 0xFF), 0.0f);
  EXPECT_EQ(uniform(a, 0x100), 0x1p-24f);
  EXPECT_EQ(uniform(a, 0x80000000), 0.5f);
  EXPECT_EQ(uniform(a, ~0u), 0x1.fffffep-1f);
}

TEST(Distributions, bernoulliThresholdRandomR3) {
  constexpr uint64_t all = uint64_t{1} << 32;
  EXPECT_EQ(bernoulliThreshold(0), 0u);
  EXPECT_EQ(bernoulliThreshold(1), all);
  EXPECT_EQ(bernoulliThreshold(-1), 0u);
  EXPECT_EQ(bernoulliThreshold(2), all);
  EXPECT_EQ(bernoulliThreshold(std::nan("")), 0u);
  EXPECT_EQ(bernoulliThreshold(0.5), all / 2);
  EXPECT_EQ(bernoulliThreshold(0.1), 429496730u); // 429496729.6
  EXPECT_EQ(bernoulliThreshold(0x1p-33), 0u);     // a tie, to even
  EXPECT_EQ(bernoulliThreshold(0x3p-33), 2u);
  EXPECT_EQ(bernoulliThreshold(1 - 0x1p-34), all);
}

TEST(Distributions, bernoulliBitsRandomR3) {
  constexpr uint64_t all = uint64_t{1} << 32;
  for (uint32_t w : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, ~0u}) {
    EXPECT_FALSE(bernoulli(a, w, 0));
    EXPECT_TRUE(bernoulli(a, w, all));
    EXPECT_EQ(bernoulli(a, w, 0x80000000), w < 0x80000000);
    EXPECT_EQ(bernoulli(a, w, 1), w == 0);
    EXPECT_EQ(bernoulli(a, w, 0xFFFFFFFF), w != ~0u);
  }
}

TEST(Distributions, uniformIsUniform) {
  std::vector<int64_t> bins(256), pairs(256);
  std::vector<double> x;
  for (int i = 0; i < kSamples; ++i) {
    x.push_back(uniform(a, word(1, uint64_t(i))));
    ++bins[size_t(x.back() * 256)];
    if (i % 2)
      ++pairs[size_t(x[size_t(i) - 1] * 16) * 16 + size_t(x.back() * 16)];
  }
  expectEven(bins);
  expectEven(pairs); // adjacent elements are independent
  // Variance 1/12; that of the sample variance is (1/80 - 1/144) / n.
  Moments m = momentsOf(x);
  EXPECT_NEAR(m.mean, 0.5, 5 * std::sqrt(1.0 / 12 / kSamples));
  EXPECT_NEAR(m.variance, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / kSamples));
}

TEST(Distributions, neighboursInStepAndStreamAreIndependent) {
  std::vector<int64_t> streams(256), steps(256), keys(256);
  auto at = [](Draw<Native> draw) { return bitsAt(a, draw, 5) >> 28; };
  for (uint32_t i = 0; i < 1 << 16; ++i) {
    Draw<Native> draw = {{1, 2}, i, 0, kFirstStream};
    Draw<Native> stream = draw, step = draw, key = draw;
    ++stream.stream, ++step.step, ++key.key[0];
    ++streams[at(draw) * 16 + at(stream)];
    ++steps[at(draw) * 16 + at(step)];
    ++keys[at(draw) * 16 + at(key)];
  }
  expectEven(streams);
  expectEven(steps);
  expectEven(keys);
}

TEST(Distributions, bernoulliHasItsProbability) {
  for (double p : {0.001, 0.1, 0.5, 0.9}) {
    int64_t count = 0;
    for (int i = 0; i < kSamples; ++i)
      count += bernoulli(a, word(2, uint64_t(i)), bernoulliThreshold(p));
    EXPECT_NEAR(double(count), p * kSamples,
                5 * std::sqrt(p * (1 - p) * kSamples));
  }
}

TEST(Distributions, normalBitsRandomR4) {
  auto at = [](uint32_t first, uint32_t second) {
    return std::bit_cast<uint32_t>(normal(a, first, second));
  };
  // The longest radius: the words 0 and 1 are one; log(2^-32) is the minimum.
  EXPECT_EQ(at(0, 0), at(1, 0));
  EXPECT_NEAR(normal(a, 0, 0), std::sqrt(64 * std::log(2.0)), 1e-6);
  EXPECT_NEAR(normal(a, 0, ~0u), -std::sqrt(64 * std::log(2.0)), 1e-6);
  // u rounds to 1, whose logarithm is +0: sqrt(-0) is -0.
  EXPECT_EQ(at(~0u, 0), 0x80000000u);
  EXPECT_EQ(at(~0u, ~0u), 0x00000000u);
  EXPECT_EQ(at(0, 0), 0x40D5224Du);
  EXPECT_EQ(at(0x12345678, 0x9ABCDEF0), 0xBF3DB25Au);
  EXPECT_EQ(at(0x9ABCDEF0, 0x12345678), 0x3F7A7F33u);
}

TEST(Distributions, normalIsDistributedSo) {
  std::vector<int64_t> bins(256);
  std::vector<double> x;
  for (uint64_t i = 0; i < kSamples; ++i) {
    x.push_back(normal(a, word(3, 2 * i), word(3, 2 * i + 1)));
    ++bins[std::min<size_t>(size_t(phi(x.back()) * 256), 255)];
  }
  expectEven(bins);
  // The variances of the first four sample moments are 1, 2, 6 and 24 over n.
  Moments m = momentsOf(x);
  EXPECT_NEAR(m.mean, 0, 5 * std::sqrt(1.0 / kSamples));
  EXPECT_NEAR(m.variance, 1, 5 * std::sqrt(2.0 / kSamples));
  EXPECT_NEAR(m.skewness, 0, 5 * std::sqrt(6.0 / kSamples));
  EXPECT_NEAR(m.kurtosis, 3, 5 * std::sqrt(24.0 / kSamples));
}

TEST(Distributions, erfinvInvertsErf) {
  double worst = 0;
  auto check = [&](float x) {
    double z = erfinv(a, x);
    // One Newton step is far more accurate than f32.
    double slope = 2 / std::sqrt(M_PI) * std::exp(-z * z);
    double tail = x > 0 ? (1.0 - double(x)) - std::erfc(z)
                        : std::erfc(-z) - (1.0 + double(x));
    double exact =
        z + (std::fabs(x) < 0.5 ? double(x) - std::erf(z) : -tail) / slope;
    if (x != 0)
      worst = std::max(worst, std::fabs(z / exact - 1));
  };
  for (int i = 1; i < 1 << 16; ++i)
    check(float(i) * 0x1p-16f), check(float(-i) * 0x1p-16f);
  for (int e = 1; e <= 24; ++e)
    check(1 - std::ldexp(1.0f, -e)), check(std::ldexp(1.0f, -e));
  EXPECT_LT(worst, 3e-7);
  EXPECT_EQ(erfinv(a, 0.0f), 0.0f);
}

TEST(Distributions, truncatedNormalBitsRandomR5) {
  const float bound = static_cast<float>(std::erf(std::sqrt(2.0)));
  auto at = [&](uint32_t w) {
    return std::bit_cast<uint32_t>(
        truncatedNormal(a, w, -2.0f, 2.0f, -bound, bound));
  };
  EXPECT_EQ(at(0) ^ at(~0u), 0x80000000u);
  EXPECT_EQ(at(0x80000000u) ^ at(0x7FFFFFFFu), 0x80000000u);
  EXPECT_EQ(at(0), 0xBFFFFFF6u);
  EXPECT_EQ(at(0x12345678), 0xBFAB1FEFu);
  EXPECT_EQ(at(0x80000000u), 0x34191FF6u);
}

TEST(Distributions, truncatedNormalIsDistributedSo) {
  struct Case {
    double low, high;
  };
  for (auto [low, high] : {Case{-2, 2}, Case{-0.5, 3}, Case{1, 2},
                           Case{-100, 100}, Case{-100, -1}}) {
    const float erfLow = static_cast<float>(std::erf(low / std::sqrt(2.0)));
    const float erfHigh = static_cast<float>(std::erf(high / std::sqrt(2.0)));
    std::vector<int64_t> bins(64);
    for (int i = 0; i < kSamples; ++i) {
      float z = truncatedNormal(a, word(4, uint64_t(i)), float(low),
                                float(high), erfLow, erfHigh);
      ASSERT_GE(z, low);
      ASSERT_LE(z, high);
      double p = (phi(z) - phi(low)) / (phi(high) - phi(low));
      ++bins[std::min<size_t>(size_t(p * 64), 63)];
    }
    expectEven(bins);
  }
}
