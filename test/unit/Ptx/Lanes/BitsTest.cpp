// Logic, shifts and bit fields against the manual.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

TEST(PtxBits, logic) {
  EXPECT_EQ(run("and.b32 %ro, %r0, %r1;", {0xF0F0, 0xFF00}), 0xF000u);
  EXPECT_EQ(run("or.b64 %do, %d0, %d1;", {1ull << 63, 1}), 1ull << 63 | 1);
  EXPECT_EQ(run("xor.b16 %ho, %h0, %h1;", {0xFFFF, 0x00FF}), 0xFF00u);
  EXPECT_EQ(run("not.b16 %ho, %h0;", {0x00FF}), 0xFF00u);
  EXPECT_EQ(run("cnot.b32 %ro, %r0;", {0}), 1u);
  EXPECT_EQ(run("cnot.b32 %ro, %r0;", {7}), 0u);
  EXPECT_EQ(run("and.pred %po, %p0, %p1;", {1, 1}), 1u);
  EXPECT_EQ(run("xor.pred %po, %p0, %p1;", {1, 1}), 0u);
  EXPECT_EQ(run("not.pred %po, %p0;", {1}), 0u);
}

TEST(PtxBits, shiftsClampTheAmount) {
  EXPECT_EQ(run("shl.b32 %ro, %r0, %r1;", {1, 31}), 0x80000000u);
  EXPECT_EQ(run("shl.b32 %ro, %r0, %r1;", {1, 32}), 0u);
  EXPECT_EQ(run("shl.b64 %do, %d0, %r1;", {1, 33}), 1ull << 33);
  EXPECT_EQ(run("shl.b64 %do, %d0, %r1;", {1, 64}), 0u);
  EXPECT_EQ(run("shl.b16 %ho, %h0, %r1;", {0xFFFF, 4}), 0xFFF0u);
  EXPECT_EQ(run("shr.u32 %ro, %r0, %r1;", {0x80000000, 31}), 1u);
  EXPECT_EQ(run("shr.u32 %ro, %r0, %r1;", {0x80000000, 0xFFFFFFFF}), 0u);
  EXPECT_EQ(run("shr.s32 %ro, %r0, %r1;", {0x80000000, 40}), 0xFFFFFFFFu);
  EXPECT_EQ(run("shr.s16 %ho, %h0, %r1;", {0x8000, 3}), 0xF000u);
  EXPECT_EQ(run("shr.u16 %ho, %h0, %r1;", {0x8000, 16}), 0u);
  EXPECT_EQ(run("shr.b64 %do, %d0, %r1;", {~0ull, 60}), 15u);
  EXPECT_EQ(run("shr.s64 %do, %d0, %r1;", {~0ull - 1, 64}), ~0ull);
}

TEST(PtxBits, funnelShifts) {
  EXPECT_EQ(
      run("shf.l.wrap.b32 %ro, %r0, %r1, %r2;", {0x80000000, 0x00000001, 33}),
      3u);
  EXPECT_EQ(run("shf.l.clamp.b32 %ro, %r0, %r1, %r2;", {5, 6, 33}), 5u);
  EXPECT_EQ(run("shf.r.wrap.b32 %ro, %r0, %r1, %r2;", {0x10, 0xF, 4}),
            0xF0000001u);
  EXPECT_EQ(run("shf.r.clamp.b32 %ro, %r0, %r1, %r2;", {5, 6, 99}), 6u);
}

TEST(PtxBits, counts) {
  EXPECT_EQ(run("popc.b32 %ro, %r0;", {0xF00F}), 8u);
  EXPECT_EQ(run("popc.b64 %ro, %d0;", {~0ull}), 64u);
  EXPECT_EQ(run("clz.b32 %ro, %r0;", {0}), 32u);
  EXPECT_EQ(run("clz.b32 %ro, %r0;", {1}), 31u);
  EXPECT_EQ(run("clz.b64 %ro, %d0;", {1}), 63u);
  EXPECT_EQ(run("brev.b32 %ro, %r0;", {0x00000013}), 0xC8000000u);
  EXPECT_EQ(run("brev.b64 %do, %d0;", {1}), 1ull << 63);
  EXPECT_EQ(run("bfind.u32 %ro, %r0;", {0x80}), 7u);
  EXPECT_EQ(run("bfind.u32 %ro, %r0;", {0}), 0xFFFFFFFFu);
  EXPECT_EQ(run("bfind.s32 %ro, %r0;", {0xFFFFFF7F}), 7u);
  EXPECT_EQ(run("bfind.shiftamt.u32 %ro, %r0;", {0x80}), 24u);
  EXPECT_EQ(run("bfind.shiftamt.s64 %ro, %d0;", {0}), 0xFFFFFFFFu);
}

