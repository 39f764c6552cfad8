// if, loop and check: known values and faults (if_r1, loop_r1, loop_r2,
// check_r1, g7).

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn;

namespace {

struct Outcome {
  SmallVector<Tensor> results;
  /// Name of the op and position of each fault, in order of occurrence.
  std::vector<std::pair<std::string, uint64_t>> faults;
};

Outcome interpret(StringRef text, ArrayRef<Tensor> arguments) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, repro::ReproDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  Outcome outcome;
  repro::FaultScope scope;
  auto results =
      reference::interpret(*module->getOps<func::FuncOp>().begin(), arguments);
  EXPECT_TRUE(succeeded(results));
  if (succeeded(results))
    outcome.results = *results;
  for (auto [op, position] : scope.slots())
    outcome.faults.emplace_back(op->getName().stripDialect().str(), position);
  return outcome;
}

std::string doubling(const char *words) {
  return std::string("func.func @main(%x: tensor<f32>, %go: tensor<i1>) -> "
                     "(tensor<f32>, tensor<i64>) {\n"
                     "  %zero = repro.constant dense<7> : tensor<i64>\n"
                     "  %y, %n = repro.loop trips 4 while %go") +
         words + R"( (%i, %a = %x : tensor<f32>, %k = %zero : tensor<i64>) {
    %five = repro.constant dense<5.0> : tensor<f32>
    %b = repro.add %a, %a : tensor<f32>
    %next = repro.compare lt %b, %five : tensor<f32>
    repro.yield %next, %b, %i : tensor<i1>, tensor<f32>, tensor<i64>
  }
  return %y, %n : tensor<f32>, tensor<i64>
})";
}

float numberOf(const Tensor &tensor) { return *tensor.as<float>(); }
int64_t integerOf(const Tensor &tensor) { return *tensor.as<int64_t>(); }

TEST(Control, LoopEndsWithItsFlag) {
  // 0.75, 1.5, 3, 6: the third iteration yields false.
  Outcome ended = interpret(doubling(" exhaust fault"),
                            {Tensor::scalar(0.75f), Tensor::scalar(true)});
  EXPECT_EQ(numberOf(ended.results[0]), 6.0f);
  EXPECT_EQ(integerOf(ended.results[1]), 2);
  EXPECT_TRUE(ended.faults.empty());
  // It never runs.
  Outcome never = interpret(doubling(" exhaust fault"),
                            {Tensor::scalar(0.75f), Tensor::scalar(false)});
  EXPECT_EQ(numberOf(never.results[0]), 0.75f);
  EXPECT_EQ(integerOf(never.results[1]), 7);
  EXPECT_TRUE(never.faults.empty());
}

TEST(Control, LoopAtItsBound) {
  const SmallVector<Tensor> small = {Tensor::scalar(0.01f),
                                     Tensor::scalar(true)};
  Outcome stopped = interpret(doubling(""), small);
  EXPECT_EQ(numberOf(stopped.results[0]), 0.01f * 16);
  EXPECT_TRUE(stopped.faults.empty());
  Outcome faulted = interpret(doubling(" exhaust fault"), small);
  EXPECT_EQ(numberOf(faulted.results[0]), 0.01f * 16);
  ASSERT_EQ(faulted.faults.size(), 1u);
  EXPECT_EQ(faulted.faults[0],
            std::make_pair(std::string("loop"), uint64_t{0}));
}

TEST(Control, OnlyTheRegionThatIsTakenFaults) {
  const std::string text = R"(
func.func @main(%p: tensor<i1>, %no: tensor<i1>) -> tensor<i64> {
  %y = repro.if %p (%q = %no : tensor<i1>) -> tensor<i64> {
    %a = repro.constant dense<1> : tensor<i64>
    repro.yield %a : tensor<i64>
  } else {
    repro.check %q "promised" : tensor<i1>
    %a = repro.constant dense<2> : tensor<i64>
    repro.yield %a : tensor<i64>
  }
  return %y : tensor<i64>
})";
  Outcome first =
      interpret(text, {Tensor::scalar(true), Tensor::scalar(false)});
  EXPECT_EQ(integerOf(first.results[0]), 1);
  EXPECT_TRUE(first.faults.empty());
  Outcome other =
      interpret(text, {Tensor::scalar(false), Tensor::scalar(false)});
  EXPECT_EQ(integerOf(other.results[0]), 2);
  ASSERT_EQ(other.faults.size(), 1u);
  EXPECT_EQ(other.faults[0].first, "check");
}

// The outermost loop's index and the element; the smallest of all is kept.
TEST(Control, PositionsOfFaults) {
  Outcome found = interpret(R"(
func.func @main(%t: tensor<5xf32>) -> tensor<2xf32> {
  %zero = repro.constant dense<0.0> : tensor<2xf32>
  %y = repro.loop trips 4 (%i, %a = %zero : tensor<2xf32>) invariant (%u = %t : tensor<5xf32>) {
    %b = repro.loop trips 3 (%j, %c = %a : tensor<2xf32>) invariant (%v = %u : tensor<5xf32>, %k = %i : tensor<i64>) {
      %s = repro.add %k, %j : tensor<i64>
      %g = repro.gather %v[%s] maps [affine_map<(d0)[s0] -> (d0 + s0)>, affine_map<(d0) -> ()>]
          bounds fault : tensor<5xf32>, tensor<i64> -> tensor<2xf32>
      %d = repro.add %c, %g : tensor<2xf32>
      repro.yield %d : tensor<2xf32>
    }
    repro.yield %b : tensor<2xf32>
  }
  return %y : tensor<2xf32>
})",
                            {Tensor::of<float>({5}, {1, 2, 3, 4, 5})});
  // i + j + 1 = 5 first at i = 2, j = 2, for element 1; i = 3 finds element 0.
  ASSERT_EQ(found.faults.size(), 1u);
  EXPECT_EQ(found.faults[0].second, uint64_t{2} << 40 | 1);
}

} // namespace
