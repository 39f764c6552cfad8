// Ordered reductions against a second, naive implementation of order_r1 to
// order_r3 that works on lists of values.

#include "gensyn/Numerics/Reduce.h"
#include "gensyn/Numerics/Cost.h"
#include "gensyn/Numerics/Native.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <chrono>
#include <functional>
#include <random>

using namespace gensyn;

namespace {
using Step = std::function<float(float, int64_t)>;

std::vector<int64_t> range(int64_t first, int64_t last, int64_t stride = 1) {
  std::vector<int64_t> result;
  for (int64_t i = first; i < last; i += stride)
    result.push_back(i);
  return result;
}

/// Reduces the listed points, directly from the wording of the rules.
float naive(const Order &order, const std::vector<int64_t> &points,
            const Step &step, const std::function<float(float, float)> &join,
            float identity) {
  const auto n = static_cast<int64_t>(points.size());
  if (order.kind() == Order::Kind::Sequential) {
    float acc = identity;
    for (int64_t i : points)
      acc = step(acc, i);
    return acc;
  }
  if (order.kind() == Order::Kind::Lanes) {
    std::vector<float> lanes;
    for (int64_t l = 0; l < order.laneCount(); ++l) {
      std::vector<int64_t> mine;
      for (int64_t i = 0; i < n; ++i)
        if (i % order.laneCount() == l)
          mine.push_back(points[static_cast<size_t>(i)]);
      lanes.push_back(naive(Order(), mine, step, join, identity));
    }
    for (size_t half = lanes.size() / 2; half >= 1; half /= 2) {
      std::vector<float> next;
      for (size_t l = 0; l < half; ++l)
        next.push_back(join(lanes[l], lanes[l + half]));
      lanes = next;
    }
    return lanes[0];
  }
  std::vector<float> results;
  for (int64_t first = 0; first < n; first += order.blockSize()) {
    const int64_t last = std::min(n, first + order.blockSize());
    results.push_back(naive(order.inner(),
                            {points.begin() + first, points.begin() + last},
                            step, join, identity));
  }
  return naive(
      order.outer(), range(0, static_cast<int64_t>(results.size())),
      [&](float acc, int64_t j) {
        return join(acc, results[static_cast<size_t>(j)]);
      },
      join, identity);
}

const char *const kOrders[] = {
    "sequential",
    "lanes<2>",
    "lanes<32>",
    "lanes<1024>",
    "blocked<1, sequential, sequential>",
    "blocked<5, sequential, sequential>",
    "blocked<1024, lanes<32>, sequential>",
    "blocked<64, lanes<32>, lanes<4>>",
    "blocked<100, blocked<7, lanes<4>, sequential>, lanes<2>>",
    ("blocked<16, lanes<8>, "
     "blocked<3, lanes<2>, blocked<2, sequential, lanes<4>>>>"),
};

class Reduce : public testing::TestWithParam<const char *> {
protected:
  Reduce() {
    std::mt19937 random(7);
    for (int i = 0; i < 4096; ++i) {
      // Magnitudes far apart: other orders give other bits.
      const int exponent = static_cast<int>(random() % 24) - 12;
      const float sign = random() % 2 ? 1.0f : -1.0f;
      x.push_back(
          sign *
          std::ldexp(1.0f + static_cast<float>(random() % 8388608) / 8388608.0f,
                     exponent));
    }
  }
  float at(int64_t i) const { return x[static_cast<size_t>(i)]; }

  Order order = Order::parse(GetParam()).value();
  std::vector<float> x;
  Native a;
};
} // namespace

TEST_P(Reduce, order_r1_r2_r3_Sum) {
  auto step = [&](float acc, int64_t i) { return acc + at(i); };
  auto join = [](float s, float t) { return s + t; };
  for (int64_t n : {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 1023, 1024, 1025,
                    2047, 4000}) {
    const float got = reduceOrdered(a, order, n, 0.0f, step, join);
    const float want = naive(order, range(0, n), step, join, 0.0f);
    EXPECT_EQ(std::bit_cast<uint32_t>(got), std::bit_cast<uint32_t>(want))
        << order.print() << " n = " << n;
  }
}