TEST(PtxBits, bfe) {
  EXPECT_EQ(run("bfe.u32 %ro, %r0, %r1, %r2;", {0x12345678, 8, 8}), 0x56u);
  EXPECT_EQ(run("bfe.s32 %ro, %r0, %r1, %r2;", {0x0000F000, 12, 4}),
            0xFFFFFFFFu);
  EXPECT_EQ(run("bfe.s32 %ro, %r0, %r1, %r2;", {0x80000000, 31, 8}),
            0xFFFFFFFFu);
  EXPECT_EQ(run("bfe.u32 %ro, %r0, %r1, %r2;", {~0ull, 4, 0}), 0u);
  EXPECT_EQ(run("bfe.u32 %ro, %r0, %r1, %r2;", {~0ull, 40, 8}), 0u);
  EXPECT_EQ(run("bfe.s64 %do, %d0, %r1, %r2;", {1ull << 40, 40, 1}), ~0ull);
  EXPECT_EQ(run("bfe.u64 %do, %d0, %r1, %r2;", {~0ull, 8, 64}), ~0ull >> 8);
}

TEST(PtxBits, bfi) {
  EXPECT_EQ(run("bfi.b32 %ro, %r0, %r1, %r2, %r3;", {0xAB, 0, 8, 8}), 0xAB00u);
  EXPECT_EQ(run("bfi.b32 %ro, %r0, %r1, %r2, %r3;", {0xFF, 0x11111111, 4, 4}),
            0x111111F1u);
  EXPECT_EQ(run("bfi.b32 %ro, %r0, %r1, %r2, %r3;", {0xFF, 7, 32, 4}), 7u);
  EXPECT_EQ(run("bfi.b32 %ro, %r0, %r1, %r2, %r3;", {0xFF, 7, 3, 0}), 7u);
  EXPECT_EQ(run("bfi.b64 %do, %d0, %d1, %r2, %r3;", {~0ull, 0, 60, 8}),
            0xFull << 60);
}

TEST(PtxBits, prmt) {
  Row row = {0x33221100, 0x77665544, 0x7531};
  EXPECT_EQ(run("prmt.b32 %ro, %r0, %r1, %r2;", row), 0x77553311u);
  EXPECT_EQ(run("prmt.b32 %ro, %r0, %r1, %r2;", {0x80, 0x80000000, 0x88F8}),
            0xFFFFFFFFu);
  row[2] = 1;
  EXPECT_EQ(run("prmt.b32.f4e %ro, %r0, %r1, %r2;", row), 0x44332211u);
  EXPECT_EQ(run("prmt.b32.b4e %ro, %r0, %r1, %r2;", row), 0x66770011u);
  EXPECT_EQ(run("prmt.b32.rc8 %ro, %r0, %r1, %r2;", row), 0x11111111u);
  EXPECT_EQ(run("prmt.b32.ecl %ro, %r0, %r1, %r2;", row), 0x33221111u);
  EXPECT_EQ(run("prmt.b32.ecr %ro, %r0, %r1, %r2;", row), 0x11111100u);
  EXPECT_EQ(run("prmt.b32.rc16 %ro, %r0, %r1, %r2;", row), 0x33223322u);
}

TEST(PtxBits, lop3) {
  Row row = {0xF0, 0xCC, 0xAA};
  EXPECT_EQ(run("lop3.b32 %ro, %r0, %r1, %r2, 0x80;", row),
            0xF0u & 0xCC & 0xAA);
  EXPECT_EQ(run("lop3.b32 %ro, %r0, %r1, %r2, 0xFE;", row), 0xFEu);
  EXPECT_EQ(run("lop3.b32 %ro, %r0, %r1, %r2, 0x96;", row),
            0xF0u ^ 0xCC ^ 0xAA);
  // The table of (a and b) or not c.
  EXPECT_EQ(run("lop3.b32 %ro, %r0, %r1, %r2, 0xD5;", row),
            uint32_t((0xF0 & 0xCC) | ~0xAA));
}

} // namespace
