// The correctly rounded functions: special values, inputs that nearly are ties,
// and a strided sweep, all against the oracle. gensyn-exhaustive runs the rest.

#include "HardInputs.h"
#include "Oracle.h"
#include "gensyn/Numerics/Cost.h"
#include "gensyn/Numerics/Evaluate.h"
#include "gensyn/Numerics/Scalar.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

using namespace gensyn;

namespace {
float one(Function function, float x) {
  switch (function) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem:                                                         \
    return scalar::name(x);
#include "gensyn/Numerics/Functions.def"
  }
  std::abort();
}

class Functions : public testing::TestWithParam<int> {
protected:
  Function function = static_cast<Function>(GetParam());

  /// Evaluates x in all ways: Horner, split chains in vectors, and tables.
  void check(uint32_t x) {
    const auto value = std::bit_cast<float>(x);
    const oracle::Answer want = oracle::answer(function, value);
    float batch[19];
    std::fill(std::begin(batch), std::end(batch), value);
    evaluate(function, batch, batch, 19);
    EXPECT_FALSE(want.undecided);
    EXPECT_EQ(std::bit_cast<uint32_t>(one(function, value)), want.bits)
        << std::hex << x;
    EXPECT_EQ(std::bit_cast<uint32_t>(batch[0]), want.bits) << std::hex << x;
    EXPECT_EQ(std::bit_cast<uint32_t>(batch[18]), want.bits) << std::hex << x;
    evaluate(function, &value, batch, 1, Method::Tables);
    EXPECT_EQ(std::bit_cast<uint32_t>(batch[0]), want.bits) << std::hex << x;
  }
};
} // namespace

TEST_P(Functions, function_r1_SpecialValues) {
  for (uint32_t x :
       {0x00000000u, 0x00000001u, 0x007FFFFFu, 0x00800000u, 0x3F000000u,
        0x3F7FFFFFu, 0x3F800000u, 0x3F800001u, 0x40000000u, 0x42B17217u,
        0x42B17218u, 0x42CFF1B4u, 0x42CFF1B5u, 0x7F7FFFFFu, 0x7F800000u,
        0x7F800001u, 0x7FC00000u, 0x7FFFFFFFu})
    for (uint32_t sign : {0u, 0x80000000u})
      check(x | sign);
  // Around each power of two, where exponents and series change.
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (uint32_t d : {-3, -2, -1, 0, 1, 2, 3})
      for (uint32_t sign : {0u, 0x80000000u})
        check(((exponent << 23) + d & 0x7FFFFFFFu) | sign);
}

TEST_P(Functions, function_r1_HardInputs) {
  const auto inputs = hardInputs(function);
  EXPECT_GE(inputs.size(), 14u);
  for (uint32_t x : inputs)
    check(x);
}

TEST_P(Functions, function_r1_StridedSweep) {
  constexpr uint64_t stride = 997; // prime: all low bits, all exponents
  constexpr int64_t block = 4096;
  std::vector<float> x(block), y(block), byTables(block);
  int wrong = 0;
  for (uint64_t next = 0; next >> 32 == 0;) {
    int64_t n = 0;
    for (; n < block && next >> 32 == 0; next += stride)
      x[static_cast<size_t>(n++)] =
          std::bit_cast<float>(static_cast<uint32_t>(next));
    evaluate(function, x.data(), y.data(), n);
    evaluate(function, x.data(), byTables.data(), n, Method::Tables);
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
      const uint32_t want = oracle::answer(function, x[i]).bits;
      if (std::bit_cast<uint32_t>(y[i]) != want ||
          std::bit_cast<uint32_t>(byTables[i]) != want)
        ++wrong;
    }
  }
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Functions, testing::Range(0, kNumFunctions),
                         [](const auto &info) {
                           return std::string(
                               name(static_cast<Function>(info.param)));
                         });

TEST(FunctionsTest, NamesRoundTrip) {
  for (int i = 0; i < kNumFunctions; ++i) {
    const auto function = static_cast<Function>(i);
    EXPECT_EQ(functionFromName(name(function)), function);
  }
  EXPECT_FALSE(functionFromName("pow"));
}

// Recorded results: the oracle itself must not change.
TEST(FunctionsTest, KnownAnswers) {
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  EXPECT_EQ(bits(scalar::exp(1.0f)), 0x402DF854u);
  EXPECT_EQ(bits(scalar::exp(-104.0f)), 0x00000000u);
  EXPECT_EQ(bits(scalar::exp(88.8f)), 0x7F800000u);
  EXPECT_EQ(bits(scalar::expm1(-0.0f)), 0x80000000u);
  EXPECT_EQ(bits(scalar::expm1(-30.0f)), 0xBF800000u);
  EXPECT_EQ(bits(scalar::log(10.0f)), 0x40135D8Eu);
  EXPECT_EQ(bits(scalar::log(-0.0f)), 0xFF800000u);
  EXPECT_EQ(bits(scalar::log(-1.0f)), 0x7FC00000u);
  EXPECT_EQ(bits(scalar::log1p(-0.0f)), 0x80000000u);
  EXPECT_EQ(bits(scalar::log1p(-1.0f)), 0xFF800000u);
  EXPECT_EQ(bits(scalar::tanh(0.5f)), 0x3EEC9A9Fu);
  EXPECT_EQ(bits(scalar::sigmoid(0.0f)), 0x3F000000u);
  EXPECT_EQ(bits(scalar::erf(1.0f)), 0x3F57BB3Du);
  EXPECT_EQ(bits(scalar::tanh(std::bit_cast<float>(0xFF812345u))), 0x7FC00000u);
}

