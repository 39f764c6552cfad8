// Integer arithmetic against the manual.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

constexpr uint64_t u32(int32_t value) { return static_cast<uint32_t>(value); }

TEST(PtxInteger, addAndSubWrap) {
  EXPECT_EQ(run("add.u32 %ro, %r0, %r1;", {0xFFFFFFFF, 2}), 1u);
  EXPECT_EQ(run("add.s64 %do, %d0, %d1;", {~0ull, 5}), 4u);
  EXPECT_EQ(run("add.s16 %ho, %h0, %h1;", {0x8000, 0x8000}), 0u);
  EXPECT_EQ(run("sub.s16 %ho, %h0, %h1;", {0, 1}), 0xFFFFu);
  EXPECT_EQ(run("sub.u64 %do, %d0, %d1;", {0, 1}), ~0ull);
}

TEST(PtxInteger, addAndSubSaturate) {
  EXPECT_EQ(run("add.sat.s32 %ro, %r0, %r1;", {0x7FFFFFFF, 1}), 0x7FFFFFFFu);
  EXPECT_EQ(run("sub.sat.s32 %ro, %r0, %r1;", {0x80000000, 1}), 0x80000000u);
  EXPECT_EQ(run("add.sat.s32 %ro, %r0, %r1;", {5, u32(-7)}), u32(-2));
}

TEST(PtxInteger, mul) {
  EXPECT_EQ(run("mul.lo.s32 %ro, %r0, %r1;", {0x10001, 0x10001}), 0x20001u);
  EXPECT_EQ(run("mul.hi.u32 %ro, %r0, %r1;", {0xFFFFFFFF, 0xFFFFFFFF}),
            0xFFFFFFFEu);
  EXPECT_EQ(run("mul.hi.s32 %ro, %r0, %r1;", {0xFFFFFFFF, 0xFFFFFFFF}), 0u);
  EXPECT_EQ(run("mul.hi.s32 %ro, %r0, %r1;", {0x80000000, 2}), 0xFFFFFFFFu);
  EXPECT_EQ(run("mul.wide.s32 %do, %r0, %r1;", {u32(-3), 4}), uint64_t(-12));
  EXPECT_EQ(run("mul.wide.u32 %do, %r0, %r1;", {0xFFFFFFFF, 16}), 0xFFFFFFFF0u);
  EXPECT_EQ(run("mul.wide.s16 %ro, %h0, %h1;", {0xFFFF, 0x7FFF}), u32(-0x7FFF));
  EXPECT_EQ(run("mul.wide.u16 %ro, %h0, %h1;", {0xFFFF, 0xFFFF}), 0xFFFE0001u);
  EXPECT_EQ(run("mul.lo.u16 %ho, %h0, %h1;", {0xFFFF, 0xFFFF}), 1u);
  EXPECT_EQ(run("mul.hi.u16 %ho, %h0, %h1;", {0xFFFF, 0xFFFF}), 0xFFFEu);
  EXPECT_EQ(run("mul.hi.u64 %do, %d0, %d1;", {~0ull, ~0ull}), ~1ull);
  EXPECT_EQ(run("mul.hi.s64 %do, %d0, %d1;", {~0ull, 7}), ~0ull);
}

TEST(PtxInteger, mad) {
  EXPECT_EQ(run("mad.lo.s32 %ro, %r0, %r1, %r2;", {3, 4, u32(-2)}), 10u);
  EXPECT_EQ(run("mad.hi.u32 %ro, %r0, %r1, %r2;", {0x80000000, 4, 9}), 11u);
  EXPECT_EQ(run("mad.wide.s32 %do, %r0, %r1, %d2;", {u32(-1), 5, 4}), ~0ull);
  EXPECT_EQ(run("mad.wide.u16 %ro, %h0, %h1, %r2;", {300, 300, 7}), 90007u);
}

TEST(PtxInteger, divAndRem) {
  EXPECT_EQ(run("div.s32 %ro, %r0, %r1;", {u32(-7), 2}), u32(-3));
  EXPECT_EQ(run("rem.s32 %ro, %r0, %r1;", {u32(-7), 2}), u32(-1));
  EXPECT_EQ(run("div.u32 %ro, %r0, %r1;", {u32(-7), 2}), 0x7FFFFFFCu);
  EXPECT_EQ(run("rem.u16 %ho, %h0, %h1;", {100, 7}), 2u);
  EXPECT_EQ(run("div.s64 %do, %d0, %d1;", {uint64_t(-9), 4}), uint64_t(-2));
  EXPECT_EQ(run("div.s32 %ro, %r0, %r1;", {0x80000000, u32(-1)}), 0x80000000u);
  EXPECT_EQ(run("rem.s32 %ro, %r0, %r1;", {0x80000000, u32(-1)}), 0u);
}

// The manual leaves the result open; ours is one that no rule asks for.
TEST(PtxInteger, divisionByZeroShows) {
  EXPECT_EQ(run("div.u32 %ro, %r0, %r1;", {7, 0}), 0x5AA55AA5u);
  EXPECT_EQ(run("rem.u32 %ro, %r0, %r1;", {7, 0}), 0xA55AA55Au);
}

