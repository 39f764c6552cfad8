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

// An op that joins the set without a case here fails this.
TEST(Derivative, NoOpIsForgotten) {
  std::string texts;
  for (const auto &cases :
       {elementwiseCases(), movementCases(), reductionCases()})
    for (const DerivativeCase &item : cases)
      texts += item.text;
  for (mlir::RegisteredOperationName name :
       context().getRegisteredOperationsByDialect("repro"))
    if (name.hasInterface<gensyn::repro::DifferentiableOpInterface>())
      EXPECT_NE(texts.find(name.getStringRef().str() + " "), std::string::npos)
          << name.getStringRef().str();
}
