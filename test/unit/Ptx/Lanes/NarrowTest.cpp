// f16, bf16 and floats of 8 bits against the manual.

#include "../Support.h"

#include <cmath>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

constexpr uint64_t one = 0x3C00, two = 0x4000, minusZero = 0x8000;
constexpr uint64_t infinity = 0x7C00, someNan = 0xFE01, largest = 0x7BFF;

TEST(PtxNarrow, arithmeticRoundsToNearestEven) {
  // 2048 + 1 is a tie, 2048 + 3 too.
  EXPECT_EQ(run("add.rn.f16 %ho, %h0, %h1;", {0x6800, one}), 0x6800u);
  EXPECT_EQ(run("add.f16 %ho, %h0, %h1;", {0x6800, 0x4200}), 0x6802u);
  EXPECT_EQ(run("sub.rn.f16 %ho, %h0, %h1;", {one, one}), 0u);
  EXPECT_EQ(run("mul.rn.f16 %ho, %h0, %h1;", {largest, two}), infinity);
  EXPECT_EQ(run("fma.rn.f16 %ho, %h0, %h1, %h2;", {two, two, one}), 0x4500u);
  EXPECT_EQ(run("fma.rn.bf16 %ho, %h0, %h1, %h2;", {0x4000, 0x4000, 0x3F80}),
            0x40A0u);
  // Subnormals are kept.
  EXPECT_EQ(run("add.rn.f16 %ho, %h0, %h1;", {1, 1}), 2u);
  EXPECT_EQ(run("mul.rn.f16 %ho, %h0, %h1;", {0x0400, 0x3800}), 0x0200u);
}

TEST(PtxNarrow, nansAreCanonical) {
  for (const char *body :
       {"add.rn.f16 %ho, %h0, %h1;", "mul.rn.bf16 %ho, %h0, %h1;",
        "fma.rn.f16 %ho, %h1, %h1, %h0;", "neg.f16 %ho, %h0;",
        "abs.bf16 %ho, %h0;", "max.NaN.f16 %ho, %h0, %h1;",
        "fma.rn.relu.f16 %ho, %h0, %h1, %h1;"})
    EXPECT_EQ(run(body, {0xFFFF, one}), 0x7FFFu) << body;
  EXPECT_EQ(run("sub.rn.f16 %ho, %h0, %h0;", {infinity}), 0x7FFFu);
}

TEST(PtxNarrow, signsMinimaAndMaxima) {
  EXPECT_EQ(run("neg.f16 %ho, %h0;", {one}), 0xBC00u);
  EXPECT_EQ(run("abs.f16x2 %ro, %r0;", {0xBC00C000}), 0x3C004000u);
  EXPECT_EQ(run("neg.bf16x2 %ro, %r0;", {0x3F800000}), 0xBF808000u);
  EXPECT_EQ(run("min.f16 %ho, %h0, %h1;", {minusZero, 0}), minusZero);
  EXPECT_EQ(run("max.f16 %ho, %h0, %h1;", {minusZero, 0}), 0u);
  EXPECT_EQ(run("max.f16 %ho, %h0, %h1;", {someNan, one}), one);
  EXPECT_EQ(run("max.f16x2 %ro, %r0, %r1;", {0x3C004000, 0x40003C00}),
            0x40004000u);
  EXPECT_EQ(run("min.NaN.bf16x2 %ro, %r0, %r1;", {0x7FFF3F80, 0x3F80BF80}),
            0x7FFFBF80u);
}

TEST(PtxNarrow, clampedResults) {
  EXPECT_EQ(run("add.rn.sat.f16 %ho, %h0, %h1;", {one, one}), one);
  EXPECT_EQ(run("sub.rn.sat.f16 %ho, %h0, %h1;", {one, two}), 0u);
  EXPECT_EQ(
      run("fma.rn.relu.f16x2 %ro, %r0, %r1, %r2;", {0x3C00BC00, 0x3C003C00, 0}),
      0x3C000000u);
  EXPECT_EQ(run("add.rn.sat.f32 %ro, %r0, %r1;", {bits(0.75f), bits(0.5f)}),
            bits(1.0f));
  EXPECT_EQ(run("add.rn.sat.f32 %ro, %r0, %r1;", {nan32, bits(0.5f)}), 0u);
  EXPECT_EQ(run("cvt.sat.f32.f32 %ro, %r0;", {bits(-0.5f)}), 0u);
  EXPECT_EQ(run("cvt.rn.relu.f16.f32 %ho, %r0;", {bits(-2.0f)}), 0u);
}