TEST_P(Reduce, ContractionAndProduct) {
  auto fold = [&](float acc, int64_t i) {
    return a.fma(at(i), at(4095 - i), acc);
  };
  auto add = [](float s, float t) { return s + t; };
  auto times = [&](float acc, int64_t i) { return acc * (at(i) * 0.5f); };
  auto mul = [](float s, float t) { return s * t; };
  for (int64_t n : {0, 1, 30, 100, 1500}) {
    EXPECT_EQ(reduceOrdered(a, order, n, 0.0f, fold, add),
              naive(order, range(0, n), fold, add, 0.0f));
    EXPECT_EQ(reduceOrdered(a, order, n % 40, 1.0f, times, mul),
              naive(order, range(0, n % 40), times, mul, 1.0f));
  }
}

TEST_P(Reduce, JoinKeepsTheSides) {
  // With subtraction as join the lower lanes and earlier blocks are
  // distinguishable.
  auto step = [&](float acc, int64_t i) { return acc + at(i); };
  auto join = [](float s, float t) { return s - 3 * t; };
  for (int64_t n : {1, 33, 1500})
    EXPECT_EQ(reduceOrdered(a, order, n, 0.0f, step, join),
              naive(order, range(0, n), step, join, 0.0f));
}

TEST_P(Reduce, CountsOneStepPerPoint) {
  OperationCounts counts;
  Cost cost(counts);
  reduceOrdered(
      cost, order, 1000, cost.f64(0),
      [&](Cost::F64 acc, int64_t) { return cost.fma(acc, acc, acc); },
      [](Cost::F64 s, Cost::F64) { return s; });
  EXPECT_EQ(counts.f64, 1000);
  EXPECT_EQ(counts.f32 + counts.compare + counts.select, 0);
}

INSTANTIATE_TEST_SUITE_P(Orders, Reduce, testing::ValuesIn(kOrders));

TEST(ReduceOrdered, OrdersDifferInBits) {
  // 2^24 + 1 = 2^24 in f32: only the order decides which bits are lost.
  auto sum = [&](const char *order, const std::array<float, 4> &x) {
    return reduceOrdered(
        Native(), *Order::parse(order), int64_t{4}, 0.0f,
        [&](float acc, float v) { return acc + v; },
        [](float s, float t) { return s + t; },
        [&](int64_t i) { return x[static_cast<size_t>(i)]; });
  };
  const std::array<float, 4> a = {0x1p24f, 1, -0x1p24f, 1};
  EXPECT_EQ(sum("sequential", a), 1);
  EXPECT_EQ(sum("lanes<2>", a), 2);
  EXPECT_EQ(sum("blocked<2, sequential, sequential>", a), 1);
  const std::array<float, 4> b = {0x1p24f, 1, 1, 1};
  EXPECT_EQ(sum("sequential", b), 0x1p24f);
  EXPECT_EQ(sum("blocked<2, sequential, sequential>", b), 0x1p24f + 2);
}

TEST(ReduceOrdered, ContractionIsFastEnoughForTheReference) {
  Native a;
  std::vector<float> x(4096, 1.25f);
  const auto start = std::chrono::steady_clock::now();
  float sum = 0;
  for (int k = 0; k < 500; ++k)
    sum += reduceOrdered(
        a, Order(), 4096, 0.0f,
        [&](float acc, int64_t i) {
          return a.fma(x[static_cast<size_t>(i)],
                       x[static_cast<size_t>(4095 - i)], acc);
        },
        [](float s, float t) { return s + t; });
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  RecordProperty("million_points_per_second",
                 static_cast<int>(500 * 4096 / seconds.count() / 1e6));
  EXPECT_GT(sum, 0);
}
