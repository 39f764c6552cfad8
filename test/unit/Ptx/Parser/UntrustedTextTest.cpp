// Untrusted texts: every quantity that grows faster than the text has a limit.

#include "../Support.h"

#include "gensyn/Ptx/Audit.h"
#include "gensyn/Ptx/Syntax.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// The reason why a module cannot be loaded; empty if it can.
std::string moduleError(const std::string &text) {
  auto module = Module::parse(header + text);
  return module ? "" : module.error().message;
}

/// f0 to f<depth>, each of which calls the one before `calls` times, and a
/// kernel that calls the last.
std::string makeChain(size_t depth, size_t calls) {
  std::string text = ".func f0() { ret; }\n";
  for (size_t i = 1; i <= depth; ++i) {
    text += ".func f" + std::to_string(i) + "() {";
    for (size_t call = 0; call != calls; ++call)
      text += " call f" + std::to_string(i - 1) + ";";
    text += " ret; }\n";
  }
  return text + ".visible .entry k() { call f" + std::to_string(depth) +
         "; ret; }\n";
}

TEST(PtxUntrustedText, chainsOfCalls) {
  EXPECT_EQ(moduleError(makeChain(200, 1)), "");
  EXPECT_EQ(moduleError(makeChain(20000, 1)),
            "kernel 'k': a call of 'f19744' within 256 other calls is not "
            "supported by the simulator");
  // Parsing alone has no limit.
  EXPECT_TRUE(audit(header + makeChain(20000, 1)));
}

TEST(PtxUntrustedText, callsThatDouble) {
  EXPECT_EQ(moduleError(makeChain(10, 2)), "");
  std::string message = moduleError(makeChain(60, 2));
  EXPECT_NE(message.find("with which the kernel becomes too long"),
            std::string::npos)
      << message;
  // All kernels of a text share the budget.
  std::string text = makeChain(17, 2);
  for (int i = 0; i != 40; ++i)
    text += ".visible .entry k" + std::to_string(i) + "() { call f17; ret; }\n";
  EXPECT_NE(moduleError(text).find("too long"), std::string::npos);
}

TEST(PtxUntrustedText, registersCostNothingUntilTheyAreNamed) {
  auto syntax =
      parseSyntax(header + ".visible .entry k() { .reg .f32 %f<4000000000>;\n"
                           "mov.f32 %f7, %f399999999; ret; }");
  ASSERT_TRUE(syntax) << syntax.error().message;
  ASSERT_EQ(syntax->functions[0].registers.size(), 2u);
  EXPECT_EQ(syntax->functions[0].registers[0].name(), "%f7");
  EXPECT_EQ(syntax->functions[0].registers[1].name(), "%f399999999");
  EXPECT_EQ(moduleError(".visible .entry k() { .reg .f32 %f<4294967296>; }"),
            "too many registers: 4294967296");
}

TEST(PtxUntrustedText, variables) {
  EXPECT_EQ(moduleError(".global .b8 x[1099511627776][16777216];"),
            "'x' is too large");
  EXPECT_EQ(moduleError(".global .b8 x[1099511627776] = {1};"),
            "with 'x' the module's variables have 1099511627777 bytes, more "
            "than the simulator has (1 GiB)");
  EXPECT_EQ(moduleError(".global .b8 x[700000000], y[700000000];"),
            "with 'y' the module's variables have 1400000002 bytes, more than "
            "the simulator has (1 GiB)");
  EXPECT_EQ(moduleError(".visible .entry k() { .local .b8 x[524289]; ret; }"),
            "kernel 'k': its .local variables have more than 512 KiB");
  EXPECT_EQ(moduleError(".visible .entry k() { .local .b8 x[524288]; ret; }"),
            "");
  EXPECT_EQ(moduleError(".visible .entry k() { .shared .b8 x[49153]; ret; }"),
            "kernel 'k': its .shared variables have more than 48 KiB, which "
            "only a launch can give it");
  EXPECT_EQ(moduleError(".visible .entry k() { .shared .b8 x[49152]; ret; }"),
            "");
  EXPECT_EQ(moduleError(".visible .entry k(.param .b8 x[1099511627776]) {}"),
            "kernel 'k': the parameters have 1099511627776 bytes, at most "
            "32764 can be passed");
}

