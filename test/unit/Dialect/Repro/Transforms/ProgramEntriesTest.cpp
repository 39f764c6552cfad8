// Canonical encodings of programs, op by op: what changes them, and what does
// not.

#include "gensyn/Dialect/Repro/Transforms/ProgramEntries.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {

class ProgramEntriesTest : public ::testing::Test {
protected:
  ProgramEntriesTest() {
    context.loadDialect<func::FuncDialect, ReproDialect>();
  }

  ProgramEntries list(const std::string &text) {
    modules.push_back(parseSourceString<ModuleOp>(text, &context));
    EXPECT_TRUE(modules.back()) << text;
    auto listed = listProgramEntries(*modules.back());
    EXPECT_TRUE(succeeded(listed));
    return succeeded(listed) ? std::move(*listed) : ProgramEntries();
  }
  /// A program of two arguments, x and y, and the op in `line`, whose result is
  /// of type `result`.
  std::string encode(const std::string &line, const std::string &result,
                     const std::string &arguments =
                         "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>") {
    const ProgramEntries listed =
        list("func.func @main(" + arguments + ") -> " + result + " {\n" + line +
             "\nreturn %r : " + result + "\n}");
    return listed.ops.empty() ? "" : listed.ops.back().encoding;
  }
  /// All programs have encodings of their own.
  void expectDifferent(
      const std::vector<std::pair<std::string, std::string>> &lines) {
    std::set<std::string> encodings;
    for (const auto &[line, result] : lines)
      EXPECT_TRUE(encodings.insert(encode(line, result)).second) << line;
  }

  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> modules;
};

const char *const program = R"(
func.func @main(%x: tensor<4x6xf32>, %k: tensor<i64>) -> (tensor<4xf32>, tensor<4x6xf32>) {
  %c = repro.constant dense<2.0> : tensor<4x6xf32>
  %0 = repro.mul %x, %c : tensor<4x6xf32>
  %1, %2 = repro.sort ascending %0 dim 1 count 6 : tensor<4x6xf32> -> tensor<4x6xf32>, tensor<4x6xi32>
  %3 = repro.loop trips 3 (%i, %a = %1 : tensor<4x6xf32>) invariant (%u = %x : tensor<4x6xf32>) {
    %h = repro.constant dense<0.5> : tensor<4x6xf32>
    %b = repro.fma %a, %u, %h : tensor<4x6xf32>
    repro.yield %b : tensor<4x6xf32>
  }
  %4 = repro.reduce sum %3 domain <[4, 6], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order lanes<4> : tensor<4x6xf32> -> tensor<4xf32>
  return %4, %c : tensor<4xf32>, tensor<4x6xf32>
})";

