// What the narrow floats are, said a second time and as slowly as can be: the
// list of their values, and a search in it. Shares no code with the product.

#ifndef GENSYN_TEST_UNIT_NUMERICS_NARROWORACLE_H
#define GENSYN_TEST_UNIT_NUMERICS_NARROWORACLE_H

#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/NarrowFloat.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace gensyn::narrow {

/// One format with a sign.
class Oracle {
public:
  explicit Oracle(ElementType type);

  /// The value of a pattern: a NaN and infinities where it stands for those.
  double valueOf(uint32_t bits) const;

  /// The finite magnitudes, ascending, from 0.
  std::vector<double> magnitudes() const;
  /// The next one; after the largest, what would come next if there were more
  /// exponents.
  double after(double magnitude) const;

  /// The pattern that `x` converts to.
  uint32_t round(double x, bool saturate) const;

private:
  int width, mantissa, bias;
  bool hasInfinity, hasMinusZero;
  /// The NaN with a sign of 0, and -0's pattern where that is the only NaN.
  uint32_t nan;
  /// Finite magnitudes and their patterns, ascending.
  std::vector<std::pair<double, uint32_t>> finite;
};

/// The pattern of E8M0 that `x` converts to.
uint32_t roundToPower(double x, Narrowing how);

} // namespace gensyn::narrow

#endif
