// Every op that has a derivative, against central differences in f64.

#include "DerivativeCases.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gtest/gtest.h"

using namespace gensyn::train::test;

TEST(Derivative, OfEveryElementwiseOp) {
  for (const DerivativeCase &item : elementwiseCases())
    expectGradient(item.text, item.ranges, item.tolerance);
}

TEST(Derivative, OfEveryMovementOp) {
  for (const DerivativeCase &item : movementCases())
    expectGradient(item.text, item.ranges, item.tolerance);
}

TEST(Derivative, OfEveryReduction) {
  for (const DerivativeCase &item : reductionCases())
    expectGradient(item.text, item.ranges, item.tolerance);
}

TEST(Derivative, OfIndexingPrefixesAndSorting) {
  for (const DerivativeCase &item : indexingCases())
    expectGradient(item.text, item.ranges, item.tolerance);
}

TEST(Derivative, OfBranchesAndLoops) {
  for (const DerivativeCase &item : controlCases())
    expectGradient(item.text, item.ranges, item.tolerance);
}

// The derivative of a derivative, at one point of each function's domain.
TEST(Derivative, OfDerivativesOfFunctions) {
  auto check = [](const std::string &name) {
    const Range range = name == "log"     ? Range{0.5, 1.0}
                        : name == "acosh" ? Range{1.3, 2.0}
                                          : Range{0.2, 0.9};
    expectGradient("func.func @main(%x: tensor<f64>) -> tensor<f64> {\n"
                   "  %y = repro." +
                       name +
                       " %x : tensor<f64>\n"
                       "  %g = train.gradient %y wrt (%x) : (tensor<f64>, "
                       "tensor<f64>) -> tensor<f64>\n"
                       "  return %g : tensor<f64>\n}\n",
                   {range});
  };
#define GENSYN_FUNCTION(Stem, name) check(#name);
#include "gensyn/Numerics/Functions.def"
}

// An op that joins the set without a case here fails this. A bitcast has no
// derivative, and says so (Differentiate.mlir).
TEST(Derivative, NoOpIsForgotten) {
  std::string texts = "repro.bitcast ";
  for (const auto &cases : {controlCases(), elementwiseCases(), indexingCases(),
                            movementCases(), reductionCases()})
    for (const DerivativeCase &item : cases)
      texts += item.text;
  for (mlir::RegisteredOperationName name :
       context().getRegisteredOperationsByDialect("repro"))
    if (name.hasInterface<gensyn::repro::DifferentiableOpInterface>())
      EXPECT_NE(texts.find(name.getStringRef().str() + " "), std::string::npos)
          << name.getStringRef().str();
}