TEST(PtxNarrow, comparisons) {
  EXPECT_EQ(run("setp.lt.f16 %po, %h0, %h1;", {one, two}), 1u);
  EXPECT_EQ(run("setp.lt.f16 %po, %h0, %h1;", {one, someNan}), 0u);
  EXPECT_EQ(run("setp.ltu.bf16 %po, %h0, %h1;", {0x3F80, 0x7FC0}), 1u);
  EXPECT_EQ(run("setp.eq.f16 %po, %h0, %h1;", {minusZero, 0}), 1u);
  // For pairs the first predicate is that of the lower part.
  const std::string pair = "setp.gt.f16x2 %p10|%p11, %r0, %r1;\n"
                           "selp.b32 %ro, 1, 0, %p10;\n"
                           "selp.b32 %r10, 2, 0, %p11;\n"
                           "or.b32 %ro, %ro, %r10;";
  EXPECT_EQ(run(pair, {0x3C004000, 0x3C003C00}), 1u);
  EXPECT_EQ(run(pair, {0x40003C00, 0x3C003C00}), 2u);
  EXPECT_EQ(run("set.gt.f16x2.f16x2 %ro, %r0, %r1;", {0x40003C00, 0x3C003C00}),
            0x3C000000u);
  EXPECT_EQ(run("set.gt.u32.f16x2 %ro, %r0, %r1;", {0x40003C00, 0x3C003C00}),
            0xFFFF0000u);
  EXPECT_EQ(run("set.le.bf16.bf16 %ho, %h0, %h1;", {0x3F80, 0x3F80}), 0x3F80u);
}

TEST(PtxNarrow, conversionsToPairs) {
  EXPECT_EQ(run("cvt.rn.f16x2.f32 %ro, %r0, %r1;", {bits(1.0f), bits(2.0f)}),
            0x3C004000u);
  EXPECT_EQ(run("cvt.rz.bf16x2.f32 %ro, %r0, %r1;", {0x3F80FFFF, 0xBF80FFFF}),
            0x3F80BF80u);
  EXPECT_EQ(
      run("cvt.rn.relu.bf16x2.f32 %ro, %r0, %r1;", {bits(-1.0f), bits(1.0f)}),
      0x3F80u);
  EXPECT_EQ(run("cvt.rna.tf32.f32 %ro, %r0;", {0x3F801000}), 0x3F802000u);
  EXPECT_EQ(run("cvt.rn.tf32.f32 %ro, %r0;", {0x3F801000}), 0x3F800000u);
}

