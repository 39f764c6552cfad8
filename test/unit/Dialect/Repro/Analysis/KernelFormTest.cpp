// Forms of kernels: kinds, placements, phases, components and signatures.

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn::repro;

namespace {
class Forms : public ::testing::Test {
protected:
  Forms() { context.loadDialect<func::FuncDialect, ReproDialect>(); }

  /// The kernel around `body`, whose arguments are `arguments` in MLIR's
  /// syntax ("%a = %x : tensor<4xf32>") and whose results `results`.
  KernelForm formOf(const std::string &parameters, const std::string &arguments,
                    const std::string &results, const std::string &body) {
    const std::string text = "#full = affine_map<(d0, d1) -> (d0, d1)>\n"
                             "#row = affine_map<(d0, d1) -> (d0)>\n"
                             "#column = affine_map<(d0, d1) -> (d1)>\n"
                             "func.func @main(" +
                             parameters + ") {\n  %k:9 = repro.kernel \"k\" (" +
                             arguments + ") -> (" + results + ") {\n" + body +
                             "\n  }\n  return\n}\n";
    // Counts results by the commas outside of the brackets of types.
    const auto count = std::count(results.begin(), results.end(), ',') + 1;
    std::string counted = text;
    counted.replace(counted.find("%k:9"), 4, "%k:" + std::to_string(count));
    module = parseSourceString<ModuleOp>(counted, &context);
    EXPECT_TRUE(module);
    module->walk([&](KernelOp op) { kernel = op; });
    return getKernelForm(kernel);
  }

