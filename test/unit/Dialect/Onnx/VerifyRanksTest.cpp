// The rank rules, against the schemas and the attributes that name dimensions.

#include "gensyn/Dialect/Onnx/IR/VerifyRanks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "onnx/defs/schema.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;

namespace gensyn {
namespace {

using Name = std::pair<std::string, std::string>;

/// Names of operands, results and attributes in all versions of the operators,
/// each prefixed with its operator's.
std::set<Name> namesInSchemas() {
  std::set<Name> names;
  for (const ::onnx::OpSchema &schema :
       ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (!schema.domain().empty())
      continue;
    for (const auto &formal : schema.inputs())
      names.emplace(schema.Name(), formal.GetName());
    for (const auto &formal : schema.outputs())
      names.emplace(schema.Name(), formal.GetName());
    for (const auto &[name, attribute] : schema.attributes())
      names.emplace(schema.Name(), name);
  }
  return names;
}

/// A name that no schema has would be a rule that never applies.
TEST(VerifyRanks, RulesNameWhatSchemasHave) {
  const std::set<Name> known = namesInSchemas();
  const std::vector<Name> used = onnx::namesInRankRules();
  EXPECT_GT(used.size(), 200u);
  for (const Name &name : used)
    EXPECT_TRUE(known.count(name)) << name.first << " " << name.second;
}

/// An attribute that names a dimension is checked in every operator that has
/// one, even if the table does not mention the operator.
TEST(VerifyRanks, EveryAxisIsChecked) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, onnx::OnnxDialect>();
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  OpBuilder b(&context);
  int count = 0;
  for (const ::onnx::OpSchema &schema :
       ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (!schema.domain().empty() || schema.min_input() == 0 ||
        schema.deprecated())
      continue;
    for (const char *name : {"axis", "batch_axis", "time_axis"}) {
      if (!schema.attributes().count(name))
        continue;
      Location loc = b.getUnknownLoc();
      OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
      b.setInsertionPointToEnd(module->getBody());
      Type type = RankedTensorType::get({2, 2, 2}, b.getF32Type());
      auto function = func::FuncOp::create(
          b, loc, "f",
          b.getFunctionType(SmallVector<Type>(size_t(schema.min_input()), type),
                            {}));
      b.setInsertionPointToStart(function.addEntryBlock());
      OperationState state(loc, onnx::OnnxDialect::opName(schema));
      state.addOperands(ValueRange(function.getArguments()));
      state.addTypes(
          SmallVector<Type>(size_t(schema.min_output()),
                            UnrankedTensorType::get(b.getF32Type())));
      state.addAttribute(name, b.getI64IntegerAttr(int64_t(1) << 40));
      Operation *node = b.create(state);
      std::string message;
      ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
        message = diagnostic.str();
      });
      EXPECT_TRUE(failed(onnx::verifyRanks(onnx::NodeOp(node))));
      EXPECT_NE(message.find("rank"), std::string::npos)
          << onnx::OnnxDialect::opName(schema) << ": " << message;
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

} // namespace
} // namespace gensyn
