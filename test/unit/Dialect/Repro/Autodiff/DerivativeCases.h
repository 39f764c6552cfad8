// Small f64 functions, at points where they are smooth.

#ifndef GENSYN_TEST_UNIT_DIALECT_REPRO_AUTODIFF_DERIVATIVECASES_H
#define GENSYN_TEST_UNIT_DIALECT_REPRO_AUTODIFF_DERIVATIVECASES_H

#include "../../Harness.h"

namespace gensyn::train::test {

struct DerivativeCase {
  std::string text;
  std::vector<Range> ranges;
  double tolerance = 1e-6;
};

std::vector<DerivativeCase> controlCases();
std::vector<DerivativeCase> elementwiseCases();
std::vector<DerivativeCase> indexingCases();
std::vector<DerivativeCase> movementCases();
std::vector<DerivativeCase> reductionCases();

} // namespace gensyn::train::test

#endif
