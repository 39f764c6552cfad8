// What is known of texts before they are parsed.

#include "gensyn/Pipelines/TextFacts.h"

#include <gtest/gtest.h>

#include <string>

namespace gensyn {
namespace {

std::string problemOf(const std::string &text) {
  return lookAtText(text).problem.str();
}

TEST(TextFacts, levelsAreCountedWhereTheyAreOpen) {
  const std::string tooDeep = "is nested more than 256 levels deep";
  for (const char *pair : {"()", "[]", "{}", "<>"}) {
    const std::string most(256, pair[0]), more(257, pair[0]);
    EXPECT_EQ(problemOf(most), "");
    EXPECT_EQ(problemOf(more), tooDeep);
    std::string closed;
    for (int i = 0; i < 1000; ++i)
      closed += pair;
    EXPECT_EQ(problemOf(closed), "");
  }
  // Closing brackets that opened nothing do not make room for more.
  EXPECT_EQ(problemOf(std::string(9, ')') + std::string(257, '(')), tooDeep);
  // An arrow and a comparison close nothing.
  EXPECT_EQ(problemOf(std::string(256, '(') + "->(>=("), tooDeep);
  EXPECT_EQ(problemOf(std::string(257, '-')), tooDeep);
  EXPECT_EQ(problemOf(std::string(200, '-') + "1" + std::string(200, '-')), "");
}

TEST(TextFacts, stringsAndCommentsAreNoText) {
  const std::string deep(300, '(');
  EXPECT_EQ(problemOf("\"" + deep + "\\\"" + deep + "\" ()"), "");
  EXPECT_EQ(problemOf("// " + deep + "\n()"), "");
  EXPECT_EQ(problemOf("// " + deep), "");
  EXPECT_EQ(problemOf("\"" + deep), "");
  EXPECT_EQ(problemOf("\"\\"), "");
}

TEST(TextFacts, denseArraysOfIndex) {
  const std::string wrong = "has a dense array of 'index', which has no width";
  EXPECT_EQ(problemOf("{a = array<index: 1>}"), wrong);
  EXPECT_EQ(problemOf("array // as\n <\n index>"), wrong);
  EXPECT_EQ(problemOf("array<i64: 1>, tensor<4xindex>, vector<index>"), "");
}

TEST(TextFacts, resources) {
  EXPECT_TRUE(lookAtText("module {} {-# a #-}").hasResources);
  EXPECT_FALSE(lookAtText("module {} // {-#\n\"{-#\"").hasResources);
}

} // namespace
} // namespace gensyn
