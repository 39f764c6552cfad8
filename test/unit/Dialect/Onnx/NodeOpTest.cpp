// The view of nodes.

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn::onnx;

namespace {

class NodeOpTest : public testing::Test {
protected:
  NodeOpTest() { context.loadDialect<func::FuncDialect, OnnxDialect>(); }

  /// The first node of the text's function.
  NodeOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (!found && isa<NodeOp>(op))
        found = op;
    });
    return NodeOp(found);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr StringRef clip = R"(
  func.func @f(%x: tensor<4xf32>, %m: tensor<f32>) -> tensor<4xf32> {
    %none = onnx.none
    %y = onnx.Clip.v13(%x, %none, %m) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  })";

TEST_F(NodeOpTest, InputsByName) {
  NodeOp node = parse(clip);
  EXPECT_EQ(node.opType(), "Clip");
  EXPECT_EQ(node.since(), 13);
  EXPECT_EQ(node.input("input"), node->getOperand(0));
  EXPECT_FALSE(node.input("min"));
  EXPECT_EQ(node.input("max"), node->getOperand(2));
  EXPECT_EQ(node.output("output"), node->getResult(0));
  EXPECT_DEATH(node.input("maximum"), "no input 'maximum' in onnx.Clip.v13");
  EXPECT_DEATH(node.output("y"), "no output 'y' in onnx.Clip.v13");
}

TEST_F(NodeOpTest, AttributesWithDefaults) {
  NodeOp node = parse(R"(
    func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
      %y = onnx.Gemm.v13(%a, %b) {alpha = 0.5 : f32}
          : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      return
    })");
  EXPECT_EQ(node.real("alpha"), 0.5f);
  EXPECT_EQ(node.real("beta"), 1.0f);
  EXPECT_EQ(node.integer("transB"), 0);
  EXPECT_DEATH(node.integer("transC"),
               "no attribute 'transC' in onnx.Gemm.v13");
}

TEST_F(NodeOpTest, ConstantIntegers) {
  NodeOp node = parse(R"(
    func.func @f(%a: tensor<2x3xf32>, %s: tensor<1xi64>) {
      %axes = onnx.constant dense<[-1, 0]> : tensor<2xi64>
      %y = onnx.Unsqueeze.v13(%a, %axes) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
      %z = onnx.Unsqueeze.v13(%a, %s) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
      %w = onnx.Unsqueeze.v11(%a) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> !onnx.unknown
      return
    })");
  using Integers = SmallVector<int64_t>;
  EXPECT_EQ(node.integersOf("axes", "axes"), (Integers{-1, 0}));
  node = NodeOp(node->getNextNode());
  EXPECT_EQ(node.integersOf("axes", "axes"), std::nullopt);
  node = NodeOp(node->getNextNode());
  EXPECT_EQ(node.integersOf("axes", "axes"), Integers{1});
}
} // namespace
