// Launches: grids, shapes of blocks, host threads.

#include "../Support.h"

#include <cfenv>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// Each thread writes a number computed from its coordinates.
const std::string coordinates = header + R"(
.visible .entry k(.param .u64 out)
{
	.reg .b64 %d<4>;
	.reg .b32 %r<20>;
	ld.param.b64 %d1, [out];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ctaid.y;
	mov.u32 %r3, %ctaid.z;
	mov.u32 %r4, %nctaid.x;
	mov.u32 %r5, %nctaid.y;
	mad.lo.u32 %r6, %r3, %r5, %r2;
	mad.lo.u32 %r6, %r6, %r4, %r1;
	mov.u32 %r7, %ntid.x;
	mov.u32 %r8, %ntid.y;
	mov.u32 %r9, %ntid.z;
	mov.u32 %r10, %tid.x;
	mov.u32 %r11, %tid.y;
	mov.u32 %r12, %tid.z;
	mad.lo.u32 %r6, %r6, %r9, %r12;
	mad.lo.u32 %r6, %r6, %r8, %r11;
	mad.lo.u32 %r6, %r6, %r7, %r10;
	mul.wide.u32 %d2, %r6, 4;
	add.s64 %d3, %d1, %d2;
	add.u32 %r6, %r6, 1;
	st.global.b32 [%d3], %r6;
	ret;
}
)";

/// Launches `coordinates`, which writes one word per thread to `out`.
std::optional<Fault> runCoordinates(const Module &module, Launch launch,
                                    std::vector<uint32_t> &out,
                                    Statistics *statistics = nullptr) {
  const void *parameter = out.data();
  Memory memory;
  memory.add(out.data(), out.size() * 4);
  launch.kernel = "k";
  launch.parameters = std::as_bytes(std::span(&parameter, 1));
  return module.launch(launch, memory, statistics);
}

TEST(PtxLaunch, everyThreadOfTheGridRunsOnce) {
  auto module = Module::parse(coordinates);
  ASSERT_TRUE(module) << module.error().message;
  for (unsigned threads : {1u, 2u, 5u}) {
    std::vector<uint32_t> out(4 * 3 * 2 * 5 * 7 * 3, 0);
    Launch launch;
    launch.grid = {4, 3, 2};
    launch.block = {5, 7, 3};
    launch.threads = threads;
    Statistics statistics;
    auto fault = runCoordinates(*module, launch, out, &statistics);
    ASSERT_FALSE(fault) << fault->message;
    for (uint32_t i = 0; i != out.size(); ++i)
      ASSERT_EQ(out[i], i + 1);
    // 21 lines of code and the return.
    EXPECT_EQ(statistics.threadInstructions, out.size() * 22);
  }
}

TEST(PtxLaunch, theFaultIsThatOfTheFirstBlock) {
  auto module = Module::parse(coordinates);
  ASSERT_TRUE(module);
  for (unsigned threads : {1u, 4u}) {
    std::vector<uint32_t> out(100, 0);
    Launch launch;
    launch.grid = {40, 1, 1};
    launch.block = {8, 1, 1};
    launch.threads = threads;
    auto fault = runCoordinates(*module, launch, out);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->block[0], 12u);
    EXPECT_EQ(fault->thread[0], 4u);
  }
}

