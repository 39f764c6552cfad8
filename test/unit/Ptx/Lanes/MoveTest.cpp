// Moves, vectors of registers, address conversions.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

TEST(PtxMove, immediates) {
  EXPECT_EQ(run("mov.u32 %ro, -1;"), 0xFFFFFFFFu);
  EXPECT_EQ(run("mov.b64 %do, -1;"), ~0ull);
  EXPECT_EQ(run("mov.b16 %ho, -2;"), 0xFFFEu);
  EXPECT_EQ(run("mov.b32 %ro, 0x1F;"), 31u);
  EXPECT_EQ(run("mov.b32 %ro, 017;"), 15u);
  EXPECT_EQ(run("mov.b32 %ro, 0b101;"), 5u);
  EXPECT_EQ(run("mov.u32 %ro, 7U;"), 7u);
  EXPECT_EQ(run("mov.f32 %ro, 0f3FC00000;"), bits(1.5f));
  EXPECT_EQ(run("mov.f32 %ro, 1.5;"), bits(1.5f));
  EXPECT_EQ(run("mov.f32 %ro, -2.5e-1;"), bits(-0.25f));
  EXPECT_EQ(run("mov.f64 %do, 0d3FF8000000000000;"), bits(1.5));
  EXPECT_EQ(run("add.s32 %ro, %r0, WARP_SZ;", {1}), 33u);
}

TEST(PtxMove, packAndUnpack) {
  EXPECT_EQ(run("mov.b64 %do, {%r0, %r1};", {1, 2}), 0x200000001u);
  EXPECT_EQ(run("mov.b64 {%r10, %ro}, %d0;", {0x1234567800000000}),
            0x12345678u);
  EXPECT_EQ(run("mov.b64 {%ro, _}, %d0;", {0x1234567887654321}), 0x87654321u);
  EXPECT_EQ(run("mov.b32 %ro, {%h0, %h1};", {0xAAAA, 0xBBBB}), 0xBBBBAAAAu);
  EXPECT_EQ(run("mov.b32 %ro, {0, %h1};", {0, 0xBBBB}), 0xBBBB0000u);
  EXPECT_EQ(run("mov.b32 {%h10, %ho}, %r0;", {0xBBBBAAAA}), 0xBBBBu);
  EXPECT_EQ(run("mov.b64 %do, {%h0, %h1, %h2, %h3};", {1, 2, 3, 4}),
            0x0004000300020001u);
  // The registers of both sides may share a slot in memory.
  EXPECT_EQ(run("mov.b32 {%h10, %h11}, %r0;\nmov.b32 %ro, {%h11, %h10};",
                {0xBBBBAAAA}),
            0xAAAABBBBu);
}

TEST(PtxMove, predicates) {
  EXPECT_EQ(run("mov.pred %po, %p0;", {1}), 1u);
  EXPECT_EQ(run("mov.pred %po, !%p0;", {1}), 0u);
  EXPECT_EQ(run("mov.pred %po, -1;"), 1u);
  EXPECT_EQ(run("mov.pred %po, 0;"), 0u);
}

TEST(PtxMove, specialRegisters) {
  std::vector<Row> rows(70);
  auto lanes = runRows("mov.u32 %ro, %laneid;", rows);
  auto warps = runRows("mov.u32 %ro, %warpid;", rows);
  auto below = runRows("mov.u32 %ro, %lanemask_lt;", rows);
  auto above = runRows("mov.u32 %ro, %lanemask_gt;", rows);
  auto size = runRows("mov.u32 %ro, %ntid.x;", rows);
  for (uint32_t i = 0; i != rows.size(); ++i) {
    EXPECT_EQ(lanes[i], i % 32);
    EXPECT_EQ(warps[i], i / 32);
    EXPECT_EQ(below[i], (1u << i % 32) - 1);
    EXPECT_EQ(above[i], i % 32 == 31 ? 0 : ~0u << (i % 32 + 1));
    EXPECT_EQ(size[i], 70u);
  }
  EXPECT_EQ(run("mov.u32 %ro, %nctaid.z;"), 1u);
}

TEST(PtxMove, scopesHideRegisters) {
  EXPECT_EQ(run("mov.u32 %r10, 1;\n{\n.reg .b32 %r<11>;\nmov.u32 %r10, 2;\n}\n"
                "mov.u32 %ro, %r10;"),
            1u);
}

TEST(PtxMove, widthsHaveToFit) {
  EXPECT_EQ(loadError("mov.b32 %ro, %d0;"),
            "kernel 'k': '%d0' has 64 bits, expected 32");
  EXPECT_EQ(loadError("add.s64 %do, %d0, %r0;"),
            "kernel 'k': '%r0' has 32 bits, expected 64");
  EXPECT_EQ(loadError("mov.b32 %ro, %p0;"),
            "kernel 'k': '%p0' has type pred, expected b32");
  EXPECT_EQ(loadError("add.s32 %ro, %r0;"),
            "kernel 'k': 'add.s32' has 2 operands, expected 3");
  EXPECT_EQ(loadError("mov.u32 %ro, %clock;"),
            "kernel 'k': special register '%clock' is not supported by the "
            "simulator");
  EXPECT_EQ(loadError("add.rn.f32 %ro, %r0, 1;"),
            "kernel 'k': integer 1 where a float is expected");
}

} // namespace
