// See Harness.h.

#include "Harness.h"

#include "gensyn/Conversion/TrainToRepro/Passes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace gensyn::train::test {

MLIRContext &context() {
  static MLIRContext instance;
  instance.loadDialect<func::FuncDialect, repro::ReproDialect, TrainDialect>();
  return instance;
}

static LogicalResult lower(ModuleOp module) {
  PassManager passes(&context());
  passes.addNestedPass<func::FuncOp>(createConvertTrainToReproPass());
  passes.addPass(createTrainDifferentiatePass());
  passes.addPass(repro::createAssignOrdersPass());
  return passes.run(module);
}

OwningOpRef<ModuleOp> compile(const std::string &text) {
  auto module = parseSourceString<ModuleOp>(text, &context());
  if (module && succeeded(lower(*module)))
    return module;
  ADD_FAILURE() << "does not compile:\n" << text;
  return nullptr;
}

std::vector<Tensor> run(ModuleOp module, const std::string &function,
                        const std::vector<Tensor> &arguments) {
  auto results = reference::interpret(
      module.lookupSymbol<func::FuncOp>(function), arguments);
  if (succeeded(results))
    return {results->begin(), results->end()};
  ADD_FAILURE() << "@" << function << " does not run";
  return {};
}

std::vector<double> spread(int64_t count, double low, double high, int salt) {
  std::vector<double> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = low + (high - low) * (i + 0.3 + 0.037 * salt) / double(count);
  uint32_t state = 12345 + salt;
  for (int64_t i = count - 1; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    std::swap(values[i], values[(state >> 8) % (i + 1)]);
  }
  return values;
}

/// Replaces @main's result by a weighted sum of it, with weights that tell its
/// elements apart.
static void weighResult(func::FuncOp main) {
  Operation *end = main.getBody().front().getTerminator();
  OpBuilder builder(end);
  Value result = end->getOperand(0);
  auto type = cast<RankedTensorType>(result.getType());
  auto weights = DenseElementsAttr::get(
      type, ArrayRef(spread(type.getNumElements(), 0.5, 1.5, 99)));
  Location location = main.getLoc();
  Value weighted = repro::MulOp::create(
      builder, location, result,
      repro::ConstantOp::create(builder, location, type, weights));
  SmallVector<int64_t> all(type.getRank());
  std::iota(all.begin(), all.end(), 0);
  end->setOperand(0, repro::createReduceDims(builder, location,
                                             repro::ReduceKind::Sum, weighted,
                                             all));
  main.setType(
      builder.getFunctionType(main.getArgumentTypes(), end->getOperandTypes()));
}

static bool isFloat(Value value) {
  return isa<FloatType>(
      cast<RankedTensorType>(value.getType()).getElementType());
}

/// A copy of @main, @gradient, that returns the gradients instead.
static void addGradient(ModuleOp module, func::FuncOp main) {
  func::FuncOp copy = main.clone();
  copy.setName("gradient");
  module.push_back(copy);
  Operation *end = copy.getBody().front().getTerminator();
  OpBuilder builder(end);
  SmallVector<Value> wrt;
  for (Value argument : copy.getArguments())
    if (isFloat(argument))
      wrt.push_back(argument);
  auto gradient =
      GradientOp::create(builder, copy.getLoc(), ValueRange(wrt).getTypes(),
                         end->getOperand(0), wrt);
  end->setOperands(gradient.getResults());
  copy.setType(
      builder.getFunctionType(copy.getArgumentTypes(), end->getOperandTypes()));
}

static std::vector<Tensor> makeArguments(func::FuncOp main,
                                         const std::vector<Range> &ranges) {
  std::vector<Tensor> arguments;
  for (auto [i, argument] : llvm::enumerate(main.getArguments())) {
    auto type = cast<RankedTensorType>(argument.getType());
    Range range = i < ranges.size() ? ranges[i] : Range();
    if (isFloat(argument)) {
      arguments.push_back(Tensor::of(
          type.getShape().vec(),
          spread(type.getNumElements(), range.low, range.high, int(i))));
      continue;
    }
    std::vector<int64_t> numbers(type.getNumElements());
    for (size_t k = 0; k < numbers.size(); ++k)
      numbers[k] = int64_t(k) % int64_t(range.high);
    arguments.push_back(Tensor::of(type.getShape().vec(), numbers));
  }
  return arguments;
}

void expectGradient(const std::string &text, std::vector<Range> ranges,
                    double tolerance) {
  SCOPED_TRACE(text);
  auto module = parseSourceString<ModuleOp>(text, &context());
  ASSERT_TRUE(module);
  auto main = module->lookupSymbol<func::FuncOp>("main");
  weighResult(main);
  addGradient(*module, main);
  ASSERT_TRUE(succeeded(lower(*module)));

  std::vector<Tensor> arguments = makeArguments(main, ranges);
  std::vector<Tensor> gradients = run(*module, "gradient", arguments);
  size_t next = 0;
  for (auto [i, argument] : llvm::enumerate(main.getArguments())) {
    if (!isFloat(argument))
      continue;
    ASSERT_LT(next, gradients.size());
    const Tensor &gradient = gradients[next++];
    for (int64_t k = 0; k < gradient.numElements(); ++k) {
      const double step = 1e-5;
      auto lossAt = [&](double offset) {
        std::vector<Tensor> moved = arguments;
        moved[i].as<double>()[k] += offset;
        std::vector<Tensor> results = run(*module, "main", moved);
        return results.empty() ? NAN
                               : std::as_const(results[0]).as<double>()[0];
      };
      double expected = (lossAt(step) - lossAt(-step)) / (2 * step);
      EXPECT_NEAR(gradient.as<double>()[k], expected,
                  tolerance * std::max(1.0, std::abs(expected)))
          << "argument " << i << ", element " << k;
    }
  }
}

} // namespace gensyn::train::test
