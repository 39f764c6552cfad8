// cvt against the manual, and f16 exhaustively against a plain definition.

#include "../Support.h"

#include <cmath>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

TEST(PtxConvert, integers) {
  EXPECT_EQ(run("cvt.u64.u32 %do, %r0;", {0x1FFFFFFFF}), 0xFFFFFFFFu);
  EXPECT_EQ(run("cvt.s64.s32 %do, %r0;", {0x80000000}), 0xFFFFFFFF80000000u);
  EXPECT_EQ(run("cvt.u32.u64 %ro, %d0;", {0x123456789}), 0x23456789u);
  EXPECT_EQ(run("cvt.s32.s8 %ro, %r0;", {0x1FF}), 0xFFFFFFFFu);
  EXPECT_EQ(run("cvt.s16.s8 %ho, %h0;", {0x80}), 0xFF80u);
  EXPECT_EQ(run("cvt.u16.u32 %ho, %r0;", {0x12345}), 0x2345u);
  EXPECT_EQ(run("cvt.s64.s16 %do, %h0;", {0x8000}), uint64_t(-32768));
  // A narrow source may be in a wide register.
  EXPECT_EQ(run("cvt.s64.s8 %do, %d0;", {0xFE}), uint64_t(-2));
  // A narrow result is extended by its own sign.
  EXPECT_EQ(run("cvt.s8.s32 %ro, %r0;", {0x80}), 0xFFFFFF80u);
  EXPECT_EQ(run("cvt.u8.u32 %ro, %r0;", {0x1FF}), 0xFFu);
  EXPECT_EQ(run("cvt.sat.s8.s32 %ro, %r0;", {1000}), 127u);
  EXPECT_EQ(run("cvt.sat.u8.s32 %ro, %r0;", {0xFFFFFFFF}), 0u);
  EXPECT_EQ(run("cvt.sat.u32.u64 %ro, %d0;", {1ull << 40}), 0xFFFFFFFFu);
}

TEST(PtxConvert, floatToIntegerRoundsAndClamps) {
  EXPECT_EQ(run("cvt.rni.s32.f32 %ro, %r0;", {bits(2.5f)}), 2u);
  EXPECT_EQ(run("cvt.rzi.s32.f32 %ro, %r0;", {bits(-2.9f)}), uint32_t(-2));
  EXPECT_EQ(run("cvt.rmi.s32.f32 %ro, %r0;", {bits(-2.1f)}), uint32_t(-3));
  EXPECT_EQ(run("cvt.rpi.s32.f32 %ro, %r0;", {bits(2.1f)}), 3u);
  EXPECT_EQ(run("cvt.rzi.s32.f32 %ro, %r0;", {bits(3e9f)}), 0x7FFFFFFFu);
  EXPECT_EQ(run("cvt.rzi.s32.f32 %ro, %r0;", {bits(-3e9f)}), 0x80000000u);
  EXPECT_EQ(run("cvt.rzi.u32.f32 %ro, %r0;", {bits(-1.0f)}), 0u);
  EXPECT_EQ(run("cvt.rzi.u32.f32 %ro, %r0;", {bits(4294967040.0f)}),
            0xFFFFFF00u);
  EXPECT_EQ(run("cvt.rzi.s16.f32 %ho, %r0;", {bits(40000.0f)}), 0x7FFFu);
  EXPECT_EQ(run("cvt.rzi.u8.f32 %ho, %r0;", {bits(300.0f)}), 255u);
  EXPECT_EQ(run("cvt.rzi.s64.f64 %do, %d0;", {bits(-1e300)}), 1ull << 63);
  EXPECT_EQ(run("cvt.rzi.u64.f64 %do, %d0;", {bits(1e300)}), ~0ull);
  EXPECT_EQ(run("cvt.rni.s64.f32 %do, %r0;", {bits(3.5f)}), 4u);
}

