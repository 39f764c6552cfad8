// Loads, stores and atomics in every space.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

TEST(PtxMemory, loadsExtendToTheRegister) {
  Row row = {0xFFFFFFFFFFFFFF80};
  EXPECT_EQ(run("ld.global.s8 %ro, [%din];", row), 0xFFFFFF80u);
  EXPECT_EQ(run("ld.global.u8 %ro, [%din];", row), 0x80u);
  EXPECT_EQ(run("ld.global.s8 %ho, [%din];", row), 0xFF80u);
  EXPECT_EQ(run("ld.global.s8 %do, [%din];", row), 0xFFFFFFFFFFFFFF80u);
  EXPECT_EQ(run("ld.global.b16 %ho, [%din];", row), 0xFF80u);
  EXPECT_EQ(run("ld.global.u32 %do, [%din];", row), 0xFFFFFF80u);
  EXPECT_EQ(run("ld.global.s16 %ro, [%din+2];", row), 0xFFFFFFFFu);
}

TEST(PtxMemory, vectorsAndOffsets) {
  Row row = {0x0000000200000001, 0x0000000400000003};
  EXPECT_EQ(run("ld.global.v4.b32 {%r10, %r11, %r12, %ro}, [%din];", row), 4u);
  EXPECT_EQ(run("ld.global.nc.v2.b64 {%d10, %do}, [%din];", row),
            0x0000000400000003u);
  EXPECT_EQ(run("add.s64 %d10, %din, 16;\nld.b32 %ro, [%d10+-4];", row), 4u);
  EXPECT_EQ(run("ld.global.L1::no_allocate.v2.b32 {_, %ro}, [%din+8];", row),
            4u);
}

TEST(PtxMemory, vectorsOf256Bits) {
  struct alignas(32) Aligned {
    Row row;
  };
  const Aligned in{{0x1111111122222222, 0x3333333344444444, 0x5555555566666666,
                    0x7777777788888888}};
  auto module = Module::parse(header + R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b64 %d<8>; .reg .b32 %r<8>;
  ld.param.b64 %d0, [in];
  ld.param.b64 %d1, [out];
  ld.global.nc.L2::cache_hint.v4.b64 {%d2, %d3, %d4, %d5}, [%d0], %d1;
  add.s64 %d5, %d5, 1;
  st.global.v4.b64 [%d1], {%d2, %d3, %d4, %d5};
  ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, _, %r7}, [%d0];
  st.global.v8.b32 [%d1+32], {%r7, %r5, %r5, %r4, %r3, %r2, %r1, %r0};
  ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, _, %r7}, [%d0+16];
  ret;
})");
  ASSERT_TRUE(module) << module.error().message;
  std::array<Aligned, 2> out{};
  Memory memory;
  memory.addReadOnly(&in, sizeof(in));
  memory.add(out.data(), sizeof(out));
  const void *parameters[] = {&in, out.data()};
  Launch launch;
  launch.kernel = "k";
  launch.parameters = std::as_bytes(std::span(parameters));
  auto fault = module->launch(launch, memory);
  ASSERT_TRUE(fault && fault->kind == Fault::Kind::Misaligned);
  EXPECT_EQ(fault->line, 14u);
  Row expected = in.row;
  expected[3] += 1;
  EXPECT_EQ(out[0].row, expected);
  EXPECT_EQ(out[1].row, (Row{0x5555555577777777, 0x6666666655555555,
                             0x4444444433333333, 0x2222222211111111}));
}

TEST(PtxMemory, storesAndGenericAddresses) {
  // Eight bytes from four stores of different widths.
  EXPECT_EQ(run(".local .align 8 .b8 depot[16];\nmov.b64 %d10, depot;\n"
                "cvta.local.u64 %d11, %d10;\n"
                "st.local.b8 [%d10], %h0;\nst.b8 [%d11+1], %r1;\n"
                "st.local.b16 [%d10+2], %h2;\nst.b32 [%d11+4], %r3;\n"
                "ld.local.b64 %do, [depot];",
                {0x11, 0x22, 0x4433, 0x88776655}),
            0x8877665544332211u);
  EXPECT_EQ(run(".local .align 16 .b8 depot[16];\nmov.b64 %d10, depot;\n"
                "st.local.v2.b64 [%d10], {%d0, %d1};\n"
                "ld.local.v2.b64 {%d11, %do}, [%d10];",
                {1, 77}),
            77u);
}

