// Float arithmetic against the manual: rounding, NaNs, zeros, subnormals.

#include "../Support.h"

#include <cmath>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

constexpr uint32_t one = 0x3F800000, minusZero = 0x80000000;
constexpr uint32_t infinity = 0x7F800000, smallest = 1;
constexpr uint32_t someNan = 0xFFC12345;

TEST(PtxFloat, roundsToNearestEven) {
  // 1 + 2^-24 is a tie and goes to even, a little more goes up.
  EXPECT_EQ(run("add.rn.f32 %ro, %r0, %r1;", {one, bits(0x1p-24f)}), one);
  EXPECT_EQ(run("add.rn.f32 %ro, %r0, %r1;", {one, bits(0x1.000002p-24f)}),
            one + 1);
  EXPECT_EQ(run("mul.rn.f32 %ro, %r0, %r1;",
                {bits(0x1.000002p0f), bits(0x1.000002p0f)}),
            bits(0x1.000004p0f));
  EXPECT_EQ(run("div.rn.f32 %ro, %r0, %r1;", {one, bits(3.0f)}), 0x3EAAAAABu);
  EXPECT_EQ(run("sqrt.rn.f32 %ro, %r0;", {bits(2.0f)}), 0x3FB504F3u);
  EXPECT_EQ(run("rcp.rn.f32 %ro, %r0;", {bits(3.0f)}), 0x3EAAAAABu);
  EXPECT_EQ(run("sqrt.rn.f64 %do, %d0;", {bits(2.0)}), bits(std::sqrt(2.0)));
}

TEST(PtxFloat, fmaRoundsOnce) {
  uint32_t a = bits(0x1.000002p0f);
  // a * a - 1.000004 leaves the term that a rounded product would lose.
  EXPECT_EQ(run("fma.rn.f32 %ro, %r0, %r1, %r2;", {a, a, bits(-0x1.000004p0f)}),
            bits(0x1p-46f));
  EXPECT_EQ(run("mul.rn.f32 %r10, %r0, %r1;\nadd.rn.f32 %ro, %r10, %r2;",
                {a, a, bits(-0x1.000004p0f)}),
            0u);
  EXPECT_EQ(run("fma.rn.f64 %do, %d0, %d1, %d2;",
                {bits(1.0 + 0x1p-52), bits(1.0 + 0x1p-52), bits(-1.0)}),
            bits(0x1p-51 + 0x1p-104));
  EXPECT_EQ(
      run("mad.rn.f32 %ro, %r0, %r1, %r2;", {bits(2.0f), bits(3.0f), one}),
      bits(7.0f));
}

TEST(PtxFloat, subnormalsAreKept) {
  EXPECT_EQ(run("add.rn.f32 %ro, %r0, %r1;", {smallest, smallest}), 2u);
  EXPECT_EQ(run("mul.rn.f32 %ro, %r0, %r1;", {0x00800000, bits(0.5f)}),
            0x00400000u);
  EXPECT_EQ(run("fma.rn.f32 %ro, %r0, %r1, %r2;", {smallest, one, smallest}),
            2u);
}

TEST(PtxFloat, nansAreCanonical) {
  for (const char *body :
       {"add.rn.f32 %ro, %r0, %r1;", "sub.rn.f32 %ro, %r0, %r1;",
        "mul.rn.f32 %ro, %r0, %r1;", "div.rn.f32 %ro, %r1, %r0;",
        "fma.rn.f32 %ro, %r1, %r1, %r0;", "sqrt.rn.f32 %ro, %r0;",
        "rcp.rn.f32 %ro, %r0;", "neg.f32 %ro, %r0;", "abs.f32 %ro, %r0;"})
    EXPECT_EQ(run(body, {someNan, one}), nan32) << body;
  EXPECT_EQ(run("sub.rn.f32 %ro, %r0, %r0;", {infinity}), nan32);
  EXPECT_EQ(run("mul.rn.f32 %ro, %r0, %r1;", {infinity, 0}), nan32);
  EXPECT_EQ(run("sqrt.rn.f32 %ro, %r0;", {bits(-1.0f)}), nan32);
  EXPECT_EQ(run("div.rn.f32 %ro, %r0, %r1;", {0, 0}), nan32);
  EXPECT_EQ(run("add.rn.f64 %do, %d0, %d1;", {0xFFF8000000000001, 0}), nan64);
}