// Zero, unless a side has 64 bits: then the top bit alone.
TEST(PtxConvert, nanToInteger) {
  EXPECT_EQ(run("cvt.rzi.s32.f32 %ro, %r0;", {nan32}), 0u);
  EXPECT_EQ(run("cvt.rzi.u32.f32 %ro, %r0;", {nan32}), 0u);
  EXPECT_EQ(run("cvt.rzi.s32.f64 %ro, %d0;", {nan64}), 0x80000000u);
  EXPECT_EQ(run("cvt.rzi.u32.f64 %ro, %d0;", {nan64}), 0x80000000u);
  EXPECT_EQ(run("cvt.rzi.s64.f32 %do, %r0;", {nan32}), 1ull << 63);
}

TEST(PtxConvert, integerToFloat) {
  EXPECT_EQ(run("cvt.rn.f32.s32 %ro, %r0;", {uint32_t(-7)}), bits(-7.0f));
  EXPECT_EQ(run("cvt.rn.f32.u32 %ro, %r0;", {0xFFFFFFFF}), bits(0x1p32f));
  EXPECT_EQ(run("cvt.rn.f32.s64 %ro, %d0;", {(1ull << 62) + 1}), bits(0x1p62f));
  // A tie broken by the last bit, which an intermediate rounding must not lose.
  EXPECT_EQ(run("cvt.rn.f32.u64 %ro, %d0;", {0x8000008000000001}),
            bits(0x1.000002p63f));
  EXPECT_EQ(run("cvt.rn.f32.u64 %ro, %d0;", {0x8000008000000000}),
            bits(0x1p63f));
  EXPECT_EQ(run("cvt.rn.f64.u64 %do, %d0;", {~0ull}), bits(0x1p64));
  EXPECT_EQ(run("cvt.rn.f32.s16 %ro, %h0;", {0xFFFF}), bits(-1.0f));
  EXPECT_EQ(run("cvt.rn.f32.u8 %ro, %r0;", {0x1FF}), bits(255.0f));
  EXPECT_EQ(run("cvt.rn.f64.s32 %do, %r0;", {0x80000000}), bits(-0x1p31));
  EXPECT_EQ(run("cvt.rn.f16.s32 %ho, %r0;", {2049}), 0x6800u);
}

TEST(PtxConvert, floatToFloat) {
  EXPECT_EQ(run("cvt.f64.f32 %do, %r0;", {1}), bits(0x1p-149));
  EXPECT_EQ(run("cvt.rn.f32.f64 %ro, %d0;", {bits(0x1p-150)}), 0u);
  EXPECT_EQ(run("cvt.rn.f32.f64 %ro, %d0;", {bits(1e300)}), 0x7F800000u);
  EXPECT_EQ(run("cvt.f64.f32 %do, %r0;", {0xFFC00001}), nan64);
  EXPECT_EQ(run("cvt.rn.f32.f64 %ro, %d0;", {0xFFF8000000000001}), nan32);
  EXPECT_EQ(run("cvt.rni.f32.f32 %ro, %r0;", {bits(-0.5f)}), 0x80000000u);
  EXPECT_EQ(run("cvt.rni.f32.f32 %ro, %r0;", {bits(1.5f)}), bits(2.0f));
  EXPECT_EQ(run("cvt.rmi.f32.f32 %ro, %r0;", {bits(-1.5f)}), bits(-2.0f));
  EXPECT_EQ(run("cvt.rzi.f64.f64 %do, %d0;", {bits(-1.5)}), bits(-1.0));
}

TEST(PtxConvert, brainFloat) {
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {bits(1.0f)}), 0x3F80u);
  // Ties to even; one more bit goes up.
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {0x3F808000}), 0x3F80u);
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {0x3F818000}), 0x3F82u);
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {0x3F808001}), 0x3F81u);
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {0x7F7FFFFF}), 0x7F80u);
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {0x00008000}), 0u);
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {0x00008001}), 1u);
  EXPECT_EQ(run("cvt.rn.bf16.f32 %ho, %r0;", {0xFFC00000}), 0x7FFFu);
  EXPECT_EQ(run("cvt.f32.bf16 %ro, %h0;", {0x4049}), 0x40490000u);
  EXPECT_EQ(run("cvt.rn.bf16x2.f32 %ro, %r0, %r1;", {bits(1.0f), bits(2.0f)}),
            0x3F804000u);
  EXPECT_EQ(run("cvt.rn.f16x2.f32 %ro, %r0, %r1;", {bits(1.0f), bits(2.0f)}),
            0x3C004000u);
}

