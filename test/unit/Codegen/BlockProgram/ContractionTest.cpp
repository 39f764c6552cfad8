// Kernels as loops of a block's descriptor.

#include "Contraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::blockprogram {
namespace {

constexpr const char *kProduct =
    "domain <[5, 7, 6], reduce [2]> maps ["
    "affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, "
    "d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] bounds [in, in]";

/// Reads a kernel with operands %a and %b. `why` has the reason against it.
std::optional<Contraction> read(const std::string &a, const std::string &b,
                                const std::string &result,
                                const std::string &body, std::string &why) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, repro::ReproDialect>();
  const std::string text =
      "func.func @f(%x: " + a + ", %y: " + b + ") -> " + result +
      " { %r = repro.kernel \"k\" (%a = %x : " + a + ", %b = %y : " + b +
      ") -> (" + result + ") { " + body + " repro.yield %c : " + result +
      " } return %r : " + result + " }";
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << text;
    return std::nullopt;
  }
  std::optional<Contraction> read;
  module->walk([&](repro::KernelOp kernel) {
    FailureOr<Contraction> made = readContraction(kernel, why);
    if (succeeded(made))
      read = *made;
  });
  return read;
}

std::optional<Contraction> readProduct(const std::string &more,
                                       std::string &why,
                                       const char *left = "tensor<5x6xi8>") {
  return read(left, "tensor<6x7xi8>", "tensor<5x7xi32>",
              more + " %c = repro.contract %l, %b " + kProduct +
                  " : tensor<5x6xi32>, tensor<6x7xi8> -> tensor<5x7xi32>",
              why);
}

TEST(Contraction, ProductHasALoopOfEachKind) {
  std::string why;
  auto product =
      read("tensor<5x6xi8>", "tensor<6x7xi8>", "tensor<5x7xi32>",
           std::string("%c = repro.contract %a, %b ") + kProduct +
               " : tensor<5x6xi8>, tensor<6x7xi8> -> tensor<5x7xi32>",
           why);
  ASSERT_TRUE(product) << why;
  ASSERT_EQ(product->reduced.size(), 1u);
  EXPECT_EQ(product->reduced[0].count, 6);
  EXPECT_EQ(product->reduced[0].left, 1);
  EXPECT_EQ(product->reduced[0].right, 7);
  ASSERT_EQ(product->rows.size(), 1u);
  EXPECT_EQ(product->rows[0].left, 6);
  EXPECT_EQ(product->rows[0].result, 28);
  ASSERT_EQ(product->columns.size(), 1u);
  EXPECT_EQ(product->columns[0].right, 1);
  EXPECT_EQ(product->columns[0].result, 4);
  EXPECT_TRUE(product->batch.empty());
  EXPECT_TRUE(product->checks.empty());
}

// Adjacent results are rows of the operands as they are given, so the image is
// the right one.
TEST(Contraction, WindowsHaveChecksAndExchangeOperands) {
  std::string why;
  auto windows = read(
      "tensor<3x8x8xi8>", "tensor<4x3x3x3xi8>", "tensor<4x8x8xi32>",
      "%c = repro.contract %a, %b domain <[4, 8, 8, 3, 3, 3], reduce [3, 4, "
      "5]> maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1 + d4 - 1, d2 + "
      "d5 - 1)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)>, "
      "affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>] bounds [zero, in] "
      ": tensor<3x8x8xi8>, tensor<4x3x3x3xi8> -> tensor<4x8x8xi32>",
      why);
  ASSERT_TRUE(windows) << why;
  EXPECT_EQ(windows->right.argument, 0u);
  EXPECT_EQ(windows->right.offset, -9);
  ASSERT_EQ(windows->checks.size(), 2u);
  for (const Check &check : windows->checks) {
    EXPECT_TRUE(check.isRight);
    EXPECT_EQ(check.start, -1);
    EXPECT_EQ(check.extent, 8);
  }
  ASSERT_EQ(windows->reduced.size(), 3u);
  EXPECT_EQ(windows->reduced[0].coordinates[1], 1);
  EXPECT_EQ(windows->reduced[1].coordinates[0], 1);
  ASSERT_EQ(windows->columns.size(), 2u);
  ASSERT_EQ(windows->rows.size(), 1u);
  EXPECT_EQ(windows->rows[0].left, 27);
}

TEST(Contraction, LoopsThatContinueOthersAreOne) {
  std::string why;
  auto joined = read(
      "tensor<2x3x4xi8>", "tensor<4xi8>", "tensor<2x3xi32>",
      "%c = repro.contract %a, %b domain <[2, 3, 4], reduce [2]> maps "
      "[affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> "
      "(d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] bounds [in, in] : "
      "tensor<2x3x4xi8>, tensor<4xi8> -> tensor<2x3xi32>",
      why);
  ASSERT_TRUE(joined) << why;
  ASSERT_EQ(joined->columns.size(), 1u);
  EXPECT_EQ(joined->columns[0].count, 6);
  EXPECT_EQ(joined->columns[0].right, 4);
}

TEST(Contraction, ZeroPointIsSubtracted) {
  std::string why;
  auto product = readProduct(
      "%w = repro.convert %a : tensor<5x6xui8> to tensor<5x6xi32> "
      "%z = repro.constant dense<117> : tensor<i32> "
      "%s = repro.broadcast %z dims [] : tensor<i32> to tensor<5x6xi32> "
      "%l = repro.sub %w, %s : tensor<5x6xi32>",
      why, "tensor<5x6xui8>");
  ASSERT_TRUE(product) << why;
  EXPECT_EQ(product->left.zero, 117);
  EXPECT_FALSE(product->left.isSigned);
  EXPECT_TRUE(product->right.isSigned);
}

TEST(Contraction, OtherWorkIsRefused) {
  std::string why;
  EXPECT_FALSE(readProduct("%w = repro.convert %a : tensor<5x6xi8> to "
                           "tensor<5x6xi32> %l = repro.mul %w, %w : "
                           "tensor<5x6xi32>",
                           why));
  EXPECT_EQ(why, "an operand is computed by repro.mul");
  // It wraps before the operand is widened.
  EXPECT_FALSE(readProduct("%z = repro.constant dense<1> : tensor<5x6xi8> "
                           "%s = repro.sub %a, %z : tensor<5x6xi8> %l = "
                           "repro.convert %s : tensor<5x6xi8> to "
                           "tensor<5x6xi32>",
                           why));
  EXPECT_EQ(why, "an operand is computed by repro.sub");
  EXPECT_FALSE(read("tensor<4xi32>", "tensor<4xi32>", "tensor<4xi32>",
                    "%c = repro.add %a, %b : tensor<4xi32>", why));
  EXPECT_EQ(why, "it is no sum of products");
}

} // namespace
} // namespace gensyn::blockprogram
