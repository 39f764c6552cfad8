// What the table of conversions says it knows.

#include "gensyn/Conversion/OnnxToRepro/Passes.h"

#include "onnx/defs/schema.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace gensyn;

namespace {

TEST(OperatorTable, ListsVersions) {
  EXPECT_TRUE(isConvertible("", "Softmax", 11));
  EXPECT_TRUE(isConvertible("ai.onnx", "Softmax", 13));
  EXPECT_FALSE(isConvertible("", "Softmax", 12));
  EXPECT_FALSE(isConvertible("", "Add", 6));
  EXPECT_FALSE(isConvertible("", "Attention", 23));
  EXPECT_FALSE(isConvertible("ai.onnx.ml", "Scaler", 1));
}

/// Every entry must be a version that introduced a meaning: a number that no
/// schema has would never be looked up.
TEST(OperatorTable, HasOnlyVersionsOfSchemas) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printSupportTable(os);
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  int operators = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string bar, name, word;
    words >> bar >> name >> bar;
    ++operators;
    while (words >> word && word != "|") {
      int version = std::stoi(word);
      const auto *schema = ::onnx::OpSchemaRegistry::Schema(name, version, "");
      ASSERT_TRUE(schema) << name << " " << version;
      EXPECT_EQ(schema->SinceVersion(), version) << name;
      EXPECT_TRUE(isConvertible("", name, version)) << name;
    }
  }
  EXPECT_GT(operators, 100);
}

} // namespace