/// Blocks that take long enough for host threads to be started, the later ones
/// shorter. Each adds its number to word 0 and writes a word of its own; blocks
/// from `limit` on write out of bounds.
std::optional<Fault> runLong(unsigned threads, uint32_t limit,
                             std::vector<uint32_t> &out) {
  auto module = Module::parse(header + R"(
.visible .entry k(.param .u64 out, .param .u32 limit)
{
	.reg .b64 %d<6>;
	.reg .b32 %r<10>;
	.reg .pred %p<3>;
	ld.param.b64 %d1, [out];
	ld.param.b32 %r1, [limit];
	mov.u32 %r2, %ctaid.x;
	sub.u32 %r3, 60, %r2;
	mul.lo.u32 %r3, %r3, 200;
	mov.u32 %r4, %r2;
LOOP:
	mad.lo.u32 %r4, %r4, 1664525, 1013904223;
	sub.u32 %r3, %r3, 1;
	setp.ne.u32 %p1, %r3, 0;
	@%p1 bra LOOP;
	mul.wide.u32 %d2, %r2, 4;
	add.s64 %d3, %d1, %d2;
	setp.ge.u32 %p2, %r2, %r1;
	@%p2 mov.b64 %d3, 0;
	st.global.b32 [%d3+4], %r4;
	red.global.add.u32 [%d1], %r2;
	ret;
}
)");
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return std::nullopt;
  }
  out.assign(51, 0);
  Memory memory;
  memory.add(out.data(), 4 * out.size());
  struct {
    void *out;
    uint32_t limit;
  } parameters = {out.data(), limit};
  Launch launch;
  launch.kernel = "k";
  launch.grid.x = 50;
  launch.threads = threads;
  launch.parameters = std::as_bytes(std::span(&parameters, 1)).first(12);
  return module->launch(launch, memory);
}

TEST(PtxLaunch, hostThreadsShareTheBlocks) {
  std::vector<uint32_t> one, four;
  ASSERT_FALSE(runLong(1, 100, one));
  ASSERT_FALSE(runLong(4, 100, four));
  EXPECT_EQ(one[0], 50u * 49 / 2);
  EXPECT_EQ(one, four);
  for (int repetition = 0; repetition != 5; ++repetition) {
    auto fault = runLong(4, 17, four);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->block[0], 17u);
  }
}

std::string launchMessage(const std::string &directives, Launch launch) {
  auto module = Module::parse(header + ".visible .entry k(.param .u64 a)" +
                              directives + "{ ret; }");
  if (!module)
    return module.error().message;
  auto fault = module->launch(launch, Memory());
  return fault ? fault->message : "";
}

TEST(PtxLaunch, whatDoesNotFitTheKernel) {
  uint64_t parameter = 0;
  Launch launch;
  launch.kernel = "k";
  launch.parameters = std::as_bytes(std::span(&parameter, 1));
  EXPECT_EQ(launchMessage("", launch), "");
  Launch other = launch;
  other.kernel = "l";
  EXPECT_EQ(launchMessage("", other), "kernel 'l': no kernel has this name");
  other = launch;
  other.parameters = other.parameters.first(4);
  EXPECT_EQ(launchMessage("", other),
            "kernel 'k': it has 8 bytes of parameters, not 4");
  other = launch;
  other.block = {1025, 1, 1};
  EXPECT_EQ(launchMessage("", other),
            "kernel 'k': a block of 1025 x 1 x 1 threads is not possible");
  other.block = {32, 33, 1};
  EXPECT_NE(launchMessage("", other), "");
  other.block = {64, 1, 1};
  EXPECT_EQ(launchMessage(" .maxntid 32 ", other),
            "kernel 'k': it allows blocks of 32 threads, not 64");
  EXPECT_EQ(
      launchMessage(" .reqntid 32, 2 ", other),
      "kernel 'k': it needs blocks of 32 x 2 x 1 threads, not 64 x 1 x 1");
  EXPECT_EQ(launchMessage(" .reqntid 64 ", other), "");
  other = launch;
  other.grid = {1, 0, 1};
  EXPECT_NE(launchMessage("", other), "");
  other = launch;
  other.dynamicSharedBytes = 300000;
  EXPECT_EQ(launchMessage("", other),
            "kernel 'k': blocks of sm_80 have at most 166912 bytes of shared "
            "memory, not 300000");
}