TEST(PtxMemory, spacesOfGenericAddresses) {
  EXPECT_EQ(run(".local .b8 depot[4];\nmov.b64 %d10, depot;\n"
                "cvta.local.u64 %d11, %d10;\nisspacep.local %po, %d11;"),
            1u);
  EXPECT_EQ(run("isspacep.global %po, %din;"), 1u);
  EXPECT_EQ(run("isspacep.shared %po, %din;"), 0u);
  EXPECT_EQ(run(".shared .b32 cell;\nmov.b64 %d10, cell;\n"
                "cvta.shared.u64 %d11, %d10;\nst.b32 [%d11], %r0;\n"
                "cvta.to.shared.u64 %d12, %d11;\nld.shared.b32 %ro, [%d12];",
                {42}),
            42u);
}

TEST(PtxMemory, localMemoryIsPerThread) {
  std::vector<Row> rows;
  for (uint64_t i = 0; i != 96; ++i)
    rows.push_back({1000 + i});
  auto out = runRows(".local .align 4 .b8 depot[8];\nmov.b64 %d10, depot;\n"
                     "st.local.b32 [%d10+4], %r0;\nbar.sync 0;\n"
                     "ld.local.b32 %ro, [%d10+4];",
                     rows);
  for (size_t i = 0; i != rows.size(); ++i)
    EXPECT_EQ(out[i], 1000 + i);
}

TEST(PtxMemory, unwrittenMemoryShows) {
  EXPECT_EQ(run(".shared .b32 cell;\nld.shared.b32 %ro, [cell];"), 0xFFFFFFFFu);
  EXPECT_EQ(run(".local .b32 cell;\nld.local.b32 %ro, [cell];"), 0xFFFFFFFFu);
  EXPECT_EQ(run("mov.b32 %ro, %r20;"), 0xFFFFFFFFu);
}

/// Runs kernel `k` of a whole text on one output of `n` words.
std::vector<uint32_t> runText(const std::string &text, uint32_t threads,
                              size_t n, Dimensions grid = {},
                              unsigned hostThreads = 1) {
  std::vector<uint32_t> out(n, 0);
  auto module = Module::parse(header + text);
  if (!module) {
    ADD_FAILURE() << module.error().line << ": " << module.error().message;
    return out;
  }
  Memory memory;
  memory.add(out.data(), n * 4);
  const void *parameter = out.data();
  Launch launch;
  launch.kernel = "k";
  launch.grid = grid;
  launch.block.x = threads;
  launch.threads = hostThreads;
  launch.parameters = std::as_bytes(std::span(&parameter, 1));
  if (auto fault = module->launch(launch, memory))
    ADD_FAILURE() << fault->message;
  return out;
}

