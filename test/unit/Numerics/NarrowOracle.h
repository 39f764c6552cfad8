// A second, deliberately simple definition of the narrow floats: the list of
// their values, and a search in it. Shares no code with the product.

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

  /// The value of a pattern: a NaN or an infinity if it is one.
  double valueOf(uint32_t bits) const;

  /// The finite magnitudes, ascending, from 0.
  std::vector<double> magnitudes() const;
  /// The next one; after the largest, the one that would follow if there were
  /// more exponents.
  double after(double magnitude) const;

  /// The pattern to which `x` converts.
  uint32_t round(double x, bool saturate) const;

private:
  int width, mantissa, bias;
  bool hasInfinity, hasMinusZero;
  /// The NaN with a sign of 0, or -0's pattern where that is the only NaN.
  uint32_t nan;
  /// Finite magnitudes and their patterns, ascending.
  std::vector<std::pair<double, uint32_t>> finite;
};

/// The pattern of E8M0 to which `x` converts.
uint32_t roundToPower(double x, Narrowing how);

} // namespace gensyn::narrow

#endif
