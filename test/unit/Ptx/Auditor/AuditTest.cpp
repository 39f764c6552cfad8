// Every rule of the auditor has a text that breaks it.

#include "../Support.h"

#include "gensyn/Ptx/Audit.h"

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

std::vector<Finding> auditFile(const std::string &name,
                               const std::string &folder = "audit") {
  std::ifstream file(std::string(GENSYN_TEST_DIR) + "/Ptx/" + folder + "/" +
                     name + ".ptx");
  EXPECT_TRUE(file) << name;
  auto findings = audit(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!findings) {
    ADD_FAILURE() << name << ": " << findings.error().message;
    return {};
  }
  return *findings;
}

TEST(PtxAudit, everyRuleHasATextThatBreaksOnlyIt) {
  for (const AuditRule &rule : auditRules()) {
    auto findings = auditFile(std::string(rule.name));
    EXPECT_FALSE(findings.empty()) << rule.name;
    EXPECT_FALSE(rule.reason.empty());
    for (const Finding &finding : findings)
      EXPECT_EQ(finding.rule, rule.name) << finding.line;
  }
}

TEST(PtxAudit, everyTextIsOfARule) {
  std::filesystem::path folder = std::string(GENSYN_TEST_DIR) + "/Ptx/audit";
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    std::string name = entry.path().stem().string();
    bool known = name == "good";
    for (const AuditRule &rule : auditRules())
      known |= rule.name == name;
    EXPECT_TRUE(known) << name;
  }
}

TEST(PtxAudit, aGoodTextHasNoFindings) {
  EXPECT_TRUE(auditFile("good").empty());
}

// LLVM writes every rounding mode; nvcc leaves it to the assembler.
TEST(PtxAudit, whatCompilersPrint) {
  for (const char *name : {"kernels-sm_75", "kernels-sm_80", "kernels-sm_90",
                           "kernels-sm_120", "product-sm_80"})
    EXPECT_TRUE(auditFile(name, "Inputs").empty()) << name;
  auto findings = auditFile("cuda", "Inputs");
  EXPECT_FALSE(findings.empty());
  for (const Finding &finding : findings)
    EXPECT_EQ(finding.rule, "unstated-rounding") << finding.text;
}

TEST(PtxAudit, findingsNameLineAndText) {
  auto findings = audit(header + ".entry k() {\n.reg .b32 %r<4>;\n"
                                 "mul.f32 %r1, %r2, %r3;\n}");
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 1u);
  EXPECT_EQ((*findings)[0].line, 6u);
  EXPECT_EQ((*findings)[0].rule, "unstated-rounding");
  EXPECT_EQ((*findings)[0].text, "mul.f32");
}

// Several kernels are distinguished: the register numbers are the same.
TEST(PtxAudit, atomicResultsAreFollowedInsideAFunction) {
  std::string unused = ".entry a() {\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
                       "atom.global.min.u32 %r1, [%d1], %r2;\nret;\n}\n";
  std::string other = ".entry b() {\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
                      "add.s32 %r2, %r1, 1;\nst.b32 [%d1], %r1;\nret;\n}\n";
  auto findings = audit(header + unused + other);
  ASSERT_TRUE(findings);
  EXPECT_TRUE(findings->empty());
  std::string stored = ".entry c() {\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
                       "atom.global.min.u32 %r1, [%d1], %r2;\n"
                       "st.b32 [%d1], %r1;\nret;\n}\n";
  findings = audit(header + stored);
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->size(), 1u);
}

// The auditor reads untrusted text, whose instructions may have any number of
// operands.
TEST(PtxAudit, instructionsWithTooFewOperands) {
  const std::string before =
      ".entry k() {\n.reg .f32 %r<8>;\n.reg .b16 %h<2>;\n"
      ".reg .pred %p;\n.reg .b64 %d<2>;\n"
      "abs.f32 %r1, %r2;\nsetp.ge.f32 %p, %r1, 0f00000000;\n"
      "selp.f32 %r3, %r1, 0f00000000, %p;\n"
      "neg.s16 %h1, %h1;\nst.global.u16 [%d1], %h1;\n"
      "atom.global.min.u32 %r4, [%d1], %r4;\n";
  for (const char *opcode :
       {"st.global.u16", "neg.s16", "sub.s16", "mov.b32", "selp.f32", "min.f32",
        "max.f32", "abs.f32", "neg.f32", "setp.lt.f32", "cvt.s32.s16",
        "atom.global.min.u32", "red.global.add.u32", "fma.rn.f32", "abs.s16",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", "shfl.sync.bfly.b32"})
    for (const char *operands : {"", " %r1", " %r1, %r2", " %h1, %h1", " {}"}) {
      std::string line = opcode + std::string(operands) + ";\n";
      auto findings = audit(header + before + line + "ret;\n}");
      EXPECT_TRUE(findings || std::string(operands) == " {}")
          << line << findings.error().message;
    }
}

TEST(PtxAudit, aTextThatIsNotPtx) { EXPECT_FALSE(audit("hello")); }

} // namespace
