// Error bounds of orders: the count of roundings against one from a walk over
// the order, and measured errors against the bound.

#include "gensyn/Numerics/ErrorBound.h"
#include "gensyn/Numerics/ExactSum.h"
#include "gensyn/Numerics/Native.h"
#include "gensyn/Numerics/Reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace gensyn;

namespace {
const char *const kOrders[] = {
    "sequential",
    "lanes<2>",
    "lanes<32>",
    "lanes<1024>",
    "blocked<1, sequential, sequential>",
    "blocked<100, sequential, sequential>",
    "blocked<1024, lanes<32>, lanes<32>>",
    "blocked<64, lanes<8>, blocked<5, sequential, lanes<4>>>",
};

/// The most roundings on the way of a point to the partial result so far.
struct Depth {
  int64_t roundings = -1; // -1: an identity, with which operations are exact
};

int64_t walkRoundings(const Order &order, int64_t points, OrderedStep step) {
  auto join = [&](Depth x, Depth y) {
    if (x.roundings < 0 || y.roundings < 0)
      return Depth{std::max(x.roundings, y.roundings)};
    if (step == OrderedStep::Multiply) // the errors of both factors count
      return Depth{x.roundings + y.roundings + 1};
    return Depth{std::max(x.roundings, y.roundings) + 1};
  };
  const Depth all = reduceOrdered(
      Native(), order, points, Depth(),
      [&](Depth acc, int64_t) {
        // The first fma rounds its product with the sum, too.
        if (step == OrderedStep::FusedMultiplyAdd)
          return Depth{std::max<int64_t>(acc.roundings, 0) + 1};
        return join(acc, Depth{0});
      },
      join);
  return std::max<int64_t>(all.roundings, 0);
}

/// ((1 + u)^h - 1), without the loss of 1 + u.
double relativeBound(int64_t roundings) {
  return std::expm1(static_cast<double>(roundings) * std::log1p(0x1p-24));
}

/// Elements whose sums round often: one sign, many signs, far apart, ties.
std::vector<float> makeElements(int kind, int64_t n, std::mt19937_64 &random) {
  std::vector<float> x(static_cast<size_t>(n));
  for (size_t i = 0; i < x.size(); ++i) {
    const auto fraction = static_cast<float>(random() >> 40) * 0x1p-24f;
    switch (kind) {
    case 0:
      x[i] = 1.0f + fraction;
      break;
    case 1:
      x[i] = random() % 2 ? fraction : -fraction;
      break;
    case 2:
      x[i] = std::ldexp(random() % 2 ? 1 + fraction : -1 - fraction,
                        static_cast<int>(random() % 60) - 30);
      break;
    default:
      x[i] = i == 0 ? 1.0f : 0x1p-24f;
      break;
    }
  }
  return x;
}
} // namespace

TEST(ErrorBound, CountsTheRoundingsOfTheOrder) {
  for (const char *text : kOrders)
    for (OrderedStep step : {OrderedStep::Add, OrderedStep::Multiply,
                             OrderedStep::FusedMultiplyAdd})
      for (int64_t n :
           {0, 1, 2, 3, 31, 32, 33, 63, 99, 100, 101, 1023, 1024, 1025, 5000})
        EXPECT_EQ(worstRoundings(*Order::parse(text), n, step),
                  walkRoundings(*Order::parse(text), n, step))
            << text << " of " << n;
  EXPECT_EQ(worstRoundings(Order::exact(), 5000, OrderedStep::Add), 1);
  EXPECT_EQ(worstRoundings(Order::exact(), 0, OrderedStep::Add), 0);
}

// The table of default orders in docs/Numerics.md.
TEST(ErrorBound, OfTheDefaultOrders) {
  auto bound = [](const char *order, int64_t n, OrderedStep step) {
    return worstRoundings(*Order::parse(order), n, step);
  };
  EXPECT_EQ(bound("lanes<32>", 1024, OrderedStep::Add), 36);
  EXPECT_EQ(
      bound("blocked<1024, lanes<32>, lanes<32>>", 1 << 20, OrderedStep::Add),
      72);
  EXPECT_EQ(bound("blocked<1024, sequential, sequential>", 4096,
                  OrderedStep::FusedMultiplyAdd),
            1027);
}