TEST(PtxNarrow, eightBits) {
  auto e4m3 = [](float high, float low) {
    return run("cvt.rn.satfinite.e4m3x2.f32 %ho, %r0, %r1;",
               {bits(high), bits(low)});
  };
  auto e5m2 = [](float high, float low) {
    return run("cvt.rn.satfinite.e5m2x2.f32 %ho, %r0, %r1;",
               {bits(high), bits(low)});
  };
  EXPECT_EQ(e4m3(1.0f, -2.0f), 0x38C0u);
  EXPECT_EQ(e4m3(1e9f, -1e9f), 0x7EFEu);
  EXPECT_EQ(e4m3(__builtin_inff(), __builtin_nanf("")), 0x7E7Fu);
  EXPECT_EQ(e4m3(464.0f, 0x1p-9f), 0x7E01u); // the tie above 448 saturates too
  EXPECT_EQ(e4m3(0x1p-10f, 0x1.8p-9f), 0x0002u);
  EXPECT_EQ(e4m3(0x1.8p-10f, 0x1.000002p-10f), 0x0101u); // above a tie
  EXPECT_EQ(e4m3(-0x1.8p-10f, 0x1.fffffep-11f), 0x8100u);
  EXPECT_EQ(e5m2(1.0f, -2.0f), 0x3CC0u);
  EXPECT_EQ(e5m2(1e9f, __builtin_nanf("")), 0x7B7Fu);
  EXPECT_EQ(e5m2(0x1p-16f, 0x1p-17f), 0x0100u);
  EXPECT_EQ(e5m2(0x1.8p-10f, 0x1.8p-17f), 0x1601u);
  EXPECT_EQ(e5m2(0x1.000002p-17f, 0x1.fffffep-18f), 0x0100u);
  EXPECT_EQ(run("cvt.rn.f16x2.e4m3x2 %ro, %h0;", {0x38C0}), 0x3C00C000u);
  EXPECT_EQ(run("cvt.rn.f16x2.e4m3x2 %ro, %h0;", {0x7EFF}), 0x5F007FFFu);
  EXPECT_EQ(run("cvt.rn.f16x2.e5m2x2 %ro, %h0;", {0x7C01}), 0x7C000100u);
  EXPECT_EQ(run("cvt.rn.satfinite.e4m3x2.f16x2 %ho, %r0;", {0x3C00C000}),
            0x38C0u);
  EXPECT_NE(loadError("cvt.rn.e4m3x2.f32 %ho, %r0, %r1;"), "");
}

// Between each two neighbours of a format, by the definition of rounding: the
// nearer one, of two equally near the one with an even pattern.
TEST(PtxNarrow, eightBitsBesideTies) {
  for (const std::string type : {"e4m3x2", "e5m2x2"}) {
    const int digits = type == "e4m3x2" ? 3 : 2;
    const int least = type == "e4m3x2" ? -9 : -16;
    const int largest = type == "e4m3x2" ? 0x7E : 0x7B;
    auto valueOf = [&](int pattern) {
      const int exponent = pattern >> digits;
      const int fraction = pattern & ((1 << digits) - 1);
      return exponent == 0 ? std::ldexp(float(fraction), least)
                           : std::ldexp(float((1 << digits) + fraction),
                                        least + exponent - 1);
    };
    std::vector<Row> rows;
    std::vector<uint64_t> expected;
    for (int pattern = 0; pattern < largest; ++pattern) {
      const float low = valueOf(pattern), high = valueOf(pattern + 1);
      const float middle = low + (high - low) / 2;
      auto add = [&](float x, int rounded) {
        rows.push_back({bits(-x), bits(x)});
        expected.push_back(
            static_cast<uint64_t>((rounded | 0x80) << 8 | rounded));
      };
      add(middle, pattern + (pattern & 1));
      for (float below :
           {std::nextafter(middle, 0.0f), low + (middle - low) / 2})
        add(below, pattern);
      for (float above :
           {std::nextafter(middle, high), high - (high - middle) / 2})
        add(above, pattern + 1);
    }
    auto out =
        runRows("cvt.rn.satfinite." + type + ".f32 %ho, %r0, %r1;", rows);
    for (size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(out[i], expected[i]) << type << " " << rows[i][1];
  }
}

// Every float of 8 bits is an f16 and comes back.
TEST(PtxNarrow, everyByteComesBack) {
  for (const std::string type : {"e4m3x2", "e5m2x2"}) {
    std::vector<Row> rows(256);
    for (uint64_t i = 0; i != 256; ++i)
      rows[i] = {i << 8 | (255 - i)};
    auto out = runRows("cvt.rn.f16x2." + type + " %r10, %h0;\n" +
                           "cvt.rn.satfinite." + type + ".f16x2 %ho, %r10;",
                       rows);
    auto expected = [&](uint64_t byte) {
      uint64_t magnitude = byte & 127;
      if (type == "e4m3x2")
        return magnitude == 127 ? uint64_t(127) : byte;
      return magnitude == 0x7C  ? (byte & 128) | 0x7B // infinity saturates
             : magnitude > 0x7C ? uint64_t(127)
                                : byte;
    };
    for (uint64_t i = 0; i != 256; ++i)
      EXPECT_EQ(out[i], expected(i) << 8 | expected(255 - i)) << type;
  }
}

} // namespace
