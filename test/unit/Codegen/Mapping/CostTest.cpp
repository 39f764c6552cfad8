// What kernels read and compute.

#include "Cost.h"
#include "gensyn/Machine/Description.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace gensyn;
using namespace gensyn::repro;

namespace {

/// The elements that the kernel of a text reads of each of its operands, and
/// then how many instructions its integer work is.
std::vector<uint64_t> countLoads(const char *text) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, ReproDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  std::vector<uint64_t> counts;
  if (module)
    module->walk([&](KernelOp kernel) {
      for (mlir::BlockArgument argument : kernel.getBlock().getArguments())
        counts.push_back(mapping::countLoads(argument));
      uint64_t integers = 0;
      for (const mapping::Work &work : mapping::describeWork(kernel))
        integers += work.operation() == "integer" ? work.count() : 0;
      counts.push_back(integers);
    });
  return counts;
}

using Loads = std::vector<uint64_t>;

// A piece of a gather has a slice of the table, of which it reads one row.
TEST(Cost, GatherOfASliceReadsWhatItGathers) {
  EXPECT_EQ(countLoads(R"mlir(
func.func @rows(%t: tensor<1000x64xf32>, %i: tensor<2xi64>) -> tensor<2x8xf32> {
  %0 = repro.kernel "k" (%a = %t : tensor<1000x64xf32>, %b = %i : tensor<2xi64>) -> (tensor<2x8xf32>) {
    %s = repro.slice %a start [0, 8] limit [1000, 16] stride [1, 1] : tensor<1000x64xf32> to tensor<1000x8xf32>
    %g = repro.gather %s[%b] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>] bounds zero
        : tensor<1000x8xf32>, tensor<2xi64> -> tensor<2x8xf32>
    repro.yield %g : tensor<2x8xf32>
  }
  return %0 : tensor<2x8xf32>
})mlir"),
            (Loads{16, 2, 16 * (4 + 16)}));
}

// A sum reads all, also of what is computed for it; users share an element.
TEST(Cost, SumsReadAll) {
  EXPECT_EQ(countLoads(R"mlir(
func.func @sum(%x: tensor<2x8xf32>) -> tensor<2xf32> {
  %0 = repro.kernel "k" (%a = %x : tensor<2x8xf32>) -> (tensor<2xf32>) {
    %e = repro.mul %a, %a : tensor<2x8xf32>
    %r = repro.reduce sum %e domain <[2, 8], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order sequential : tensor<2x8xf32> -> tensor<2xf32>
    repro.yield %r : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
})mlir"),
            (Loads{16, 0}));
}

// Where units take blocks of images, work has the lines and positions of its
// rows.
TEST(Cost, ConvolutionsAreOfImages) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, ReproDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filter = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @conv(%x: tensor<2x3x7x6xi8>, %w: tensor<16x3x3x2xi8>) -> tensor<2x16x5x5xi8> {
  %0 = repro.kernel "k" (%a = %x : tensor<2x3x7x6xi8>, %b = %w : tensor<16x3x3x2xi8>) -> (tensor<2x16x5x5xi8>) {
    %c = repro.contract %a, %b domain <[2, 16, 5, 5, 3, 3, 2], reduce [4, 5, 6]> maps [#image, #filter, #result]
      bounds [in, in] : tensor<2x3x7x6xi8>, tensor<16x3x3x2xi8> -> tensor<2x16x5x5xi8>
    repro.yield %c : tensor<2x16x5x5xi8>
  }
  return %0 : tensor<2x16x5x5xi8>
})mlir",
                                                        &context);
  ASSERT_TRUE(module);
  std::vector<mapping::Work> work;
  module->walk([&](KernelOp kernel) { work = mapping::describeWork(kernel); });
  const auto isProducts = [](const mapping::Work &item) {
    return item.operation() == "multiply_add";
  };
  const auto found = llvm::find_if(work, isProducts);
  ASSERT_NE(found, work.end());
  EXPECT_EQ(found->rows(), 2U * 5 * 5);
  EXPECT_EQ(found->columns(), 16U);
  EXPECT_EQ(found->depth(), 3U * 3 * 2);
  EXPECT_EQ(found->taps(), 3U * 2);
  EXPECT_EQ(found->lines(), 5U);
  EXPECT_EQ(found->positions(), 5U);
  std::vector<mapping::Work> other = {*found};
  const machine::Description array = machine::findMachine("ethos-u55-256");
  EXPECT_EQ(mapping::chooseUnits(array, 0, other), nullptr);
  EXPECT_EQ(other.front().lines(), 5U);
  const machine::Description plain = machine::findMachine("spinnaker2-chip");
  EXPECT_EQ(mapping::chooseUnits(plain, 0, other), nullptr);
  EXPECT_EQ(other.front().lines(), 0U);
  EXPECT_EQ(other.front().positions(), 0U);
}

// Cores that read the same load it each: pieces with as many results take
// more time if they read more.
TEST(Cost, PiecesLoadWhatTheyRead) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, ReproDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
func.func @dense(%x: tensor<12x16xf32>, %w: tensor<16x100xf32>) -> tensor<12x100xf32> {
  %0 = repro.kernel "k" (%a = %x : tensor<12x16xf32>, %b = %w : tensor<16x100xf32>) -> (tensor<12x100xf32>) {
    %c = repro.contract %a, %b domain <[12, 100, 16], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<12x16xf32>, tensor<16x100xf32> -> tensor<12x100xf32>
    repro.yield %c : tensor<12x100xf32>
  }
  return %0 : tensor<12x100xf32>
})mlir",
                                                        &context);
  ASSERT_TRUE(module);
  const machine::Description machine = machine::findMachine("spinnaker2-chip");
  module->walk([&](KernelOp kernel) {
    const mapping::PieceCosts costs(kernel, machine);
    auto timeOf = [&](int64_t rows, int64_t columns) {
      return costs.compute({{0, rows, 1}, {0, columns, 1}});
    };
    // As many products: 2 * 16 + 16 * 100 and 10 * 16 + 16 * 20 elements, of
    // two cycles of 300 MHz each.
    EXPECT_NEAR(double(timeOf(2, 100) - timeOf(10, 20)),
                (1632 - 480) * 2 * 1e6 / 300, 100);
  });
}

} // namespace