/// The reason why a kernel for `target` cannot have so many bytes of shared
/// memory, of which 64 are static; empty if it can.
std::string sharedMemoryError(const std::string &target, uint64_t bytes) {
  std::string text = header + ".visible .entry k() {\n"
                              ".shared .align 4 .b32 fixed[16];\n"
                              "st.shared.b32 [fixed], 0;\nret;\n}";
  text.replace(text.find("sm_80"), 5, target);
  auto module = Module::parse(text);
  if (!module)
    return module.error().message;
  Launch launch;
  launch.kernel = "k";
  launch.dynamicSharedBytes = bytes - 64;
  auto fault = module->launch(launch, Memory());
  return fault ? fault->message : "";
}

// The simulator's limits are those by which kernels are made.
TEST(PtxLaunch, sharedMemoryOfTheTarget) {
  struct Limit {
    std::string target;
    uint64_t bytes;
  };
  std::vector<Limit> limits = {{"sm_90a", 232448}, {"sm_70", 232448}};
#define GENSYN_GPU(sm, ptx, multiprocessors, sharedKiB, ...)                   \
  limits.push_back({"sm_" #sm, uint64_t(sharedKiB) * 1024});
#include "gensyn/Machine/Gpu.def"
#undef GENSYN_GPU
  for (const Limit &limit : limits) {
    EXPECT_EQ(sharedMemoryError(limit.target, limit.bytes), "");
    EXPECT_EQ(sharedMemoryError(limit.target, limit.bytes + 1),
              "kernel 'k': blocks of " + limit.target + " have at most " +
                  std::to_string(limit.bytes) +
                  " bytes of shared memory, not " +
                  std::to_string(limit.bytes + 1));
  }
}

TEST(PtxLaunch, dynamicSharedMemory) {
  auto module = Module::parse(header + R"(
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 out)
{
	.shared .b32 fixed;
	.reg .b64 %d<4>;
	.reg .b32 %r<4>;
	ld.param.b64 %d1, [out];
	st.shared.b32 [fixed], 7;
	mov.b64 %d2, dynamic;
	st.shared.b32 [%d2+60], 8;
	ld.shared.b32 %r1, [dynamic+60];
	st.global.b32 [%d1], %r1;
	mov.u32 %r2, %dynamic_smem_size;
	st.global.b32 [%d1+4], %r2;
	ret;
}
)");
  ASSERT_TRUE(module) << module.error().message;
  std::array<uint32_t, 2> out = {};
  const void *parameter = out.data();
  Memory memory;
  memory.add(out.data(), sizeof(out));
  Launch launch;
  launch.kernel = "k";
  launch.parameters = std::as_bytes(std::span(&parameter, 1));
  launch.dynamicSharedBytes = 64;
  auto fault = module->launch(launch, memory);
  ASSERT_FALSE(fault) << fault->message;
  EXPECT_EQ(out, (std::array<uint32_t, 2>{8, 64}));
  launch.dynamicSharedBytes = 60;
  fault = module->launch(launch, memory);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::OutOfBounds);
}

TEST(PtxLaunch, memoryRangesDoNotOverlap) {
  std::array<std::byte, 64> bytes;
  Memory memory;
  EXPECT_TRUE(memory.add(bytes.data() + 16, 16));
  EXPECT_FALSE(memory.add(bytes.data() + 31, 16));
  EXPECT_FALSE(memory.addReadOnly(bytes.data(), 64));
  EXPECT_TRUE(memory.addReadOnly(bytes.data() + 32, 16));
  EXPECT_TRUE(memory.add(bytes.data(), 16));
  EXPECT_TRUE(memory.add(bytes.data(), 0));
  memory.remove(bytes.data() + 16);
  EXPECT_TRUE(memory.add(bytes.data() + 16, 16));
}

// A host program may set another rounding mode; kernels ignore it, and the host
// gets its own mode back.
TEST(PtxLaunch, hostRoundingDoesNotShow) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  uint64_t sum = run("add.rn.f32 %ro, %r0, %r1;", {0x3F800000, 0x30000000});
  int mode = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(sum, 0x3F800000u);
  EXPECT_EQ(mode, FE_UPWARD);
}

} // namespace
