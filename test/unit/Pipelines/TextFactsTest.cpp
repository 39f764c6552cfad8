// Facts about texts before they are parsed.

#include "gensyn/Pipelines/TextFacts.h"

#include <gtest/gtest.h>

#include <string>

namespace gensyn {
namespace {

std::string problemOf(const std::string &text) {
  return lookAtText(text).problem;
}

std::string numbered(const std::string &sign, int number) {
  return sign + std::to_string(number);
}

const std::string tooDeep =
    "is nested more than 256 levels deep, aliases included";
const std::string tooLong = "has an expression of more than 256 operators";

TEST(TextFacts, levelsAreCountedWhereTheyAreOpen) {
  for (const char *pair : {"()", "[]", "{}", "<>"}) {
    const std::string most(256, pair[0]), more(257, pair[0]);
    EXPECT_EQ(problemOf(most), "");
    EXPECT_EQ(problemOf(more), tooDeep);
    std::string closed;
    for (int i = 0; i < 1000; ++i)
      closed += pair;
    EXPECT_EQ(problemOf(closed), "");
  }
  // Unmatched closing brackets do not allow more levels.
  EXPECT_EQ(problemOf(std::string(9, ')') + std::string(257, '(')), tooDeep);
  // An arrow and a comparison close nothing.
  EXPECT_EQ(problemOf(std::string(256, '(') + "->(>=("), tooDeep);
  EXPECT_EQ(problemOf(std::string(254, '[') + "> = > // a\n = >=([["), tooDeep);
  EXPECT_EQ(
      problemOf(std::string(200, '[') + "<= < = <=" + std::string(56, '[')),
      "");
  EXPECT_EQ(problemOf(std::string(256, '(') + "@f->("), tooDeep);
  // A name takes the minus of an arrow, as in MLIR.
  EXPECT_EQ(problemOf("<#map->" + std::string(256, '<')), "");
}

TEST(TextFacts, levelsOfAliasesAreAdded) {
  // Each of `count` lines encloses the one before.
  auto chain = [](int count, const std::string &first, const std::string &open,
                  const std::string &close) {
    std::string text = first.substr(0, 1) + "t0 = " + first.substr(1) + "\n";
    for (int i = 1; i < count; ++i)
      text += numbered(first.substr(0, 1) + "t", i) + " = " + open +
              numbered(first.substr(0, 1) + "t", i - 1) + close + "\n";
    return text + "module {}";
  };
  EXPECT_EQ(problemOf(chain(100, "#[]", "[", "]")), "");
  EXPECT_EQ(problemOf(chain(300, "#[]", "[", "]")), tooDeep);
  EXPECT_EQ(problemOf(chain(300, "!i32", "tuple<", ">")), tooDeep);
  EXPECT_EQ(problemOf(chain(300, "!() -> ()", "() -> ", "")), tooDeep);
  EXPECT_EQ(problemOf(chain(300, "#loc(\"a\")", "loc(callsite(", " at #t0))")),
            tooDeep);
  // Many on one level.
  std::string flat;
  for (int i = 0; i < 1000; ++i)
    flat += numbered("#t", i) + " = [" + (i ? "#t0" : "") + "]\n";
  EXPECT_EQ(problemOf(flat), "");
  // An alias ends where a text goes on, whose levels are not the alias's.
  const std::string most = std::string(200, '{') + std::string(200, '}');
  EXPECT_EQ(problemOf("#t = 1 : i32 module " + most + "#u = #t\n{" + most), "");
  EXPECT_EQ(problemOf("#t = " + most + "module {" + most + "}"), "");
  EXPECT_EQ(problemOf("#t = " + most + "module " + std::string(56, '{') + "#t"),
            tooDeep);
  EXPECT_EQ(
      problemOf("#t-a = " + most + "module " + std::string(99, '[') + "#t-a"),
      tooDeep);
}

TEST(TextFacts, whatAliasesStandForIsBounded) {
  const std::string tooMuch = "has aliases that stand for more than ";
  for (const char *sign : {"#a", "!a"}) {
    std::string text = numbered(sign, 0) + " = x\n";
    for (int i = 1; i < 12; ++i)
      text += numbered(sign, i) + " = [" + numbered(sign, i - 1) + "," +
              numbered(sign, i - 1) + "]\n";
    EXPECT_EQ(problemOf(text), "");
    for (int i = 12; i < 60; ++i)
      text += numbered(sign, i) + " = [" + numbered(sign, i - 1) + "," +
              numbered(sign, i - 1) + "]\n";
    EXPECT_TRUE(problemOf(text).starts_with(tooMuch)) << problemOf(text);
  }
  std::string text =
      "#a = \"" + std::string(1 << 20, 'x') + "\" module { a = [";
  for (int i = 0; i < 60; ++i)
    text += "#a,";
  EXPECT_EQ(problemOf(text), "");
  EXPECT_TRUE(problemOf(text + "#a,#a,#a,#a").starts_with(tooMuch));
}

TEST(TextFacts, operatorsOfAnExpressionAreCounted) {
  auto expression = [](int count, const std::string &sign) {
    std::string text = "affine_map<(d0) -> (d0";
    for (int i = 0; i < count; ++i)
      text += " " + sign + " (d0";
    return text + std::string(count, ')') + ")>";
  };
  auto flat = [](int count, const std::string &more) {
    std::string text = "affine_map<(d0) -> (d0";
    for (int i = 0; i < count; ++i)
      text += more;
    return text + ")>";
  };
  for (const char *sign : {"+", "-", "*", "mod", "floordiv", "ceildiv"}) {
    EXPECT_EQ(problemOf(expression(200, sign)), "");
    EXPECT_EQ(problemOf(flat(256, " " + std::string(sign) + " 2")), "");
    EXPECT_EQ(problemOf(flat(257, " " + std::string(sign) + " 2")), tooLong);
    EXPECT_EQ(problemOf(flat(257, " " + std::string(sign) + " %d // a\n")),
              tooLong);
    // The next result of a map, the next constraint of a set.
    EXPECT_EQ(problemOf(flat(999, " " + std::string(sign) + " 2, d0")), "");
    EXPECT_EQ(problemOf(flat(999, " " + std::string(sign) + " 2 == d0")), "");
  }
  EXPECT_EQ(problemOf(std::string(257, '-')), tooLong);
  EXPECT_EQ(problemOf(flat(30, "-(-(---1 + d0)) * 2 mod (d0 + 1)")), tooLong);
}

TEST(TextFacts, whatATerminalActsOnIsNoText) {
  const std::string noText =
      "contains control characters or bytes that are not UTF-8";
  EXPECT_EQ(problemOf("// caf\xe9\nmodule {}"), noText);
  EXPECT_EQ(problemOf("// \x01\nmodule {}"), noText);
  EXPECT_EQ(problemOf("\"\x1b[31m\""), noText);
  EXPECT_EQ(problemOf("ML\xefR"), noText);
  EXPECT_EQ(problemOf("// caf\xc3\xa9\r\n\tmodule {}"), "");
  EXPECT_EQ(whyNotRead("// \x01\nmodule {}"), noText);
  EXPECT_EQ(whyNotRead("ML\xefR"), "");
}

TEST(TextFacts, stringsAndCommentsAreNoText) {
  const std::string deep(300, '(');
  EXPECT_EQ(problemOf("\"" + deep + "\\\"" + deep + "\" ()"), "");
  EXPECT_EQ(problemOf("// " + deep + "\n()"), "");
  EXPECT_EQ(problemOf("// " + deep), "");
  EXPECT_EQ(problemOf("\"" + deep), "");
  EXPECT_EQ(problemOf("\"\\"), "");
}

TEST(TextFacts, denseArraysHaveTypesWithAWidth) {
  auto wrong = [](const std::string &type) {
    return "has a dense array of '" + type +
           "', expected a type such as i64, f32 or bf16";
  };
  EXPECT_EQ(problemOf("{a = array<index: 1>}"), wrong("index"));
  EXPECT_EQ(problemOf("array // as\n <\n index>"), wrong("index"));
  EXPECT_EQ(problemOf("!i = index {a = array<!i: 1>}"), wrong("!i"));
  EXPECT_EQ(problemOf("array<!a.b>"), wrong("!a.b"));
  for (const char *type : {"none", "tensor", "complex", "f", "bfloat", "inf"})
    EXPECT_EQ(problemOf("array<" + std::string(type) + ">"), wrong(type));
  EXPECT_EQ(problemOf("array<(i32) -> i32>"), wrong("("));
  for (const char *type : {"i1", "i64", "si8", "ui16", "f32", "bf16", "tf32",
                           "f8E4M3FN", "f4E2M1FN"})
    EXPECT_EQ(problemOf("array<" + std::string(type) + ": 1>"), "");
  EXPECT_EQ(problemOf("tensor<4xindex>, vector<index>, !llvm.array<!i>"), "");
  EXPECT_EQ(problemOf("!llvm.struct<(array<4 x f32>)>"), "");
}

TEST(TextFacts, addressSpacesAreNumbers) {
  auto wrong = [](const std::string &what) {
    return "has an addr_space " + what + ", expected a number such as 3 : i32";
  };
  EXPECT_EQ(problemOf("{addr_space = dense<0>}"), wrong("of 'dense'"));
  EXPECT_EQ(problemOf("{\"addr_space\" = #a}"), wrong("of '#a'"));
  EXPECT_EQ(problemOf("{a, addr_space}"), wrong("without a value"));
  EXPECT_EQ(problemOf("{addr_space, a}"), wrong("without a value"));
  EXPECT_EQ(problemOf("{addr_space = 1.0 : f32}"), wrong("of '1.0'"));
  EXPECT_EQ(problemOf("{addr_space = 0x3F800000 : f32}"),
            wrong("of type 'f32'"));
  EXPECT_EQ(problemOf("{addr_space = 1 : !i}"), wrong("of type '!i'"));
  EXPECT_EQ(problemOf("{addr_space = 3 : i32} @addr_space, addr_space(1)"), "");
  EXPECT_EQ(
      problemOf("{addr_space = 3, a = 1.0 : f32, addr_space = 0x1 : index}"
                " {addr_space = 4} {b = 2.0 : f32}"),
      "");
  // Keys may be quoted and have escapes; values and elements are not keys.
  EXPECT_EQ(problemOf("{\"addr\\5Fspace\" = 1.0 : f32}"), wrong("of '1.0'"));
  EXPECT_EQ(problemOf("{a = [(d0 >= 0)], addr_space = 1.0}"),
            wrong("of '1.0'"));
  EXPECT_EQ(problemOf("{a = \"addr_space\", b = [\"addr_space\", \"c\"]}"), "");
  EXPECT_EQ(problemOf("{a = {b = \"addr_space\"}, c} addr_space = x"), "");
}

TEST(TextFacts, resources) {
  EXPECT_TRUE(lookAtText("module {} {-# a #-}").hasResources);
  EXPECT_FALSE(lookAtText("module {} // {-#\n\"{-#\"").hasResources);
}

} // namespace
} // namespace gensyn