TEST(PtxMemory, whatNobodyWroteIsKnownFromLaunchToLaunch) {
  // Each thread adds 1 to the old value, if `p` is set, and stores it.
  std::string text = header + R"(
.visible .entry k(.param .u64 p, .param .u64 reads) {
  .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p;
  ld.param.b64 %d0, [p];
  ld.param.b64 %d1, [reads];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d2, %r0, 4;
  add.s64 %d0, %d0, %d2;
  setp.lt.u64 %p, %d2, %d1;
  mov.u32 %r1, 0;
  @%p ld.global.b32 %r1, [%d0];
  add.s32 %r1, %r1, 1;
  st.global.b32 [%d0], %r1;
  ret;
}
.visible .entry a(.param .u64 p) {
  .reg .b64 %d0;
  ld.param.b64 %d0, [p];
  red.global.add.u32 [%d0+4], 1;
  ret;
})";
  auto module = Module::parse(text);
  ASSERT_TRUE(module) << module.error().message;
  std::vector<uint32_t> data(64);
  Written written(data.data(), 4 * data.size());
  Memory memory;
  memory.add(data.data(), 4 * data.size(), &written);
  auto launch = [&](const char *kernel, uint32_t threads, uint64_t reads) {
    uint64_t parameters[] = {reinterpret_cast<uint64_t>(data.data()), reads};
    Launch launch;
    launch.kernel = kernel;
    launch.block.x = threads;
    launch.parameters =
        std::as_bytes(std::span(parameters)).first(*kernel == 'k' ? 16 : 8);
    return module->launch(launch, memory);
  };
  auto fault = launch("a", 1, 0);
  ASSERT_TRUE(fault && fault->kind == Fault::Kind::Unwritten);
  fault = launch("k", 40, 4);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->message.find("line 14, block (0, 0, 0), thread (0, 0, 0): "
                                "read of 4 bytes at"),
            std::string::npos)
      << fault->message;
  EXPECT_NE(fault->message.find("in global memory that was never written"),
            std::string::npos);
  EXPECT_FALSE(launch("k", 40, 0));
  EXPECT_FALSE(launch("k", 64, 160));
  EXPECT_FALSE(launch("a", 1, 0));
  EXPECT_EQ(data[39], 2u);
  EXPECT_EQ(data[40], 1u);
  EXPECT_TRUE(written.covers(data.data(), 256));
  written.forget();
  EXPECT_FALSE(written.covers(&data[7], 1));
  written.mark(reinterpret_cast<char *>(data.data()) + 5, 9);
  EXPECT_TRUE(written.covers(reinterpret_cast<char *>(data.data()) + 5, 9));
  EXPECT_FALSE(written.covers(reinterpret_cast<char *>(data.data()) + 4, 2));
  EXPECT_FALSE(written.covers(reinterpret_cast<char *>(data.data()) + 13, 2));
  written.forget(&data[2], 4);
  EXPECT_FALSE(written.covers(&data[2], 4));
  EXPECT_TRUE(written.covers(reinterpret_cast<char *>(data.data()) + 5, 3));
  EXPECT_TRUE(written.covers(&data[3], 2));
}

TEST(PtxMemory, moduleVariables) {
  auto out = runText(R"(
.const .align 4 .b8 table[8] = {1, 0, 0, 0, 254, 255, 255, 255};
.global .align 4 .u32 words[4] = {10, 20, 30};
.global .align 8 .u64 pointer = generic(words)+4;
.global .align 4 .f32 floats[2] = {0f3F800000, -1.5};
.global .align 4 .u32 counter;
.visible .entry k(.param .u64 out)
{
	.reg .b64 %rd<4>;
	.reg .b32 %r<8>;
	ld.param.b64 %rd1, [out];
	ld.const.b32 %r1, [table+4];
	st.global.b32 [%rd1], %r1;
	ld.global.b64 %rd2, [pointer];
	ld.b32 %r1, [%rd2];
	st.global.b32 [%rd1+4], %r1;
	ld.global.b32 %r1, [words+12];
	st.global.b32 [%rd1+8], %r1;
	ld.global.b32 %r1, [floats+4];
	st.global.b32 [%rd1+12], %r1;
	atom.global.add.u32 %r2, [counter], 5;
	ld.global.b32 %r3, [counter];
	st.global.b32 [%rd1+16], %r3;
	ret;
}
)",
                     1, 5);
  EXPECT_EQ(out, (std::vector<uint32_t>{0xFFFFFFFE, 20, 0, bits(-1.5f), 5}));
}

