// Correctly rounded results of the functions, sharing nothing with the code
// under test: the C library's f64 function decides unless a rounding boundary
// lies within its error; then its 113-bit function does.

#ifndef GENSYN_TEST_UNIT_NUMERICS_ORACLE_H
#define GENSYN_TEST_UNIT_NUMERICS_ORACLE_H

#include "gensyn/Numerics/Evaluate.h"

#include <cstdint>

namespace gensyn::oracle {

struct Answer {
  uint32_t bits;  ///< the correctly rounded result; 7FC00000 for a NaN
  bool undecided; ///< even 113 bits leave the rounding open
  /// The distance of the true result from the nearest boundary between two f32,
  /// as -log2 of the relative distance; 0 if f64 decided.
  int closeness;
};

Answer answer(Function function, float x);

/// Returns x to the power of y. Powers on a rounding boundary are exact in 113
/// bits, so they are decided too.
Answer answerPow(float x, float y);

/// The error of y against the true exp or log of x, in units of the last place
/// of an f64 at the true result; 0 if both are the same infinity or NaN.
double errorInUlp(Function function, double x, double y);

} // namespace gensyn::oracle

#endif // GENSYN_TEST_UNIT_NUMERICS_ORACLE_H