TEST(ErrorBound, MeasuredErrorsStayBelow) {
  std::mt19937_64 random(11);
  Native a;
  double worst = 0;
  for (const char *text : kOrders) {
    const Order order = *Order::parse(text);
    for (int kind = 0; kind < 4; ++kind)
      for (int64_t n : {1, 2, 33, 1000, 5000}) {
        const std::vector<float> x = makeElements(kind, n, random);
        const std::vector<float> y =
            makeElements(kind == 3 ? 0 : kind, n, random);
        auto at = [](const std::vector<float> &v, int64_t i) {
          return v[static_cast<size_t>(i)];
        };
        auto check = [&](double got, OrderedStep step, auto term) {
          // The terms are exact in f64, and their sums nearly so.
          const double exact = exactSum(a, n, term);
          const double size =
              exactSum(a, n, [&](int64_t i) { return std::fabs(term(i)); });
          const double error = std::fabs(got - exact) / size;
          const double limit =
              relativeBound(worstRoundings(order, n, step)) + 0x1p-50;
          EXPECT_LE(error, limit) << text << " kind " << kind << " n " << n;
          if (limit > 0x1p-25)
            worst = std::max(worst, error / limit);
        };
        auto add = [](float s, float t) { return s + t; };
        check(reduceOrdered(
                  a, order, n, 0.0f,
                  [&](float acc, int64_t i) { return acc + at(x, i); }, add),
              OrderedStep::Add, [&](int64_t i) { return double(at(x, i)); });
        check(reduceOrdered(
                  a, order, n, 0.0f,
                  [&](float acc, int64_t i) {
                    return a.fma(at(x, i), at(y, i), acc);
                  },
                  add),
              OrderedStep::FusedMultiplyAdd,
              [&](int64_t i) { return double(at(x, i)) * double(at(y, i)); });
        check(exactSum(a, n, [&](int64_t i) { return at(x, i); }),
              OrderedStep::Add, [&](int64_t i) { return double(at(x, i)); });
      }
  }
  // A bound that is never nearly reached would prove little: 1 + u + u + ...
  // loses all.
  EXPECT_GT(worst, 0.9);
}

TEST(ErrorBound, ProductsRelativeToTheResult) {
  std::mt19937_64 random(12);
  Native a;
  for (const char *text : kOrders)
    for (int64_t n : {1, 2, 40, 300}) {
      const std::vector<float> x = makeElements(0, n, random);
      auto factor = [&](int64_t i) {
        return x[static_cast<size_t>(i)] * 0.75f;
      };
      long double exact = 1;
      for (int64_t i = 0; i < n; ++i)
        exact *= static_cast<long double>(factor(i));
      if (exact > 1e30L || exact < 1e-30L)
        continue;
      const float got = reduceOrdered(
          a, *Order::parse(text), n, 1.0f,
          [&](float acc, int64_t i) { return acc * factor(i); },
          [](float s, float t) { return s * t; });
      EXPECT_LE(std::fabs(static_cast<double>(got / exact - 1)),
                relativeBound(worstRoundings(*Order::parse(text), n,
                                             OrderedStep::Multiply)) +
                    0x1p-50)
          << text << " n " << n;
    }
}

// Of every sum of products in slices, test/Integration/slices.py measures it.
TEST(ErrorBound, PointsInSlices) {
  EXPECT_LT(slicedPointError(4, 3), std::exp2(-27.6));
  EXPECT_GT(slicedPointError(4, 3), std::exp2(-27.7));
  EXPECT_LT(slicedPointError(3, 3), std::exp2(-20.9));
  EXPECT_GT(slicedPointError(3, 3), std::exp2(-21.0));
  // Nothing is left out: what remains is the rounding of elements to 30 bits.
  EXPECT_NEAR(slicedPointError(4, 6), 0x1p-29, 0x1p-35);
}

TEST(ErrorBound, AccuraciesHaveNames) {
  for (Accuracy one :
       {Accuracy::Fast, Accuracy::Accurate, Accuracy::Exact, Accuracy::Sliced})
    EXPECT_EQ(accuracyFromName(name(one)), one);
  EXPECT_EQ(accuracyNames().size(), 4u);
  EXPECT_FALSE(accuracyFromName("best"));
}
