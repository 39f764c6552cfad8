// Conversions rely on verifyRanks: nodes whose operands have any ranks are
// refused or converted, and never crash.

#include "Conversion/OnnxToRepro/Support/OperatorTable.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/IR/Train.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using Formal = ::onnx::OpSchema::FormalParameter;

namespace gensyn {
namespace {

/// A tensor that the formal allows, of float32 where it can be; null where it
/// allows none. A rank of -1 is unknown.
Type typeFor(MLIRContext *context, const Formal &formal, int rank) {
  std::set<std::string> names;
  for (::onnx::DataType type : formal.GetTypes())
    names.insert(*type);
  for (const char *name :
       {"tensor(float)", "tensor(int64)", "tensor(uint8)", "tensor(bool)"}) {
    if (!names.count(name))
      continue;
    Type type = onnx::importType(
        context, ::onnx::Utils::DataTypeUtils::ToTypeProto(
                     ::onnx::Utils::DataTypeUtils::ToType(name)));
    if (rank < 0)
      return type;
    return RankedTensorType::get(SmallVector<int64_t>(size_t(rank), 2),
                                 cast<TensorType>(type).getElementType());
  }
  return {};
}

Attribute attributeFor(Builder b,
                       const ::onnx::OpSchema::Attribute &attribute) {
  switch (attribute.type) {
  case ::onnx::AttributeProto::INT:
    return b.getI64IntegerAttr(1);
  case ::onnx::AttributeProto::FLOAT:
    return b.getF32FloatAttr(0.5f);
  case ::onnx::AttributeProto::INTS:
    return b.getDenseI64ArrayAttr({1, 1});
  default:
    return {};
  }
}

class Ranks : public testing::Test {
protected:
  Ranks()
      : quiet(&context, [](Diagnostic &) { return success(); }),
        passes(&context) {
    context.loadDialect<func::FuncDialect, onnx::OnnxDialect,
                        repro::ReproDialect, train::TrainDialect>();
    passes.addPass(onnx::createOnnxInferShapesPass());
    passes.addPass(createConvertOnnxToReproPass());
  }

  /// Converts one node, with operands of `ranks` and results of `resultRank`;
  /// true if it was converted.
  bool convert(const ::onnx::OpSchema &schema, ArrayRef<int> ranks,
               int resultRank) {
    OpBuilder b(&context);
    Location loc = b.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    SmallVector<Type> inputs, outputs;
    for (auto [i, rank] : llvm::enumerate(ranks))
      inputs.push_back(typeFor(
          &context, schema.inputs()[std::min(i, schema.inputs().size() - 1)],
          rank));
    for (int i = 0; i < std::max(1, schema.min_output()); ++i)
      outputs.push_back(typeFor(
          &context,
          schema.outputs()[std::min(size_t(i), schema.outputs().size() - 1)],
          resultRank));
    if (llvm::is_contained(inputs, Type()) ||
        llvm::is_contained(outputs, Type()))
      return false;
    auto function = func::FuncOp::create(b, loc, "main",
                                         b.getFunctionType(inputs, outputs));
    b.setInsertionPointToStart(function.addEntryBlock());
    OperationState state(loc, onnx::OnnxDialect::opName(schema));
    state.addOperands(ValueRange(function.getArguments()));
    state.addTypes(outputs);
    for (const auto &[name, attribute] : schema.attributes())
      if (attribute.required || name == "kernel_shape" || name == "axes")
        if (Attribute value = attributeFor(b, attribute))
          state.addAttribute(name, value);
    Operation *node = b.create(state);
    func::ReturnOp::create(b, loc, node->getResults());
    ++nodes;
    return succeeded(passes.run(*module));
  }

  /// Operands of every rank alike, and each in turn of another.
  bool convertAll(const ::onnx::OpSchema &schema) {
    const int count =
        std::max(schema.min_input(), std::min(schema.max_input(), 5));
    bool any = false;
    for (int rank = 0; rank <= 5; ++rank) {
      SmallVector<int> ranks(size_t(count), rank);
      for (int result : {-1, 0, 3})
        any |= convert(schema, ranks, result);
      for (int &other : ranks) {
        for (int own : {0, 1, 2, 4})
          if (own != rank) {
            other = own;
            any |= convert(schema, ranks, -1);
          }
        other = rank;
      }
    }
    return any;
  }

  MLIRContext context;
  ScopedDiagnosticHandler quiet;
  PassManager passes;
  int nodes = 0;
};

TEST_F(Ranks, OfAllOperandsOfAllOperators) {
  int converted = 0;
  for (const auto &[name, versions] :
       onnx_to_repro::OperatorTable::get().entries()) {
    const auto *schema =
        ::onnx::OpSchemaRegistry::Schema(name, versions.rbegin()->first, "");
    // Subgraphs are verified by themselves.
    if (!schema || !onnx::graphAttributes(*schema).empty())
      continue;
    SCOPED_TRACE(name);
    converted += convertAll(*schema);
  }
  // The test must not pass by refusing everything.
  EXPECT_GT(converted, 100);
  EXPECT_GT(nodes, 5000);
}

} // namespace
} // namespace gensyn