TEST(PtxFloat, infinitiesAndZeros) {
  EXPECT_EQ(run("div.rn.f32 %ro, %r0, %r1;", {one, minusZero}), 0xFF800000u);
  EXPECT_EQ(run("sqrt.rn.f32 %ro, %r0;", {minusZero}), minusZero);
  EXPECT_EQ(run("rcp.rn.f32 %ro, %r0;", {minusZero}), 0xFF800000u);
  EXPECT_EQ(run("add.rn.f32 %ro, %r0, %r1;", {0x7F7FFFFF, 0x7F7FFFFF}),
            infinity);
  EXPECT_EQ(run("add.rn.f32 %ro, %r0, %r1;", {minusZero, minusZero}),
            minusZero);
  EXPECT_EQ(run("sub.rn.f32 %ro, %r0, %r0;", {one}), 0u);
}

TEST(PtxFloat, signs) {
  EXPECT_EQ(run("neg.f32 %ro, %r0;", {0}), minusZero);
  EXPECT_EQ(run("abs.f32 %ro, %r0;", {bits(-2.0f)}), bits(2.0f));
  // The sign of the first, the rest of the second; also of NaNs.
  EXPECT_EQ(run("copysign.f32 %ro, %r0, %r1;", {bits(-1.0f), bits(5.0f)}),
            bits(-5.0f));
  EXPECT_EQ(run("copysign.f32 %ro, %r0, %r1;", {0, someNan}), 0x7FC12345u);
  EXPECT_EQ(run("copysign.f64 %do, %d0, %d1;", {bits(-1.0), bits(5.0)}),
            bits(-5.0));
}

TEST(PtxFloat, minAndMaxOfNumbersAndNans) {
  EXPECT_EQ(run("min.f32 %ro, %r0, %r1;", {someNan, one}), one);
  EXPECT_EQ(run("max.f32 %ro, %r0, %r1;", {one, someNan}), one);
  EXPECT_EQ(run("min.f32 %ro, %r0, %r1;", {someNan, someNan}), nan32);
  EXPECT_EQ(run("min.NaN.f32 %ro, %r0, %r1;", {someNan, one}), nan32);
  EXPECT_EQ(run("max.NaN.f32 %ro, %r0, %r1;", {one, someNan}), nan32);
  EXPECT_EQ(run("min.f32 %ro, %r0, %r1;", {0, minusZero}), minusZero);
  EXPECT_EQ(run("min.f32 %ro, %r0, %r1;", {minusZero, 0}), minusZero);
  EXPECT_EQ(run("max.f32 %ro, %r0, %r1;", {minusZero, 0}), 0u);
  EXPECT_EQ(run("max.NaN.f32 %ro, %r0, %r1;", {0, minusZero}), 0u);
  EXPECT_EQ(run("min.f64 %do, %d0, %d1;", {nan64, bits(2.0)}), bits(2.0));
  EXPECT_EQ(
      run("max.f32 %ro, %r0, %r1, %r2;", {bits(1.0f), bits(4.0f), bits(3.0f)}),
      bits(4.0f));
}

TEST(PtxFloat, pairs) {
  auto pair = [](float low, float high) {
    return uint64_t(bits(high)) << 32 | bits(low);
  };
  EXPECT_EQ(run("fma.rn.f32x2 %do, %d0, %d1, %d2;",
                {pair(2, 3), pair(4, 5), pair(1, -1)}),
            pair(9, 14));
  EXPECT_EQ(run("add.rn.f32x2 %do, %d0, %d1;", {pair(2, 3), pair(4, 5)}),
            pair(6, 8));
}

TEST(PtxFloat, testp) {
  EXPECT_EQ(run("testp.notanumber.f32 %po, %r0;", {someNan}), 1u);
  EXPECT_EQ(run("testp.finite.f32 %po, %r0;", {infinity}), 0u);
  EXPECT_EQ(run("testp.infinite.f32 %po, %r0;", {0xFF800000}), 1u);
  EXPECT_EQ(run("testp.subnormal.f32 %po, %r0;", {smallest}), 1u);
  EXPECT_EQ(run("testp.normal.f32 %po, %r0;", {minusZero}), 1u);
  EXPECT_EQ(run("testp.number.f64 %po, %d0;", {bits(1.5)}), 1u);
}

TEST(PtxFloat, whatOtherMachinesComputeDifferentlyIsRefused) {
  EXPECT_EQ(loadError("div.approx.f32 %ro, %r0, %r1;"),
            "kernel 'k': modifier '.approx' of 'div.approx.f32' is not "
            "supported by the simulator");
  EXPECT_EQ(loadError("add.rn.ftz.f32 %ro, %r0, %r1;"),
            "kernel 'k': modifier '.ftz' of 'add.rn.ftz.f32' is not supported "
            "by the simulator");
  EXPECT_EQ(loadError("add.rz.f16 %ho, %h0, %h1;"),
            "kernel 'k': 'add.rz.f16' is not supported by the simulator");
  EXPECT_EQ(loadError("sin.approx.f32 %ro, %r0;"),
            "kernel 'k': 'sin.approx.f32' is not supported by the simulator");
}

} // namespace