TEST(FunctionsTest, KnownAnswersOfAngles) {
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  EXPECT_EQ(bits(scalar::sin(1.0f)), 0x3F576AA4u);
  EXPECT_EQ(bits(scalar::sin(0x1p127f)), 0x3F1F9631u);
  EXPECT_EQ(bits(scalar::sin(-0.0f)), 0x80000000u);
  EXPECT_EQ(bits(scalar::cos(1.0f)), 0x3F0A5140u);
  EXPECT_EQ(bits(scalar::cos(0x1.fffffep127f)), 0x3F5A5F96u);
  EXPECT_EQ(bits(scalar::tan(1.0f)), 0x3FC75923u);
  EXPECT_EQ(bits(scalar::tan(0x1p100f)), 0xBFE437E0u);
  EXPECT_EQ(bits(scalar::asin(1.0f)), 0x3FC90FDBu);
  EXPECT_EQ(bits(scalar::acos(-1.0f)), 0x40490FDBu);
  EXPECT_EQ(bits(scalar::acos(1.0f)), 0x00000000u);
  EXPECT_EQ(bits(scalar::atan(1.0f)), 0x3F490FDBu);
  EXPECT_EQ(bits(scalar::sinh(1.0f)), 0x3F966CFEu);
  EXPECT_EQ(bits(scalar::cosh(1.0f)), 0x3FC583ABu);
  EXPECT_EQ(bits(scalar::asinh(1.0f)), 0x3F61A1B3u);
  EXPECT_EQ(bits(scalar::asinh(-0x1p127f)), 0xC2B17218u);
  EXPECT_EQ(bits(scalar::acosh(2.0f)), 0x3FA89214u);
  EXPECT_EQ(bits(scalar::acosh(1.0f)), 0x00000000u);
  EXPECT_EQ(bits(scalar::atanh(0.5f)), 0x3F0C9F54u);
}

TEST(FunctionsTest, KnownAnswersAtTheEnds) {
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  constexpr float kInfinity = functions::kInfinity;
  for (float x : {kInfinity, -kInfinity}) {
    EXPECT_EQ(bits(scalar::sin(x)), 0x7FC00000u);
    EXPECT_EQ(bits(scalar::cos(x)), 0x7FC00000u);
    EXPECT_EQ(bits(scalar::tan(x)), 0x7FC00000u);
  }
  EXPECT_EQ(bits(scalar::atan(-kInfinity)), 0xBFC90FDBu);
  EXPECT_EQ(bits(scalar::sinh(-kInfinity)), 0xFF800000u);
  EXPECT_EQ(bits(scalar::cosh(-kInfinity)), 0x7F800000u);
  EXPECT_EQ(bits(scalar::asinh(-kInfinity)), 0xFF800000u);
  EXPECT_EQ(bits(scalar::acosh(kInfinity)), 0x7F800000u);
  EXPECT_EQ(bits(scalar::acosh(0.99f)), 0x7FC00000u);
  EXPECT_EQ(bits(scalar::asin(1.01f)), 0x7FC00000u);
  EXPECT_EQ(bits(scalar::acos(-1.01f)), 0x7FC00000u);
  EXPECT_EQ(bits(scalar::atanh(-1.0f)), 0xFF800000u);
  EXPECT_EQ(bits(scalar::atanh(1.01f)), 0x7FC00000u);
}

TEST(FunctionsTest, CostsPerElement) {
  auto count = [](auto body) {
    OperationCounts counts;
    Cost a(counts);
    body(a, a.f32(0));
    return counts;
  };
  const OperationCounts exp =
      count([](const Cost &a, Cost::F32 x) { functions::exp(a, x); });
  EXPECT_EQ(exp.f64, 15);
  EXPECT_EQ(exp.divide + exp.sqrt, 0);
  EXPECT_EQ(exp.convert, 2);
  const OperationCounts tanh =
      count([](const Cost &a, Cost::F32 x) { functions::tanh(a, x); });
  EXPECT_EQ(tanh.divide, 1);
  EXPECT_LE(tanh.f64, 26);
  EXPECT_LE(count([](const Cost &a, Cost::F32 x) { functions::erf(a, x); }).f64,
            32);

  // No function needs an f64 division; the cost of an inverse is one root or
  // quotient.
  struct Most {
    int64_t f64, divide, sqrt;
  };
  auto expectMost = [](const OperationCounts &n, const Most &most) {
    EXPECT_LE(n.f64, most.f64);
    EXPECT_LE(n.divide, most.divide);
    EXPECT_LE(n.sqrt, most.sqrt);
  };
#define GENSYN_EXPECT_MOST(name, ...)                                          \
  expectMost(count([](const Cost &a, Cost::F32 x) { functions::name(a, x); }), \
             Most{__VA_ARGS__})
  GENSYN_EXPECT_MOST(sin, 23, 0, 0);
  GENSYN_EXPECT_MOST(cos, 24, 0, 0);
  GENSYN_EXPECT_MOST(tan, 34, 1, 0);
  GENSYN_EXPECT_MOST(asin, 16, 0, 1);
  GENSYN_EXPECT_MOST(acos, 18, 0, 1);
  GENSYN_EXPECT_MOST(atan, 20, 1, 0);
  GENSYN_EXPECT_MOST(sinh, 20, 0, 0);
  GENSYN_EXPECT_MOST(cosh, 20, 0, 0);
  GENSYN_EXPECT_MOST(asinh, 21, 1, 1);
  GENSYN_EXPECT_MOST(acosh, 21, 1, 1);
  GENSYN_EXPECT_MOST(atanh, 19, 1, 0);
#undef GENSYN_EXPECT_MOST
}