double halfValue(uint32_t half) {
  int exponent = static_cast<int>(half >> 10 & 31);
  double mantissa = half & 1023;
  double magnitude = exponent == 0 ? std::ldexp(mantissa, -24)
                                   : std::ldexp(1024 + mantissa, exponent - 25);
  return half >> 15 ? -magnitude : magnitude;
}

TEST(PtxConvert, everyHalfIsExactAndComesBack) {
  for (uint32_t first = 0; first != 0x10000; first += 1024) {
    std::vector<Row> rows;
    for (uint32_t i = 0; i != 1024; ++i)
      rows.push_back({first + i});
    auto wide = runRows("cvt.f32.f16 %ro, %h0;", rows);
    auto back =
        runRows("cvt.f32.f16 %r10, %h0;\ncvt.rn.f16.f32 %ho, %r10;", rows);
    for (uint32_t i = 0; i != 1024; ++i) {
      uint32_t half = first + i, magnitude = half & 0x7FFF;
      if (magnitude > 0x7C00) {
        EXPECT_EQ(wide[i], nan32);
        EXPECT_EQ(back[i], 0x7FFFu);
        continue;
      }
      uint32_t expected = magnitude == 0x7C00
                              ? 0x7F800000 | (half & 0x8000) << 16
                              : bits(static_cast<float>(halfValue(half)));
      EXPECT_EQ(wide[i], expected) << half;
      EXPECT_EQ(back[i], half);
    }
  }
}

/// Finds the nearest half among adjacent patterns; ties go to the even one.
uint32_t nearestHalf(double value) {
  if (std::isnan(value))
    return 0x7FFF;
  uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (magnitude >= 65520)
    return sign | 0x7C00;
  uint32_t low = 0, high = 0x7BFF;
  while (low < high) { // the largest half not above the value
    uint32_t middle = (low + high + 1) / 2;
    if (halfValue(middle) <= magnitude)
      low = middle;
    else
      high = middle - 1;
  }
  double down = magnitude - halfValue(low);
  double up = (low == 0x7BFF ? 65536.0 : halfValue(low + 1)) - magnitude;
  bool goesUp = up < down || (up == down && (low & 1));
  return sign | (low + goesUp);
}

TEST(PtxConvert, roundingToHalf) {
  Patterns patterns(1);
  for (unsigned round = 0; round != 64; ++round) {
    std::vector<Row> rows;
    for (unsigned i = 0; i != 256; ++i) {
      // Near the range of halves, and next to ties.
      uint32_t half = static_cast<uint32_t>(patterns.next() & 0xFFFF);
      float value = static_cast<float>(halfValue(half & 0xFBFF));
      uint32_t word = bits(value) +
                      static_cast<uint32_t>((patterns.next() % 3) * 0x1000) -
                      static_cast<uint32_t>(patterns.next() % 2);
      rows.push_back(
          {i % 4 == 0 ? patterns.word() : word,
           i % 4 == 0 ? patterns.doubleWord()
                      : bits(static_cast<double>(std::bit_cast<float>(word))) +
                            patterns.next() % 3 - 1});
    }
    auto fromSingle = runRows("cvt.rn.f16.f32 %ho, %r0;", rows);
    auto fromDouble = runRows("cvt.rn.f16.f64 %ho, %d1;", rows);
    for (unsigned i = 0; i != rows.size(); ++i) {
      EXPECT_EQ(fromSingle[i], nearestHalf(std::bit_cast<float>(
                                   static_cast<uint32_t>(rows[i][0]))));
      EXPECT_EQ(fromDouble[i], nearestHalf(std::bit_cast<double>(rows[i][1])));
    }
  }
}

TEST(PtxConvert, combinationsThatNeedARounding) {
  EXPECT_NE(loadError("cvt.f32.s32 %ro, %r0;"), "");
  EXPECT_NE(loadError("cvt.s32.f32 %ro, %r0;"), "");
}

} // namespace
