// gather, scatter, scan and sort on small tensors, with results by hand.

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Parser/Parser.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn;

namespace {
class Indexing : public ::testing::Test {
protected:
  Indexing() { context.loadDialect<func::FuncDialect, repro::ReproDialect>(); }

  /// Runs the only function of `text`; `faults` are the recorded positions.
  SmallVector<Tensor> run(StringRef text, ArrayRef<Tensor> arguments) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    repro::FaultScope scope;
    auto results = reference::interpret(*module->getOps<func::FuncOp>().begin(),
                                        arguments);
    EXPECT_TRUE(succeeded(results));
    faults.clear();
    for (auto [op, position] : scope.slots())
      faults.push_back(position);
    return succeeded(results) ? *results : SmallVector<Tensor>();
  }

  void expectBits(const Tensor &found, const Tensor &expected) {
    EXPECT_TRUE(found.bitEqual(expected));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<uint64_t> faults;
};

// gather_r1, g7: -1 is not the last row; the first fault is kept, at the first
// element of its row.
TEST_F(Indexing, GatherReadsZerosOutside) {
  const Tensor table = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor rows = Tensor::of<int64_t>({4}, {2, -1, 0, 1ll << 40});
  for (bool fault : {true, false}) {
    auto results =
        run(std::string(R"(
func.func @main(%t: tensor<3x2xf32>, %i: tensor<4xi64>) -> tensor<4x2xf32> {
  %y = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds )") +
                (fault ? "fault" : "zero") +
                R"( : tensor<3x2xf32>, tensor<4xi64> -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
})",
            {table, rows});
    expectBits(results[0], Tensor::of<float>({4, 2}, {5, 6, 0, 0, 1, 2, 0, 0}));
    EXPECT_EQ(faults,
              fault ? std::vector<uint64_t>{2} : std::vector<uint64_t>{});
  }
}

// A negative index of the last dimension is not an element of the row before.
TEST_F(Indexing, GatherReadsNoOtherRow) {
  const Tensor table = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor columns = Tensor::of<int64_t>({3}, {-1, 1, 2});
  auto results = run(R"(
func.func @main(%t: tensor<3x2xf32>, %i: tensor<3xi64>) -> tensor<3x3xf32> {
  %y = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1) -> (d1)>]
      bounds zero : tensor<3x2xf32>, tensor<3xi64> -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
})",
                     {table, columns});
  expectBits(results[0],
             Tensor::of<float>({3, 3}, {0, 2, 0, 0, 4, 0, 0, 6, 0}));
}

// An index so large that the sum with an offset wraps is out of range too.
TEST_F(Indexing, SumsOfIndicesDoNotWrapIn) {
  const Tensor data = Tensor::of<float>({4}, {1, 2, 3, 4});
  const Tensor index = Tensor::of<int64_t>({3}, {INT64_MAX, INT64_MIN, -2});
  auto results = run(R"(
func.func @main(%t: tensor<4xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
  %y = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0 + d0 + 1)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
  return %y : tensor<3xf32>
})",
                     {data, index});
  expectBits(results[0], Tensor::of<float>({3}, {0, 0, 2}));
  EXPECT_EQ(faults, std::vector<uint64_t>{0});
}

// scatter_r4: rows 2 to 4 of a tensor of 7 rows. Indices count from row 2.
TEST_F(Indexing, ScatterToAPart) {
  const Tensor base = Tensor::of<float>({3}, {1, 2, 3});
  const Tensor updates = Tensor::of<float>({5}, {10, 20, 40, 80, 160});
  for (int64_t last : {4, 5}) {
    auto results =
        run(R"(
func.func @main(%t: tensor<3xf32>, %u: tensor<5xf32>, %i: tensor<5xi64>) -> tensor<3xf32> {
  %y = repro.scatter add %t, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault within [-2, 5] : tensor<3xf32>, tensor<5xf32>, tensor<5xi64>
  return %y : tensor<3xf32>
})",
            {base, updates, Tensor::of<int64_t>({5}, {0, -2, 3, 0, last})});
    expectBits(results[0], Tensor::of<float>({3}, {91, 2, 3}));
    EXPECT_EQ(faults,
              last == 5 ? std::vector<uint64_t>{4} : std::vector<uint64_t>{});
  }
}

Tensor scatterBase() { return Tensor::of<float>({4}, {-0.0f, 1, -0.0f, 8}); }

