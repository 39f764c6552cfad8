// Sums of products that lie next to a midpoint between two f32 numbers, where
// rounding to f64 and then to f32 has other bits than rounding once. Targets
// without fma must notice them (gensyn-speculate-fma); all are tested.

#include "ProgramText.h"
#include "RunProgram.h"
#include "gensyn/Numerics/Fma.h"
#include "gensyn/Numerics/Native.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace gensyn;
using namespace gensyn::cpu::testing;

namespace {

struct Triple {
  float x, y, z; ///< x y + z
};

bool differsTwiceRounded(const Triple &t) {
  const float twice = static_cast<float>(static_cast<double>(t.x) * t.y + t.z);
  return std::bit_cast<uint32_t>(twice) !=
         std::bit_cast<uint32_t>(
             functions::fmaThroughF64(Native(), t.x, t.y, t.z));
}

/// z plus or minus (1 - 2^-2j) of half a last place of z.
void addNearMidpoints(std::vector<Triple> &all, float z, double half) {
  for (int j : {15, 16, 19, 23})
    for (float sign : {1.0f, -1.0f}) {
      const int e = std::ilogb(half);
      const auto x = float(std::ldexp(1 - std::ldexp(1.0, -j), e / 2));
      const auto y = float(std::ldexp(1 + std::ldexp(1.0, -j), e - e / 2));
      all.push_back({sign * x, y, z});
      all.push_back({sign * x, y, -z});
    }
}

/// Ordinary results, subnormal ones, results next to infinity: in a program of
/// its own each, since a loop is computed again as a whole.
std::vector<std::vector<Triple>> nearMidpoints() {
  std::vector<std::vector<Triple>> all(3);
  for (int e : {-90, -3, 0, 60})
    for (float last : {0.0f, 1.0f, 2.0f, 3.0f})
      addNearMidpoints(all[0], std::ldexp(1 + std::ldexp(last, -23), e),
                       std::ldexp(1.0, e - 24));
  for (int k : {1 << 18, (1 << 21) + 1, (1 << 22) - 1, (1 << 22) + 1})
    addNearMidpoints(all[1], std::ldexp(float(k), -149), 0x1p-150);
  addNearMidpoints(all[2], std::numeric_limits<float>::max(), 0x1p103);
  return all;
}

/// Midpoints, zeros of both signs, results that round to zero or to 2^-126, and
/// infinities.
std::vector<Triple> specials() {
  std::vector<Triple> all;
  const float infinity = std::numeric_limits<float>::infinity();
  for (float z : {0.0f, -0.0f, 1.0f, 0x1p-149f, -0x1p-149f, 0x1p-126f,
                  std::numeric_limits<float>::max(), infinity})
    for (float x : {0.0f, 0x1p-12f, 0x1p-75f, 0x1.8p-75f, 0x1p-63f, 0x1p-100f,
                    0x1p+64f, infinity}) {
      all.push_back({x, x, z});
      all.push_back({x, -x, z});
    }
  return all;
}

constexpr int64_t kPoints = 40;

/// Expects the reference's bits of x y + 1 z, between points that are zeros:
/// of each triple, and of each x and z with each y.
void expectSums(const std::vector<Triple> &triples) {
  const auto count = int64_t(triples.size());
  const std::string n = std::to_string(count);
  const std::vector<float> zeros(size_t(count * kPoints));
  std::vector<float> rows = zeros, columns = zeros, transposed = zeros;
  for (int64_t i = 0; i < count; ++i) {
    auto set = [&](int64_t point, float x, float y) {
      rows[size_t(i * kPoints + point)] = x;
      columns[size_t(i * kPoints + point)] = y;
      transposed[size_t(point * count + i)] = y;
    };
    set(3, triples[size_t(i)].z, 1);
    set(21, triples[size_t(i)].x, triples[size_t(i)].y);
  }
  const ContractCase batch{"batch", tensorOf({count, kPoints}),
                           tensorOf({count, kPoints}), tensorOf({count}),
                           "domain <[" + n + ", 40], reduce [1]>" +
                               mapsOf(2, {"d0, d1", "d0, d1", "d0"}) +
                               " bounds [in, in] order sequential"};
  expectBits(batch.text(), {Tensor::of({count, kPoints}, rows),
                            Tensor::of({count, kPoints}, columns)});
  expectBits(matmul("product", count, count, kPoints, false, false).text(),
             {Tensor::of({count, kPoints}, rows),
              Tensor::of({kPoints, count}, transposed)});
}

TEST(SpeculateFma, NearMidpoints) {
  for (const std::vector<Triple> &triples : nearMidpoints()) {
    EXPECT_TRUE(std::ranges::any_of(triples, differsTwiceRounded));
    expectSums(triples);
  }
}

TEST(SpeculateFma, Specials) { expectSums(specials()); }

} // namespace