  /// The result of op number `number` of the kernel.
  Value value(unsigned number) {
    return std::next(kernel.getBlock().begin(), number)->getResult(0);
  }
  Value argument(unsigned number) {
    return kernel.getBlock().getArgument(number);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
};

TEST_F(Forms, SoftmaxIsRowsOfTwoPhases) {
  const KernelForm form =
      formOf("%x: tensor<4x9xf32>, %g: tensor<9xf32>, %t: tensor<9x4xf32>",
             "%a = %x : tensor<4x9xf32>, %h = %g : tensor<9xf32>, "
             "%u = %t : tensor<9x4xf32>",
             "tensor<4x9xf32>, tensor<4xf32>", R"(
    %0 = repro.reduce max %a domain <[4, 9], reduce [1]> maps [#full, #row] : tensor<4x9xf32> -> tensor<4xf32>
    %1 = repro.broadcast %0 dims [0] : tensor<4xf32> to tensor<4x9xf32>
    %2 = repro.sub %a, %1 : tensor<4x9xf32>
    %3 = repro.broadcast %h dims [1] : tensor<9xf32> to tensor<4x9xf32>
    %4 = repro.mul %2, %3 : tensor<4x9xf32>
    %5 = repro.transpose %u [1, 0] : tensor<9x4xf32> to tensor<4x9xf32>
    %6 = repro.add %4, %5 : tensor<4x9xf32>
    %7 = repro.reduce sum %6 domain <[4, 9], reduce [1]> maps [#full, #row] order sequential : tensor<4x9xf32> -> tensor<4xf32>
    repro.yield %6, %7 : tensor<4x9xf32>, tensor<4xf32>)");
  ASSERT_EQ(form.kind, KernelKind::Rows);
  EXPECT_EQ(form.rows, 4);
  EXPECT_EQ(form.columns, 9);
  EXPECT_EQ(form.rowExtents, SmallVector<int64_t>({4}));
  EXPECT_EQ(form.columnExtents, SmallVector<int64_t>({9}));
  EXPECT_EQ(form.placementOf(argument(0)), Placement::Full);
  EXPECT_EQ(form.placementOf(argument(1)), Placement::Column);
  EXPECT_EQ(form.placementOf(argument(2)), Placement::Free);
  EXPECT_EQ(form.placementOf(value(0)), Placement::Row);
  EXPECT_EQ(form.placementOf(value(5)), Placement::Full);
  EXPECT_EQ(form.phaseOf(value(0)), 1u);
  EXPECT_EQ(form.phaseOf(value(3)), 0u);
  EXPECT_EQ(form.phaseOf(value(6)), 1u);
  EXPECT_EQ(form.phaseOf(value(7)), 2u);
  EXPECT_EQ(form.numPhases(), 2u);
  ASSERT_EQ(form.reductionsOf(0).size(), 1u);
  EXPECT_EQ(form.reductionsOf(0).front().getResult(), value(0));
  EXPECT_EQ(form.reductionsOf(1).front().getResult(), value(7));
}

// A kept dimension of 1, another shape of the rows, and one row alone.
TEST_F(Forms, ShapesOfOneSpaceAreOnePlacement) {
  KernelForm form = formOf("%x: tensor<6x8xf32>", "%a = %x : tensor<6x8xf32>",
                           "tensor<6x8xf32>", R"(
    %0 = repro.reshape %a : tensor<6x8xf32> to tensor<2x3x8xf32>
    %1 = repro.reduce sum %0 domain <[2, 3, 8], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] order sequential : tensor<2x3x8xf32> -> tensor<2x3xf32>
    %2 = repro.reshape %1 : tensor<2x3xf32> to tensor<6x1xf32>
    %3 = repro.reshape %2 : tensor<6x1xf32> to tensor<6xf32>
    %4 = repro.broadcast %3 dims [0] : tensor<6xf32> to tensor<6x8xf32>
    %5 = repro.div %a, %4 : tensor<6x8xf32>
    repro.yield %5 : tensor<6x8xf32>)");
  ASSERT_EQ(form.kind, KernelKind::Rows);
  EXPECT_EQ(form.rowExtents, SmallVector<int64_t>({2, 3}));
  EXPECT_EQ(form.placementOf(argument(0)), Placement::Full);
  EXPECT_EQ(form.placementOf(value(2)), Placement::Row);
  EXPECT_EQ(splitShape({2, 3, 8}, 6), 2u);
  EXPECT_EQ(splitShape({3, 16}, 6), std::nullopt);

  form = formOf("%x: tensor<8xf32>", "%a = %x : tensor<8xf32>",
                "tensor<8xf32>, tensor<f32>", R"(
    %0 = repro.reduce sum %a domain <[8], reduce [0]> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] order sequential : tensor<8xf32> -> tensor<f32>
    %1 = repro.broadcast %0 dims [] : tensor<f32> to tensor<8xf32>
    %2 = repro.div %a, %1 : tensor<8xf32>
    repro.yield %2, %0 : tensor<8xf32>, tensor<f32>)");
  ASSERT_EQ(form.kind, KernelKind::Rows);
  EXPECT_EQ(form.rows, 1);
  EXPECT_EQ(form.placementOf(value(0)), Placement::Row);
}

TEST_F(Forms, WhatIsReadElsewhereIsNoForm) {
  EXPECT_EQ(formOf("%x: tensor<4x4xf32>", "%a = %x : tensor<4x4xf32>",
                   "tensor<4x4xf32>", R"(
    %0 = repro.reduce max %a domain <[4, 4], reduce [1]> maps [#full, #row] : tensor<4x4xf32> -> tensor<4xf32>
    %1 = repro.broadcast %0 dims [1] : tensor<4xf32> to tensor<4x4xf32>
    %2 = repro.sub %a, %1 : tensor<4x4xf32>
    repro.yield %2 : tensor<4x4xf32>)")
                .reason,
            "a reduction is read elsewhere than in its row or column");
  EXPECT_EQ(formOf("%x: tensor<2x4x9xf32>", "%a = %x : tensor<2x4x9xf32>",
                   "tensor<2x9xf32>", R"(
    %0 = repro.reduce max %a domain <[2, 4, 9], reduce [1]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] : tensor<2x4x9xf32> -> tensor<2x9xf32>
    repro.yield %0 : tensor<2x9xf32>)")
                .kind,
            KernelKind::Other);
  EXPECT_EQ(formOf("%x: tensor<4x9xf32>", "%a = %x : tensor<4x9xf32>",
                   "tensor<4xf32>, tensor<f32>", R"(
    %0 = repro.reduce max %a domain <[4, 9], reduce [1]> maps [#full, #row] : tensor<4x9xf32> -> tensor<4xf32>
    %1 = repro.reduce max %0 domain <[4], reduce [0]> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<4xf32> -> tensor<f32>
    repro.yield %0, %1 : tensor<4xf32>, tensor<f32>)")
                .reason,
            "reductions over different spaces");
}

TEST_F(Forms, SumsOverRowsAreColumns) {
  const KernelForm form =
      formOf("%x: tensor<4x9xf32>, %s: tensor<4xf32>",
             "%a = %x : tensor<4x9xf32>, %b = %s : tensor<4xf32>",
             "tensor<9xf32>, tensor<9x1xf32>", R"(
    %0 = repro.reduce max %a domain <[4, 9], reduce [0]> maps [#full, #column] : tensor<4x9xf32> -> tensor<9xf32>
    %1 = repro.broadcast %b dims [0] : tensor<4xf32> to tensor<4x9xf32>
    %2 = repro.mul %a, %1 : tensor<4x9xf32>
    %3 = repro.reduce sum %2 domain <[4, 9], reduce [0]> maps [#full, #column] order sequential : tensor<4x9xf32> -> tensor<9xf32>
    %4 = repro.add %0, %3 : tensor<9xf32>
    %5 = repro.reshape %4 : tensor<9xf32> to tensor<9x1xf32>
    repro.yield %0, %5 : tensor<9xf32>, tensor<9x1xf32>)");
  ASSERT_EQ(form.kind, KernelKind::ColumnSums);
  EXPECT_EQ(form.rows, 4);
  EXPECT_EQ(form.columns, 9);
  EXPECT_EQ(form.reductions.size(), 2u);
  EXPECT_EQ(form.placementOf(argument(0)), Placement::Full);
  EXPECT_EQ(form.placementOf(argument(1)), Placement::Row);
  EXPECT_EQ(form.placementOf(value(4)), Placement::Column);
  EXPECT_EQ(form.numPhases(), 1u);
}

TEST_F(Forms, ContractionTakesWhatIsInPlace) {
  const std::string contraction =
      "    %0 = repro.contract %a, %b domain <[4, 6, 8], reduce [2]> maps "
      "[affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, "
      "d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] bounds [in, in] order "
      "sequential : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>\n";
  const std::string parameters = "%x: tensor<4x8xf32>, %w: tensor<8x6xf32>";
  const std::string arguments =
      "%a = %x : tensor<4x8xf32>, %b = %w : tensor<8x6xf32>";
  KernelForm form =
      formOf(parameters, arguments, "tensor<2x2x6xf32>", contraction + R"(
    %1 = repro.reshape %0 : tensor<4x6xf32> to tensor<2x2x6xf32>
    %2 = repro.tanh %1 : tensor<2x2x6xf32>
    repro.yield %2 : tensor<2x2x6xf32>)");
  ASSERT_EQ(form.kind, KernelKind::Contraction);
  EXPECT_EQ(form.contraction.getResult(), value(0));
  EXPECT_EQ(form.rows, 4);
  EXPECT_EQ(form.columns, 6);
  EXPECT_EQ(form.placementOf(value(2)), Placement::Full);
  EXPECT_EQ(formOf(parameters, arguments, "tensor<6x4xf32>", contraction + R"(
    %1 = repro.transpose %0 [1, 0] : tensor<4x6xf32> to tensor<6x4xf32>
    repro.yield %1 : tensor<6x4xf32>)")
                .kind,
            KernelKind::Other);
}

TEST_F(Forms, ComponentsOfOneSignature) {
  const std::string parameters =
      "%x: tensor<4x2xf32>, %y: tensor<3xf32>, %s: tensor<f32>";
  const std::string arguments = "%a = %x : tensor<4x2xf32>, %b = %y : "
                                "tensor<3xf32>, %l = %s : tensor<f32>";
  auto body = [](const std::string &last) {
    return R"(
    %0 = repro.broadcast %l dims [] : tensor<f32> to tensor<4x2xf32>
    %1 = repro.sub %a, %0 : tensor<4x2xf32>
    %2 = repro.broadcast %l dims [] : tensor<f32> to tensor<3xf32>
    %3 = repro.)" +
           last + R"( : tensor<3xf32>
    repro.yield %1, %3 : tensor<4x2xf32>, tensor<3xf32>)";
  };
  KernelForm form =
      formOf(parameters, arguments, "tensor<4x2xf32>, tensor<3xf32>",
             body("sub %b, %2"));
  ASSERT_EQ(form.kind, KernelKind::Horizontal);
  ASSERT_EQ(form.components.size(), 2u);
  EXPECT_EQ(form.components[0].inputs, SmallVector<unsigned>({0, 2}));
  EXPECT_EQ(form.components[1].inputs, SmallVector<unsigned>({1, 2}));
  EXPECT_EQ(form.components[0].outputs, SmallVector<unsigned>({0}));
  EXPECT_EQ(form.components[0].elements, 8);
  EXPECT_FALSE(form.signature.empty());
  // The operands change places.
  form = formOf(parameters, arguments, "tensor<4x2xf32>, tensor<3xf32>",
                body("sub %2, %b"));
  ASSERT_EQ(form.kind, KernelKind::Horizontal);
  EXPECT_TRUE(form.signature.empty());
}

TEST_F(Forms, PointwiseWithOneInputIsOneComponent) {
  const KernelForm form =
      formOf("%x: tensor<4x2xf32>", "%a = %x : tensor<4x2xf32>",
             "tensor<4x2xf32>, tensor<8xf32>", R"(
    %0 = repro.neg %a : tensor<4x2xf32>
    %1 = repro.abs %a : tensor<4x2xf32>
    %2 = repro.reshape %1 : tensor<4x2xf32> to tensor<8xf32>
    repro.yield %0, %2 : tensor<4x2xf32>, tensor<8xf32>)");
  EXPECT_EQ(form.kind, KernelKind::Pointwise);
  EXPECT_FALSE(form.signature.empty());
}
} // namespace
