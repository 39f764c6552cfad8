// The iterations of an op, one after the other, have the bits of the op.

#include "gensyn/Dialect/Repro/IR/Iterations.h"

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace gensyn;

namespace {

bool isSame(const Tensor &a, const Tensor &b) {
  return a.elementType() == b.elementType() && a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), size_t(a.byteSize())) == 0;
}

/// What the only op of the function with iterations returns, by these alone.
struct Outcome {
  SmallVector<Tensor> whole, joined;
  uint64_t count = 0;
};

class Iterated : public testing::Test {
protected:
  Iterated() { context.loadDialect<func::FuncDialect, repro::ReproDialect>(); }

  Operation *parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    for (Operation &op :
         module->lookupSymbol<func::FuncOp>("main").getBody().front())
      if (repro::getIterations(&op))
        return &op;
    return nullptr;
  }

  /// `operands` are those of the op and of the function.
  Outcome run(StringRef text, ArrayRef<Tensor> operands) {
    using Kind = repro::Iterations::Argument::Kind;
    Outcome outcome;
    Operation *op = parse(text);
    EXPECT_NE(op, nullptr);
    repro::FaultScope scope;
    outcome.whole = *reference::interpret(
        module->lookupSymbol<func::FuncOp>("main"), operands);
    const repro::Iterations iterations = *repro::getIterations(op);
    const unsigned variant =
        iterations.choice && !*operands[*iterations.choice].as<bool>();
    auto iteration = repro::buildIteration(op, variant);
    SmallVector<Tensor> carried;
    for (unsigned operand : iterations.initial)
      carried.push_back(operands[operand]);
    while (outcome.count < iterations.most &&
           (!iterations.flag || *carried[*iterations.flag].as<bool>())) {
      SmallVector<Tensor> arguments;
      for (const auto &argument : iterations.arguments)
        arguments.push_back(argument.kind == Kind::Index
                                ? Tensor::scalar(int64_t(outcome.count))
                            : argument.kind == Kind::Carried
                                ? carried[argument.number]
                                : operands[argument.number]);
      carried = *reference::interpret(
          iteration->lookupSymbol<func::FuncOp>("main"), arguments);
      ++outcome.count;
    }
    for (unsigned result : iterations.results)
      outcome.joined.push_back(carried[result]);
    return outcome;
  }

  static void expectSame(const Outcome &outcome) {
    ASSERT_EQ(outcome.whole.size(), outcome.joined.size());
    ASSERT_FALSE(outcome.whole.empty());
    for (size_t i = 0; i < outcome.whole.size(); ++i)
      EXPECT_TRUE(isSame(outcome.whole[i], outcome.joined[i]))
          << "result " << i;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr const char *kBranch = R"(
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a, %b = repro.if %p (%c = %x : tensor<4xf32>, %d = %y : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    repro.yield %d, %c : tensor<4xf32>, tensor<4xf32>
  } else {
    %e = repro.exp %c : tensor<4xf32>
    repro.yield %e, %d : tensor<4xf32>, tensor<4xf32>
  }
  return %a, %b : tensor<4xf32>, tensor<4xf32>
})";

TEST_F(Iterated, BranchRunsOneOfTwoPrograms) {
  const Tensor x = Tensor::of<float>({4}, {1, 2, 3, 4}),
               y = Tensor::of<float>({4}, {5, 6, 7, 8});
  for (bool predicate : {true, false}) {
    const Outcome outcome = run(kBranch, {Tensor::scalar(predicate), x, y});
    EXPECT_EQ(outcome.count, 1u);
    expectSame(outcome);
  }
}

constexpr const char *kWhile = R"(
func.func @main(%go: tensor<i1>, %x: tensor<f32>, %k: tensor<i64>, %y: tensor<f32>) -> (tensor<f32>, tensor<i64>) {
  %n, %m = repro.loop trips 9 while %go (%i, %a = %x : tensor<f32>, %l = %k : tensor<i64>) invariant (%b = %y : tensor<f32>) {
    %c = repro.add %a, %b : tensor<f32>
    %most = repro.constant dense<20.0> : tensor<f32>
    %on = repro.compare lt %c, %most : tensor<f32>
    repro.yield %on, %c, %i : tensor<i1>, tensor<f32>, tensor<i64>
  }
  return %n, %m : tensor<f32>, tensor<i64>
})";

TEST_F(Iterated, LoopStopsWhereItsFlagSays) {
  const Tensor x = Tensor::scalar(1.5f), k = Tensor::scalar(int64_t(-1));
  // 1.5 + 4 n reaches 20 after five, 1.5 + n does not within nine.
  for (auto [go, step, count] :
       {std::tuple(true, 4.0f, 5u), std::tuple(true, 1.0f, 9u),
        std::tuple(false, 1.0f, 0u)}) {
    const Outcome outcome =
        run(kWhile, {Tensor::scalar(go), x, k, Tensor::scalar(step)});
    EXPECT_EQ(outcome.count, count);
    expectSame(outcome);
  }
}

TEST_F(Iterated, LoopOfNoIterationHasNone) {
  EXPECT_EQ(parse(R"(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %n = repro.loop trips 0 (%i, %a = %x : tensor<f32>) {
    repro.yield %a : tensor<f32>
  }
  return %n : tensor<f32>
})"),
            nullptr);
}

std::string reduceAll(const std::string &rows, const std::string &order) {
  const std::string type = "tensor<" + rows + "x1000xf32>";
  return "#in = affine_map<(i, j) -> (i, j)>\n"
         "#out = affine_map<(i, j) -> ()>\n"
         "func.func @main(%x: " +
         type +
         ") -> tensor<f32> {\n"
         "  %y = repro.reduce sum %x domain <[" +
         rows + ", 1000], reduce [0, 1]> maps [#in, #out] order " + order +
         " : " + type +
         " -> tensor<f32>\n"
         "  return %y : tensor<f32>\n}";
}

TEST_F(Iterated, LargeReductionIsJoinedFromItsParts) {
  Tensor x(ElementType::F32, {701, 1000});
  uint32_t bits = 1;
  for (int64_t i = 0; i < x.numElements(); ++i) {
    bits = bits * 1664525 + 1013904223;
    x.as<float>()[i] = float(int32_t(bits)) * 0x1p-20f;
  }
  // Whole blocks in each part, and a rest.
  for (const char *order : {"blocked<1024, sequential, sequential>",
                            "blocked<3000, lanes<8>, sequential>",
                            "blocked<300000, sequential, sequential>"}) {
    const Outcome outcome = run(reduceAll("701", order), {x});
    EXPECT_EQ(outcome.count, 1u) << order;
    expectSame(outcome);
  }
}

TEST_F(Iterated, SmallOrUncutReductionHasNoIterations) {
  EXPECT_EQ(parse(reduceAll("262", "blocked<1024, sequential, sequential>")),
            nullptr);
  EXPECT_EQ(parse(reduceAll("701", "sequential")), nullptr);
  EXPECT_NE(parse(reduceAll("263", "blocked<1024, sequential, sequential>")),
            nullptr);
}

} // namespace
