// exp and log of an f64: bits that must not move, special values, and the error
// against 113 bits.

#include "F64Inputs.h"
#include "Oracle.h"
#include "gensyn/Numerics/Cost.h"
#include "gensyn/Numerics/Scalar.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

using namespace gensyn;

namespace {
uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
constexpr uint64_t kNan = 0x7FF8000000000000;
const double kInf = INFINITY;

/// One hash of many results, so that no bit of any may change.
uint64_t fold(uint64_t hash, double y) {
  return (hash ^ bits(y)) * 0x100000001B3 ^ (hash >> 29);
}
} // namespace

TEST(FunctionsF64, function_r2_SpecialValues) {
  EXPECT_EQ(bits(scalar::exp(0.0)), bits(1.0));
  EXPECT_EQ(bits(scalar::exp(-0.0)), bits(1.0));
  EXPECT_EQ(bits(scalar::exp(kInf)), bits(kInf));
  EXPECT_EQ(bits(scalar::exp(-kInf)), bits(0.0));
  EXPECT_EQ(bits(scalar::exp(1e300)), bits(kInf));
  EXPECT_EQ(bits(scalar::exp(-1e300)), bits(0.0));
  EXPECT_EQ(bits(scalar::exp(-745.13)), bits(0x1p-1074));
  EXPECT_EQ(bits(scalar::exp(-745.14)), bits(0.0));
  EXPECT_EQ(bits(scalar::exp(709.79)), bits(kInf));
  EXPECT_EQ(bits(scalar::log(1.0)), bits(0.0));
  EXPECT_EQ(bits(scalar::log(0.0)), bits(-kInf));
  EXPECT_EQ(bits(scalar::log(-0.0)), bits(-kInf));
  EXPECT_EQ(bits(scalar::log(kInf)), bits(kInf));
  for (double x : {-1.0, -kInf, -0x1p-1074, std::bit_cast<double>(kNan + 5),
                   std::bit_cast<double>(0xFFF0000000000001)})
    EXPECT_EQ(bits(scalar::log(x)), kNan);
  EXPECT_EQ(bits(scalar::exp(std::bit_cast<double>(0xFFF0000000000001))), kNan);
}

TEST(FunctionsF64, function_r2_KnownAnswers) {
  EXPECT_EQ(bits(scalar::exp(1.0)), 0x4005BF0A8B145769u);
  EXPECT_EQ(bits(scalar::log(10.0)), 0x40026BB1BBB55516u);
  EXPECT_EQ(bits(scalar::log(0x1p-1074)), 0xC0874385446D71C3u);
  F64Inputs inputs(1);
  uint64_t hash = 0;
  for (int i = 0; i < 100000; ++i) {
    hash = fold(hash, scalar::exp(inputs.forExp()));
    hash = fold(hash, scalar::log(inputs.forLog()));
  }
  EXPECT_EQ(hash, 5622994652040040226u);
}

TEST(FunctionsF64, function_r2_Error) {
  F64Inputs inputs(1);
  double exp = 0, log = 0;
  for (int i = 0; i < 100000; ++i) {
    double x = inputs.forExp();
    if (x == x)
      exp = std::max(exp, oracle::errorInUlp(Function::Exp, x, scalar::exp(x)));
    x = inputs.forLog();
    if (x == x)
      log = std::max(log, oracle::errorInUlp(Function::Log, x, scalar::log(x)));
  }
  EXPECT_LT(exp, 0.515);
  EXPECT_GT(exp, 0.5); // no better than the bound says, or this tests nothing
  EXPECT_LT(log, 0.502);
  EXPECT_GT(log, 0.4999);
}

TEST(FunctionsF64, Costs) {
  OperationCounts n;
  Cost a(n);
  functions::expF64(a, a.f64(0));
  EXPECT_EQ(n.f64, 56);
  n = {};
  functions::logF64(a, a.f64(0));
  EXPECT_EQ(n.f64, 48);
}