std::string replace(std::string text, const std::string &from,
                    const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  for (; at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> encodingsOf(const ProgramEntries &listed) {
  std::vector<std::string> encodings = {listed.header};
  for (const ProgramEntry &entry : listed.ops)
    encodings.push_back(entry.encoding);
  return encodings;
}

} // namespace

TEST_F(ProgramEntriesTest, ValuesAreNumberedWithoutConstants) {
  const ProgramEntries listed = list(program);
  ASSERT_EQ(listed.ops.size(), 4u);
  EXPECT_EQ(listed.ops[0].firstValue, 2u);
  EXPECT_EQ(listed.ops[1].firstValue, 3u);
  EXPECT_EQ(listed.ops[2].firstValue, 5u);
  EXPECT_EQ(listed.ops[3].firstValue, 6u);
  EXPECT_FALSE(listed.ops[0].operands[0].isConstant);
  EXPECT_EQ(listed.ops[0].operands[0].value, 0u);
  EXPECT_TRUE(listed.ops[0].operands[1].isConstant);
  EXPECT_EQ(listed.ops[2].operands[0].value, 3u);
  EXPECT_EQ(listed.ops[2].operands[1].value, 0u);
}

/// An op alone, with other operands than in its program.
TEST_F(ProgramEntriesTest, AnOpAloneHasTheEncodingOfTheList) {
  const ProgramEntries listed = list(program);
  for (const ProgramEntry &entry : listed.ops) {
    Block block;
    OpBuilder builder(&context);
    builder.setInsertionPointToEnd(&block);
    Operation *copy = builder.clone(*entry.op);
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(
          block.addArgument(operand.get().getType(), builder.getUnknownLoc()));
    auto encoding = encodeEntry(copy, entry.firstValue, entry.operands);
    ASSERT_TRUE(succeeded(encoding));
    EXPECT_EQ(*encoding, entry.encoding);
    // The numbers of values count.
    EXPECT_NE(*encodeEntry(copy, entry.firstValue + 1, entry.operands),
              entry.encoding);
    for (size_t i = 0; i < entry.operands.size(); ++i) {
      std::vector<EntryOperand> others = entry.operands;
      if (others[i].isConstant)
        ++others[i].constant[31];
      else
        ++others[i].value;
      EXPECT_NE(*encodeEntry(copy, entry.firstValue, others), entry.encoding);
      others = entry.operands;
      others[i].isConstant = !others[i].isConstant;
      EXPECT_NE(*encodeEntry(copy, entry.firstValue, others), entry.encoding);
    }
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    EXPECT_TRUE(failed(encodeEntry(copy, entry.firstValue, {})));
  }
}

TEST_F(ProgramEntriesTest, NamesAndPlacesDoNotMatter) {
  const std::vector<std::string> right = encodingsOf(list(program));
  std::string renamed = program;
  for (const char *name : {"%x", "%c", "%a", "%u", "%b", "%h", "%i"})
    renamed = replace(renamed, name, name + std::string("_other"));
  EXPECT_EQ(encodingsOf(list(renamed)), right);
  EXPECT_EQ(encodingsOf(list(replace(program, "tensor<4x6xf32>\n  %1",
                                     "tensor<4x6xf32> loc(\"here\")\n  %1"))),
            right);
  EXPECT_EQ(encodingsOf(list(replace(program, "%x, %c : tensor",
                                     "%x, %c {test.note} : tensor"))),
            right);
  // Constants elsewhere, more than one of them, or unused ones.
  const std::string constant =
      "  %c = repro.constant dense<2.0> : tensor<4x6xf32>\n";
  std::string moved = program;
  const std::string copy = replace(constant, "%c", "%d");
  moved = replace(moved, constant, copy + constant);
  moved = replace(moved, "return %4, %c", "return %4, %d");
  EXPECT_EQ(encodingsOf(list(moved)), right);
  EXPECT_EQ(encodingsOf(list(replace(
                program, "    %h =",
                "    %g = repro.constant dense<7> : tensor<i64>\n    %h ="))),
            right);
}

TEST_F(ProgramEntriesTest, EachPartOfTheHeaderCounts) {
  std::set<std::string> headers = {list(program).header};
  auto expectOther = [&](const std::string &from, const std::string &to) {
    EXPECT_TRUE(headers.insert(list(replace(program, from, to)).header).second)
        << to;
  };
  const std::string x = "%x: tensor<4x6xf32>", k = "%k: tensor<i64>";
  expectOther(x, x + " {gensyn.name = \"x\"}");
  expectOther(x, x + " {gensyn.role = \"input\"}");
  expectOther(x, x + " {gensyn.role = \"parameter\"}");
  expectOther(x, x + " {gensyn.initial = {fill = 0.5}}");
  expectOther(k, "%k: tensor<i32>");
  expectOther(k, "%k: tensor<1xi64>");
  expectOther(k, k + ", %l: tensor<i64>");
  expectOther("return %4, %c : ", "return %4, %0 : ");
  expectOther("return %4, %c : ", "return %4, %x : ");
  expectOther("dense<2.0>", "dense<3.0>");
  const std::string results = "(tensor<4xf32>, tensor<4x6xf32>)";
  expectOther(results, "(tensor<4xf32> {gensyn.role = \"loss\"}, "
                       "tensor<4x6xf32>)");
  expectOther(results, "(tensor<4xf32> {gensyn.name = \"loss\"}, "
                       "tensor<4x6xf32>)");
}

TEST_F(ProgramEntriesTest, EachPartOfAnOpCounts) {
  const std::string
      same = "tensor<4x6xf32>",
      row = "tensor<4xf32>",
      reduce =
          "%r = repro.reduce sum %x domain <[4, 6], reduce [1]> maps "
          "[affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] "
          "order lanes<4> : tensor<4x6xf32> -> tensor<4xf32>";
  auto compare = [](const char *kind) {
    return std::pair<std::string, std::string>(
        std::string("%r = repro.compare ") + kind + " %x, %y : tensor<4x6xf32>",
        "tensor<4x6xi1>");
  };
  auto constant = [](const char *value) {
    return std::pair<std::string, std::string>(
        std::string("%c = repro.constant dense<") + value +
            "> : tensor<4x6xf32>\n%r = repro.add %x, %c : tensor<4x6xf32>",
        "tensor<4x6xf32>");
  };
  expectDifferent({
      {"%r = repro.add %x, %y : tensor<4x6xf32>", same},
      {"%r = repro.add %y, %x : tensor<4x6xf32>", same},
      {"%r = repro.add %x, %x : tensor<4x6xf32>", same},
      {"%r = repro.sub %x, %y : tensor<4x6xf32>", same},
      constant("1.0"),
      constant("-0.0"),
      constant("0.0"),
      compare("lt"),
      compare("le"),
      {"%r = repro.convert %x : tensor<4x6xf32> to tensor<4x6xf64>",
       "tensor<4x6xf64>"},
      {"%r = repro.convert %x : tensor<4x6xf32> to tensor<4x6xbf16>",
       "tensor<4x6xbf16>"},
      {"%r = repro.reshape %x : tensor<4x6xf32> to tensor<3x8xf32>",
       "tensor<3x8xf32>"},
      {"%r = repro.reshape %x : tensor<4x6xf32> to tensor<24xf32>",
       "tensor<24xf32>"},
      {"%r = repro.reverse %x dims [0, 1] : tensor<4x6xf32>", same},
      {"%r = repro.reverse %x dims [1] : tensor<4x6xf32>", same},
      {reduce, row},
      {replace(replace(reduce, "sum", "max"), "order lanes<4> ", ""), row},
      {replace(reduce, "lanes<4>", "lanes<8>"), row},
      {replace(reduce, "lanes<4>", "sequential"), row},
      {replace(reduce, "%x", "%y"), row},
      {replace(reduce, "[4, 6]", "[4, 5]"), row},
      {replace(replace(reduce, "[4, 6]", "[4, 5]"), "-> (d0, d1)>",
               "-> (d0, d1 + 1)>"),
       row},
  });
}

TEST_F(ProgramEntriesTest, EachPartOfARegionCounts) {
  std::set<std::string> encodings = {list(program).ops[2].encoding};
  auto expectOther = [&](const std::string &from, const std::string &to) {
    EXPECT_TRUE(
        encodings.insert(list(replace(program, from, to)).ops[2].encoding)
            .second)
        << to;
  };
  expectOther("trips 3", "trips 4");
  expectOther("dense<0.5>", "dense<0.25>");
  expectOther("%a, %u, %h", "%u, %a, %h");
  expectOther("%a, %u, %h", "%h, %u, %a");
  expectOther("repro.yield %b", "repro.yield %u");
  expectOther("repro.yield %b", "repro.yield %h");
  expectOther("    repro.yield %b",
              "    %d = repro.neg %b : tensor<4x6xf32>\n    repro.yield %b");
}

TEST_F(ProgramEntriesTest, BothRegionsOfABranchCount) {
  auto branch = [&](const std::string &first, const std::string &second) {
    return encode("%r = repro.if %p (%a = %x : tensor<4x6xf32>) -> "
                  "tensor<4x6xf32> {\n%b = repro." +
                      first +
                      " %a : tensor<4x6xf32>\nrepro.yield %b : tensor<4x6xf32>"
                      "\n} else {\n%b = repro." +
                      second +
                      " %a : tensor<4x6xf32>\nrepro.yield %b : tensor<4x6xf32>"
                      "\n}",
                  "tensor<4x6xf32>", "%x: tensor<4x6xf32>, %p: tensor<i1>");
  };
  const std::set<std::string> encodings = {
      branch("neg", "abs"), branch("abs", "neg"), branch("neg", "neg"),
      branch("abs", "abs")};
  EXPECT_EQ(encodings.size(), 4u);
}

/// What ends one op and begins the next is not read otherwise.
TEST_F(ProgramEntriesTest, OpsDoNotRunTogether) {
  const ProgramEntries listed = list(program);
  std::set<std::string> encodings;
  for (const ProgramEntry &entry : listed.ops) {
    EXPECT_TRUE(encodings.insert(entry.encoding).second);
    for (const ProgramEntry &other : listed.ops)
      if (&other != &entry)
        EXPECT_NE(other.encoding.substr(0, entry.encoding.size()),
                  entry.encoding);
  }
}

TEST_F(ProgramEntriesTest, OtherModulesAreNone) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  for (const char *text :
       {"func.func @other() { return }", "func.func private @main()"}) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    EXPECT_TRUE(failed(listProgramEntries(*module))) << text;
  }
}
