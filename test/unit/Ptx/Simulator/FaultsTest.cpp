// The faults that stop a launch, and their messages.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// The fault of a snippet in a block of `threads`; inputs are zeros.
Fault faultOf(const std::string &body, uint32_t threads = 32,
              uint64_t limit = 100000) {
  std::vector<uint64_t> out(threads);
  auto module = Module::parse(snippet(body));
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return {};
  }
  Launch launch;
  launch.maxInstructions = limit;
  auto fault = launchRows(*module, numberedRows(threads), out, launch);
  if (!fault) {
    ADD_FAILURE() << "no fault: " << body;
    return {};
  }
  return *fault;
}

/// The first line of a snippet's body.
uint32_t bodyLine() {
  std::string text = snippet("BODY");
  return static_cast<uint32_t>(
      std::count(text.begin(), text.begin() + text.find("BODY"), '\n') + 1);
}

TEST(PtxFaults, outOfBoundsNamesThreadAndAddress) {
  Fault fault = faultOf("mul.wide.u32 %d10, %r0, 8;\nadd.s64 %d10, %d10, 8;\n"
                        "sub.s64 %d11, %dout, %doff;\n"
                        "add.s64 %d11, %d11, %d10;\n"
                        "st.global.b64 [%d11], %d0;");
  EXPECT_EQ(fault.kind, Fault::Kind::OutOfBounds);
  EXPECT_EQ(fault.kernel, "k");
  EXPECT_EQ(fault.line, bodyLine() + 4);
  EXPECT_EQ(fault.thread[0], 31u);
  char address[32];
  std::snprintf(address, sizeof(address), "0x%llx",
                static_cast<unsigned long long>(fault.address));
  EXPECT_EQ(fault.message, "kernel 'k', line " + std::to_string(fault.line) +
                               ", block (0, 0, 0), thread (31, 0, 0): write of "
                               "8 bytes at " +
                               address + " in global memory is out of bounds");
}

TEST(PtxFaults, everySpaceIsChecked) {
  auto kind = [](const std::string &body) { return faultOf(body).kind; };
  EXPECT_EQ(kind("mov.b64 %d10, 0;\nld.global.b32 %ro, [%d10];"),
            Fault::Kind::OutOfBounds);
  EXPECT_EQ(kind("mov.b64 %d10, 0;\nld.b32 %ro, [%d10+4];"),
            Fault::Kind::OutOfBounds);
  EXPECT_EQ(kind(".shared .b32 cell;\nld.shared.b32 %ro, [cell+4];"),
            Fault::Kind::OutOfBounds);
  EXPECT_EQ(kind(".shared .b32 cell;\nld.shared.b32 %ro, [cell+-4];"),
            Fault::Kind::OutOfBounds);
  EXPECT_EQ(kind(".shared .align 8 .b32 cell;\n"
                 "ld.shared.b64 %do, [cell];"),
            Fault::Kind::OutOfBounds);
  EXPECT_EQ(kind(".local .b8 depot[4];\nld.local.b32 %ro, [depot+16];"),
            Fault::Kind::OutOfBounds);
  EXPECT_EQ(kind("mov.b64 %d10, in;\ncvta.param.u64 %d11, %d10;\n"
                 "ld.b64 %do, [%d11+16];"),
            Fault::Kind::OutOfBounds);
  EXPECT_EQ(kind("st.global.b32 [%din], %r0;"), Fault::Kind::ReadOnly);
  EXPECT_EQ(kind("red.global.add.u32 [%din], %r0;"), Fault::Kind::ReadOnly);
  EXPECT_EQ(kind("ld.global.b32 %ro, [%din+2];"), Fault::Kind::Misaligned);
  EXPECT_EQ(kind("ld.global.v2.b32 {%r10, %ro}, [%din+4];"),
            Fault::Kind::Misaligned);
  EXPECT_EQ(kind(".shared .align 8 .b8 tile[64];\n"
                 "ld.shared.v4.b32 {%r10, %r11, %r12, %ro}, [tile+8];"),
            Fault::Kind::Misaligned);
}

TEST(PtxFaults, threadsThatAreOffDoNotAccess) {
  auto out = runRows("mov.b64 %d10, 0;\nsetp.eq.u32 %p10, %r0, 50;\n"
                     "mov.u32 %ro, 3;\n@%p10 ld.global.b32 %ro, [%d10];\n"
                     "setp.eq.u32 %p11, %r0, 7;\n@%p11 mov.b64 %d10, %din;\n"
                     "@%p11 ld.global.b32 %ro, [%d10];",
                     numberedRows(32));
  EXPECT_EQ(out[6], 3u);
  EXPECT_EQ(out[7], 7u);
}

TEST(PtxFaults, barriers) {
  Fault fault = faultOf("setp.lt.u32 %p10, %r0, 5;\n@%p10 bar.sync 0;\n"
                        "mov.u32 %ro, 0;");
  EXPECT_EQ(fault.kind, Fault::Kind::Barrier);
  EXPECT_NE(fault.message.find("only some threads of the warp"),
            std::string::npos);
  fault = faultOf("setp.lt.u32 %p10, %r0, 32;\n@%p10 bra END;\nbar.sync 0;\n"
                  "END: bar.sync 1;\nmov.u32 %ro, 0;",
                  64);
  EXPECT_EQ(fault.kind, Fault::Kind::Barrier);
  EXPECT_NE(fault.message.find("threads that never come"), std::string::npos);
  EXPECT_EQ(faultOf("bar.sync 16;\nmov.u32 %ro, 0;").kind,
            Fault::Kind::Barrier);
}

TEST(PtxFaults, exchangesWithAbsentThreads) {
  // 16 threads: lane 16 and up do not exist.
  Fault fault = faultOf("shfl.sync.bfly.b32 %ro, %r0, 16, 31, -1;", 16);
  EXPECT_EQ(fault.kind, Fault::Kind::Shuffle);
  fault = faultOf("setp.lt.u32 %p10, %r0, 5;\n"
                  "@%p10 shfl.sync.bfly.b32 %r10, %r0, 1, 31, -1;\n"
                  "mov.u32 %ro, 0;");
  EXPECT_NE(fault.message.find("threads that are elsewhere"),
            std::string::npos);
  fault = faultOf("vote.sync.any.pred %po, %p0, 1;");
  EXPECT_NE(fault.message.find("does not name the executing thread"),
            std::string::npos);
}

TEST(PtxFaults, limitsAndTraps) {
  EXPECT_EQ(faultOf("LOOP: bra LOOP;\nmov.u32 %ro, 0;").kind,
            Fault::Kind::Limit);
  Fault fault = faultOf("setp.eq.u32 %p10, %r0, 9;\n@%p10 trap;\n"
                        "mov.u32 %ro, 0;");
  EXPECT_EQ(fault.kind, Fault::Kind::Trap);
  EXPECT_EQ(fault.thread[0], 9u);
  EXPECT_EQ(faultOf("brx.idx %r0, LIST;\nLIST: .branchtargets A, A;\n"
                    "A: mov.u32 %ro, 0;")
                .kind,
            Fault::Kind::Trap);
}

} // namespace