TEST(PtxMemory, parametersByValue) {
  auto module = Module::parse(header + R"(
.visible .entry k(.param .u64 out, .param .align 8 .b8 pack[16],
                  .param .u16 small, .param .f32 last)
{
	.reg .b64 %rd<4>;
	.reg .b32 %r<8>;
	.reg .b16 %rs<2>;
	ld.param.b64 %rd1, [out];
	ld.param.v2.b32 {%r1, %r2}, [pack+8];
	st.global.v2.b32 [%rd1], {%r1, %r2};
	ld.param.u16 %rs1, [small];
	cvt.u32.u16 %r3, %rs1;
	st.global.b32 [%rd1+8], %r3;
	mov.b64 %rd2, pack;
	cvta.param.u64 %rd3, %rd2;
	ld.b32 %r4, [%rd3+4];
	st.global.b32 [%rd1+12], %r4;
	ld.param.f32 %r5, [last];
	st.global.f32 [%rd1+16], %r5;
	ret;
}
)");
  ASSERT_TRUE(module) << module.error().message;
  auto info = module->kernels()[0];
  EXPECT_EQ(info.parameters[2].offset, 24u);
  EXPECT_EQ(info.parameters[3].offset, 28u);
  std::array<uint32_t, 6> out = {};
  struct {
    void *out;
    uint32_t pack[4];
    uint16_t small, padding;
    float last;
  } parameters = {out.data(), {1, 2, 3, 4}, 500, 0, 2.5f};
  Memory memory;
  memory.add(out.data(), sizeof(out));
  Launch launch;
  launch.kernel = "k";
  launch.parameters = std::as_bytes(std::span(&parameters, 1));
  auto fault = module->launch(launch, memory);
  ASSERT_FALSE(fault) << fault->message;
  EXPECT_EQ(out, (std::array<uint32_t, 6>{3, 4, 500, 2, bits(2.5f), 0}));
}

/// All threads of all blocks do one atomic operation on word 0.
uint32_t atomicResult(const std::string &instruction, unsigned hostThreads) {
  return runText(
      ".visible .entry k(.param .u64 out)\n{\n"
      "\t.reg .b64 %rd<4>;\n\t.reg .b32 %r<8>;\n"
      "\tld.param.b64 %rd1, [out];\n\tmov.u32 %r1, %tid.x;\n"
      "\tmov.u32 %r2, %ctaid.x;\n\tmad.lo.u32 %r1, %r2, 64, %r1;\n\t" +
          instruction + "\n\tret;\n}\n",
      64, 1, {20, 1, 1}, hostThreads)[0];
}

TEST(PtxMemory, atomicsOfManyThreads) {
  for (unsigned threads : {1u, 3u}) {
    EXPECT_EQ(atomicResult("red.global.add.u32 [%rd1], %r1;", threads),
              1280u * 1279 / 2);
    EXPECT_EQ(atomicResult("red.global.max.u32 [%rd1], %r1;", threads), 1279u);
    EXPECT_EQ(atomicResult("not.b32 %r1, %r1;\n"
                           "atom.global.min.s32 %r3, [%rd1], %r1;",
                           threads),
              ~1279u);
    EXPECT_EQ(atomicResult("red.global.or.b32 [%rd1], %r1;", threads), 2047u);
    EXPECT_EQ(atomicResult("atom.global.inc.u32 %r3, [%rd1], 99;", threads),
              1280u % 100);
    EXPECT_EQ(
        atomicResult("red.relaxed.gpu.global.add.u32 [%rd1], 1;", threads),
        1280u);
  }
}

TEST(PtxMemory, atomicsReturnTheOldValue) {
  EXPECT_EQ(run(".shared .align 8 .b64 cell;\nst.shared.b64 [cell], %d0;\n"
                "atom.shared.cas.b64 %d10, [cell], %d1, %d2;\n"
                "ld.shared.b64 %d11, [cell];\nadd.s64 %do, %d10, %d11;",
                {5, 5, 100}),
            105u);
  EXPECT_EQ(run(".shared .align 4 .b32 cell;\nst.shared.b32 [cell], %r0;\n"
                "atom.shared.exch.b32 %ro, [cell], %r1;",
                {5, 9}),
            5u);
  EXPECT_EQ(run(".shared .align 4 .b32 cell;\nst.shared.b32 [cell], %r0;\n"
                "atom.shared.dec.u32 %r10, [cell], 7;\n"
                "ld.shared.b32 %ro, [cell];",
                {0}),
            7u);
  EXPECT_EQ(loadError("atom.global.add.f32 %ro, [%din], %r0;"),
            "kernel 'k': 'atom.global.add.f32' is not supported by the "
            "simulator");
}

} // namespace
