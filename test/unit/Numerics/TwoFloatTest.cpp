// The functions in double-float arithmetic: the same bits as in f64 on special
// values, on inputs that nearly are ties and on a strided sweep; and seldom
// unsure. gensyn-exhaustive covers every input.

#include "TwoFloat.h"
#include "HardInputs.h"
#include "gensyn/Numerics/NativeTwoFloat.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <vector>

using namespace gensyn;

using twofloat::Way;

namespace {
struct Form {
  Function function;
  Way way;
};
std::vector<Form> allForms() {
  std::vector<Form> forms;
  for (int i = 0; i < kNumFunctions; ++i)
    for (Way way : twofloat::kWays)
      if (twofloat::has(static_cast<Function>(i), way))
        forms.push_back({static_cast<Function>(i), way});
  return forms;
}

class TwoFloat : public testing::TestWithParam<Form> {
protected:
  Function function = GetParam().function;
  Way way = GetParam().way;

  /// The number of x left to f64; checks that all other results are correct.
  int64_t check(const std::vector<float> &x) {
    const auto n = static_cast<int64_t>(x.size());
    std::vector<float> want(x.size()), got(x.size());
    std::vector<uint32_t> unsure(x.size());
    evaluate(function, x.data(), want.data(), n);
    twofloat::attempt(function, way, x.data(), got.data(), unsure.data(), n);
    int64_t left = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const auto wanted = std::bit_cast<uint32_t>(want[i]);
      if (unsure[i])
        ++left;
      else if (std::bit_cast<uint32_t>(got[i]) != wanted)
        ADD_FAILURE() << std::hex << std::bit_cast<uint32_t>(x[i]);
      if (unsure[i] || i % 64 == 0)
        EXPECT_EQ(std::bit_cast<uint32_t>(twofloat::one(function, way, x[i])),
                  wanted);
    }
    return left;
  }
};
} // namespace

TEST_P(TwoFloat, function_r1_SpecialAndHardInputs) {
  std::vector<float> x;
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (uint32_t d : {-3, -2, -1, 0, 1, 2, 3})
      for (uint32_t sign : {0u, 0x80000000u})
        x.push_back(std::bit_cast<float>(
            (((exponent << 23) + d) & 0x7FFFFFFFu) | sign));
  for (uint32_t bits : hardInputs(function))
    x.push_back(std::bit_cast<float>(bits));
  check(x);
}

TEST_P(TwoFloat, function_r1_StridedSweep) {
  std::vector<float> x;
  for (uint64_t next = 0; next >> 32 == 0; next += 1999) // a prime
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(next)));
  check(x);
}

INSTANTIATE_TEST_SUITE_P(All, TwoFloat, testing::ValuesIn(allForms()),
                         [](const auto &info) {
                           return std::string(name(info.param.function)) +
                                  twofloat::name(info.param.way);
                         });

// Typical arguments in a network: numbers of ordinary size, and those that
// attention masks out. Few are left to f64, and no common one.
TEST(TwoFloatTest, OrdinaryInputsAreSeldomLeftToDouble) {
  std::vector<float> x;
  for (int i = -200000; i < 200000; ++i)
    x.push_back(static_cast<float>(i) * 0x1.9p-16f);
  auto left = [&](Function function, Way way = Way::Plain) {
    const auto n = static_cast<int64_t>(x.size());
    std::vector<float> y(x.size());
    std::vector<uint32_t> unsure(x.size());
    twofloat::attempt(function, way, x.data(), y.data(), unsure.data(), n);
    int64_t count = 0;
    for (uint32_t u : unsure)
      count += u;
    return count;
  };
  for (Function f :
       {Function::Exp, Function::Expm1, Function::Tanh, Function::Sigmoid,
        Function::Erf, Function::Sin, Function::Cos, Function::Tan,
        Function::Sinh, Function::Cosh, Function::Atan})
    EXPECT_LT(left(f), 200) << name(f);
  // A vector of 64 lanes is left to f64 if one of them is.
  for (Function f : {Function::Sigmoid})
    for (Way way : {Way::Octets, Way::Tables})
      EXPECT_LT(left(f, way), 200) << name(f);
  for (float &one : x)
    one = std::abs(one) + 0x1p-10f;
  for (Function f : {Function::Log, Function::Log1p})
    EXPECT_LT(left(f), 200) << name(f);

  const float infinity = functions::kInfinity;
  x = {0.0f, -0.0f, -1e4f, -1e9f, -infinity, 1e4f, infinity};
  EXPECT_EQ(left(Function::Exp), 0);
  EXPECT_EQ(left(Function::Expm1), 0);
  EXPECT_EQ(left(Function::Tanh), 0);
  EXPECT_EQ(left(Function::Sigmoid), 0);
  EXPECT_EQ(left(Function::Erf), 0);
  x = {1.0f, 0.5f, 10.0f, 1e9f};
  EXPECT_EQ(left(Function::Log), 0);
  x = {0.0f, -0.0f, 1.0f, 10.0f, 1e9f};
  EXPECT_EQ(left(Function::Log1p), 0);
  EXPECT_EQ(left(Function::Sin), 1); // 10^9
  EXPECT_EQ(left(Function::Cos), 1);
}

TEST(TwoFloatTest, CostsPerElement) {
  auto count = [](auto body) {
    OperationCounts counts;
    CostTwoFloat a(counts);
    body(a, a.f32(0));
    return counts;
  };
  // No f64 operations, and at most this many of f32 and divisions.
#define GENSYN_EXPECT_MOST(name, most, divisions)                              \
  do {                                                                         \
    const OperationCounts n = count([](const auto &a, Cost::F32 x) {           \
      functions::dispatched::name(a, x);                                       \
    });                                                                        \
    EXPECT_EQ(n.f64 + n.convert, 0) << #name;                                  \
    EXPECT_LE(n.f32, most) << #name;                                           \
    EXPECT_LE(n.divide, divisions) << #name;                                   \
  } while (false)
  GENSYN_EXPECT_MOST(exp, 50, 0);
  GENSYN_EXPECT_MOST(expm1, 63, 0);
  GENSYN_EXPECT_MOST(sigmoid, 61, 1);
  GENSYN_EXPECT_MOST(tanh, 73, 1);
  GENSYN_EXPECT_MOST(log, 55, 1);
  GENSYN_EXPECT_MOST(log1p, 63, 1);
  GENSYN_EXPECT_MOST(erf, 69, 0);
  GENSYN_EXPECT_MOST(sin, 58, 0);
  GENSYN_EXPECT_MOST(cos, 58, 0);
  GENSYN_EXPECT_MOST(tan, 99, 1);
  GENSYN_EXPECT_MOST(asin, 65, 1);
  GENSYN_EXPECT_MOST(acos, 67, 1);
  GENSYN_EXPECT_MOST(sinh, 71, 1);
  GENSYN_EXPECT_MOST(cosh, 71, 1);
  GENSYN_EXPECT_MOST(atan, 80, 1);
  GENSYN_EXPECT_MOST(asinh, 89, 3);
  GENSYN_EXPECT_MOST(acosh, 87, 2);
  GENSYN_EXPECT_MOST(atanh, 73, 2);
#undef GENSYN_EXPECT_MOST
}