// One of 64 bits would be written past the end of those of 32.
TEST(PtxUntrustedText, registersOfAVectorDifferInWidth) {
  auto error = [](const std::string &load) {
    return moduleError(".visible .entry k(.param .b64 x[2]) {\n"
                       ".reg .b16 %h<4>;\n.reg .b32 %r<4>;\n"
                       ".reg .b64 %d<4>;\n" +
                       load + ";\nret;\n}");
  };
  EXPECT_EQ(error("ld.v2.b32 {%d1, %d2}, [%d3]"), "");
  EXPECT_EQ(error("ld.v2.b32 {_, %d2}, [%d3]"), "");
  EXPECT_EQ(error("ld.v2.b32 {%r1, %d2}, [%d3]"),
            "kernel 'k': the registers of a vector in 'ld.v2.b32' differ in "
            "width");
  EXPECT_NE(error("ld.v4.u16 {%h1, %h2, _, %r1}, [%d3]"), "");
  EXPECT_NE(error("ld.param.v2.b32 {%d1, %r1}, [x]"), "");
  EXPECT_EQ(error("mov.b64 {%r1, %d2}, %d3"),
            "kernel 'k': an element of 'mov.b64' has more than 32 bits");
}

TEST(PtxUntrustedText, twoVariablesOfOneName) {
  // The pointer of the first would be past the end of the second.
  EXPECT_EQ(moduleError(".global .b64 x[100] = {0, 0, 0, 0, 0, 0, 0, y};\n"
                        ".global .b8 x[1];\n.global .b8 y[1];"),
            "variable 'x' is defined twice");
  EXPECT_EQ(moduleError(".extern .global .b8 x[];\n.global .b8 x[4];\n"
                        ".global .b64 p = x;"),
            "");
}

TEST(PtxUntrustedText, listsOfTargets) {
  // Each branch has a list of its own.
  std::string text = ".visible .entry k() { .reg .b32 %r<2>;\nL:\nT: "
                     ".branchtargets L";
  for (int i = 0; i != 3000; ++i)
    text += ", L";
  text += ";\n";
  for (int i = 0; i != 3000; ++i)
    text += "brx.idx %r0, T;\n";
  EXPECT_EQ(moduleError(text + "}"),
            "kernel 'k': its brx.idx have more targets than the simulator "
            "takes");
}

TEST(PtxUntrustedText, registersThatLiveTogether) {
  // 200000 registers that are all read at the end: 25 MiB for a warp.
  std::string text = ".visible .entry k() { .reg .b32 %r<200001>;\n", end;
  for (int i = 1; i <= 200000; ++i) {
    text += "mov.b32 %r" + std::to_string(i) + ", 1;\n";
    end += "mov.b32 %r0, %r" + std::to_string(i) + ";\n";
  }
  EXPECT_EQ(moduleError(text + end + "}"),
            "kernel 'k': it needs more registers than the simulator has");
  EXPECT_EQ(moduleError(text + "}"), "");
}

TEST(PtxUntrustedText, manyBlocksAndRegisters) {
  // Register sets for each block would take gigabytes.
  std::string text = ".visible .entry k() { .reg .b32 %r<50001>; .reg .pred "
                     "%p;\nsetp.eq.b32 %p, 0, 0;\n";
  for (int i = 1; i <= 50000; ++i)
    text += "mov.b32 %r" + std::to_string(i) + ", 1;\n@%p bra L" +
            std::to_string(i) + ";\nL" + std::to_string(i) + ":\n";
  EXPECT_EQ(moduleError(text + "}"), "");
}

std::string faultOf(const std::string &body, Launch launch) {
  auto module =
      Module::parse(header + ".visible .entry k() {\n" + body + "\n}");
  if (!module)
    return module.error().message;
  launch.kernel = "k";
  auto fault = module->launch(launch, Memory());
  EXPECT_TRUE(!fault || fault->kind == Fault::Kind::Limit) << fault->message;
  return fault ? fault->message : "";
}

TEST(PtxUntrustedText, endlessKernels) {
  Launch launch;
  launch.maxInstructions = 1000;
  EXPECT_EQ(faultOf("L: bra L;", launch),
            "kernel 'k', line 5, block (0, 0, 0), thread (0, 0, 0): the launch "
            "issues more than 1000 instructions, the limit");
  // All warps and blocks together: a block counts 64 and its two instructions.
  launch.maxInstructions = 66 * 20;
  launch.grid.x = 20;
  EXPECT_EQ(faultOf("bar.sync 0; ret;", launch), "");
  launch.maxInstructions -= 1;
  EXPECT_NE(faultOf("bar.sync 0; ret;", launch), "");
  launch.grid = {2147483647, 65535, 65535};
  launch.maxInstructions = uint64_t(1) << 36;
  EXPECT_EQ(faultOf("ret;", launch),
            "kernel 'k': 9223090559730712575 blocks alone take more than "
            "68719476736 instructions, the limit");
}

} // namespace
