// The contents of the table of conversions.

#include "Conversion/OnnxToRepro/Support/OperatorTable.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"

#include "onnx/defs/schema.h"

#include <gtest/gtest.h>

#include <fstream>
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
  EXPECT_TRUE(isConvertible("ai.onnx.preview.training", "Adam", 1));
  EXPECT_FALSE(isConvertible("", "Adam", 1));
  EXPECT_FALSE(isConvertible("ai.onnx.preview.training", "Softmax", 13));
}

/// Every entry must be a version that introduced a meaning: a number that no
/// schema has would never be looked up, and the table would not show it.
TEST(OperatorTable, HasOnlyVersionsOfSchemas) {
  for (const auto &[name, versions] :
       onnx_to_repro::OperatorTable::get().entries())
    for (const auto &[version, lowering] : versions) {
      const size_t point = name.rfind('.');
      const std::string domain =
          point == std::string::npos ? "" : name.substr(0, point);
      const auto *schema = ::onnx::OpSchemaRegistry::Schema(
          point == std::string::npos ? name : name.substr(point + 1), version,
          domain);
      ASSERT_TRUE(schema) << name << " " << version;
      EXPECT_EQ(schema->SinceVersion(), version) << name;
    }
}

/// The newest version of every operator is converted, or defined by others that
/// are, or has a reason; and a converted operator has no reason.
TEST(OperatorTable, HasAReasonForEveryGap) {
  const auto &entries = onnx_to_repro::OperatorTable::get().entries();
  for (const ::onnx::OpSchema &schema :
       ::onnx::OpSchemaRegistry::get_all_schemas()) {
    if (!schema.domain().empty() || schema.Deprecated())
      continue;
    const bool isKnown =
        isConvertible("", schema.Name(), schema.SinceVersion()) ||
        schema.HasFunction() || schema.HasContextDependentFunction();
    const bool hasReason = !onnx_to_repro::whyOutOfReach(schema.Name()).empty();
    EXPECT_NE(isKnown, hasReason)
        << schema.Name() << " " << schema.SinceVersion();
    EXPECT_FALSE(hasReason && entries.count(schema.Name())) << schema.Name();
  }
}

/// The page has the table of the code.
TEST(OperatorTable, IsInTheDocumentation) {
  std::string table;
  llvm::raw_string_ostream os(table);
  printSupportTable(os);
  std::ifstream file(std::string(GENSYN_TEST_DIR) +
                     "/../docs/OnnxOperators.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find(table), std::string::npos)
      << "the table in docs/OnnxOperators.md should be\n"
      << table;
}

} // namespace