TEST(PtxInteger, minMaxAbsNegSad) {
  EXPECT_EQ(run("min.s32 %ro, %r0, %r1;", {u32(-1), 1}), u32(-1));
  EXPECT_EQ(run("min.u32 %ro, %r0, %r1;", {u32(-1), 1}), 1u);
  EXPECT_EQ(run("max.s64 %do, %d0, %d1;", {~0ull, 1}), 1u);
  EXPECT_EQ(run("max.u16 %ho, %h0, %h1;", {0x8000, 1}), 0x8000u);
  EXPECT_EQ(run("max.s16 %ho, %h0, %h1;", {0x8000, 1}), 1u);
  EXPECT_EQ(run("max.relu.s32 %ro, %r0, %r1;", {u32(-3), u32(-1)}), 0u);
  EXPECT_EQ(run("max.relu.s32 %ro, %r0, %r1;", {u32(-3), 2}), 2u);
  EXPECT_EQ(run("min.relu.s32 %ro, %r0, %r1;", {u32(-3), 2}), 0u);
  EXPECT_EQ(run("min.relu.s32 %ro, %r0, %r1;", {7, 2}), 2u);
  EXPECT_EQ(run("abs.s32 %ro, %r0;", {u32(-5)}), 5u);
  EXPECT_EQ(run("abs.s32 %ro, %r0;", {0x80000000}), 0x80000000u);
  EXPECT_EQ(run("neg.s16 %ho, %h0;", {1}), 0xFFFFu);
  EXPECT_EQ(run("sad.u32 %ro, %r0, %r1, %r2;", {3, 10, 100}), 107u);
  EXPECT_EQ(run("sad.s32 %ro, %r0, %r1, %r2;", {u32(-3), 4, 1}), 8u);
}

TEST(PtxInteger, pairsOfHalves) {
  EXPECT_EQ(run("add.s16x2 %ro, %r0, %r1;", {0x7FFFFFFF, 0x00010001}),
            0x80000000u);
  EXPECT_EQ(run("add.u16x2 %ro, %r0, %r1;", {0x0001FFFF, 0x00020002}),
            0x00030001u);
  EXPECT_EQ(run("max.s16x2 %ro, %r0, %r1;", {0x8000FFFF, 0x00010002}),
            0x00010002u);
  EXPECT_EQ(run("max.u16x2 %ro, %r0, %r1;", {0x8000FFFF, 0x00010002}),
            0x8000FFFFu);
  EXPECT_EQ(run("min.s16x2 %ro, %r0, %r1;", {0x8000FFFF, 0x00010002}),
            0x8000FFFFu);
}

TEST(PtxInteger, carryChains) {
  // 128-bit sum, difference and product.
  EXPECT_EQ(run("add.cc.u64 %d10, %d0, %d1;\naddc.u64 %do, %d2, %d3;",
                {~0ull, 1, 5, 6}),
            12u);
  EXPECT_EQ(
      run("sub.cc.u32 %r10, %r0, %r1;\nsubc.u32 %ro, %r2, %r3;", {0, 1, 5, 2}),
      2u);
  EXPECT_EQ(run("mad.lo.cc.u32 %r10, %r0, %r1, %r2;\n"
                "madc.hi.u32 %ro, %r0, %r1, %r3;",
                {0xFFFFFFFF, 2, 2, 10}),
            12u);
}

TEST(PtxInteger, dotProducts) {
  EXPECT_EQ(
      run("dp4a.s32.s32 %ro, %r0, %r1, %r2;", {0xFF02FE01, 0x7F030201, 100}),
      u32(-127 + 6 - 4 + 1 + 100));
  EXPECT_EQ(run("dp4a.u32.u32 %ro, %r0, %r1, %r2;", {0xFFFFFFFF, 0xFFFFFFFF}),
            4u * 255 * 255);
}

TEST(PtxInteger, dotProductsOfHalves) {
  // 16-bit parts 2 and -3 with the bytes (1, 5) or (7, -1).
  Row row = {0xFFFD0002, 0xFF070501, 100};
  EXPECT_EQ(run("dp2a.lo.s32.s32 %ro, %r0, %r1, %r2;", row),
            uint32_t(100 + 2 * 1 - 3 * 5));
  EXPECT_EQ(run("dp2a.hi.s32.s32 %ro, %r0, %r1, %r2;", row),
            uint32_t(100 + 2 * 7 + 3));
  EXPECT_EQ(run("dp2a.hi.u32.u32 %ro, %r0, %r1, %r2;", row),
            100u + 2 * 7 + 0xFFFDu * 0xFF);
}

TEST(PtxInteger, productsOf24Bits) {
  Row row = {0x01800001, 0x02FFFFFF, 5}; // the upper bytes do not count
  EXPECT_EQ(run("mul24.lo.u32 %ro, %r0, %r1;", row),
            static_cast<uint32_t>(uint64_t(0x800001) * 0xFFFFFF));
  EXPECT_EQ(run("mul24.hi.u32 %ro, %r0, %r1;", row),
            static_cast<uint32_t>(uint64_t(0x800001) * 0xFFFFFF >> 16));
  EXPECT_EQ(run("mul24.lo.s32 %ro, %r0, %r1;", row), 0x7FFFFFu);
  EXPECT_EQ(run("mul24.hi.s32 %ro, %r0, %r1;", row), 0x7Fu);
  EXPECT_EQ(run("mad24.lo.s32 %ro, %r0, %r1, %r2;", row), 0x800004u);
}

TEST(PtxInteger, slct) {
  EXPECT_EQ(run("slct.u32.s32 %ro, %r0, %r1, %r2;", {1, 2, 0}), 1u);
  EXPECT_EQ(run("slct.u32.s32 %ro, %r0, %r1, %r2;", {1, 2, 0x80000000}), 2u);
  EXPECT_EQ(run("slct.b64.f32 %do, %d0, %d1, %r2;", {1, 2, 0x80000000}), 1u);
  EXPECT_EQ(run("slct.b64.f32 %do, %d0, %d1, %r2;", {1, 2, nan32}), 2u);
}

} // namespace