// scatter_r1 to scatter_r3.
TEST_F(Indexing, ScatterInOrder) {
  const Tensor updates = Tensor::of<float>({5}, {-0.0f, 1e8f, 7, 1, -1e8f});
  const Tensor index = Tensor::of<int32_t>({5}, {0, 1, 4, 1, 1});
  auto text = [](const std::string &kind) {
    return R"(
func.func @main(%b: tensor<4xf32>, %u: tensor<5xf32>, %i: tensor<5xi32>) -> tensor<4xf32> {
  %y = repro.scatter )" +
           kind +
           R"( %b, %u[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds fault : tensor<4xf32>, tensor<5xf32>, tensor<5xi32>
  return %y : tensor<4xf32>
})";
  };
  const std::vector<Tensor> arguments = {scatterBase(), updates, index};
  expectBits(run(text("set"), arguments)[0],
             Tensor::of<float>({4}, {-0.0f, -1e8f, -0.0f, 8}));
  EXPECT_EQ(faults, std::vector<uint64_t>{2});
  // 1 + 1e8 = 1e8, + 1 = 1e8, - 1e8 = 0; -0 + -0 = -0.
  expectBits(run(text("add"), arguments)[0],
             Tensor::of<float>({4}, {-0.0f, 0, -0.0f, 8}));
  expectBits(run(text("max"), arguments)[0],
             Tensor::of<float>({4}, {-0.0f, 1e8f, -0.0f, 8}));
}

// scan_r1: a sum that starts at +0 is never -0, and blocks join to the last
// result before them.
TEST_F(Indexing, ScanByBlocks) {
  const Tensor x = Tensor::of<float>({5}, {-0.0f, 1e8f, 1, 1, -1e8f});
  auto text = [](const std::string &order) {
    return "func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {\n"
           "  %y = repro.scan sum %x dim 0 order " +
           order + " : tensor<5xf32>\n  return %y : tensor<5xf32>\n}\n";
  };
  expectBits(run(text("sequential"), {x})[0],
             Tensor::of<float>({5}, {0, 1e8f, 1e8f, 1e8f, 0}));
  expectBits(run(text("blocked<2, sequential, sequential>"), {x})[0],
             Tensor::of<float>({5}, {0, 1e8f, 1e8f + 0, 1e8f, 0}));
  // The second block adds 1 + ... by itself: 8 of them have an effect, one has
  // none.
  const Tensor ones = Tensor::of<float>({4}, {1e8f, 4, 4, 4});
  auto four = [](const std::string &order) {
    return "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
           "  %y = repro.scan sum %x dim 0 order " +
           order + " : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n";
  };
  expectBits(run(four("sequential"), {ones})[0],
             Tensor::of<float>({4}, {1e8f, 1e8f, 1e8f, 1e8f}));
  expectBits(run(four("blocked<1, sequential, sequential>"), {ones})[0],
             Tensor::of<float>({4}, {1e8f, 1e8f, 1e8f, 1e8f}));
  expectBits(run(four("blocked<2, sequential, sequential>"), {ones})[0],
             Tensor::of<float>({4}, {1e8f, 1e8f, 1e8f, 1e8f + 8}));
}

// sort_r1: NaNs of any payload are equal and the greatest; -0 is below +0.
TEST_F(Indexing, SortIsStable) {
  const float payload = std::bit_cast<float>(0xFFC00123u);
  const float nan = std::bit_cast<float>(0x7FC00000u);
  const Tensor x =
      Tensor::of<float>({7}, {0.0f, payload, -1, -0.0f, nan, -1, 0.0f});
  auto text = [](const std::string &direction) {
    return "func.func @main(%x: tensor<7xf32>) -> (tensor<7xf32>, "
           "tensor<7xi32>) {\n  %v, %p = repro.sort " +
           direction +
           " %x dim 0 count 7 : tensor<7xf32> -> tensor<7xf32>, "
           "tensor<7xi32>\n  return %v, %p : tensor<7xf32>, tensor<7xi32>\n}\n";
  };
  auto up = run(text("ascending"), {x});
  expectBits(up[1], Tensor::of<int32_t>({7}, {2, 5, 3, 0, 6, 1, 4}));
  expectBits(up[0],
             Tensor::of<float>({7}, {-1, -1, -0.0f, 0.0f, 0.0f, payload, nan}));
  auto down = run(text("descending"), {x});
  expectBits(down[1], Tensor::of<int32_t>({7}, {1, 4, 0, 6, 3, 2, 5}));
}

} // namespace
