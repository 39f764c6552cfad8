// The functions in double-float arithmetic over arrays, for tests of all
// inputs.

#ifndef GENSYN_TEST_UNIT_NUMERICS_TWOFLOAT_H
#define GENSYN_TEST_UNIT_NUMERICS_TWOFLOAT_H

#include "gensyn/Numerics/Evaluate.h"

#include <cstdint>

namespace gensyn::twofloat {

/// For i < n: the result of the pairs for x[i], and 1 in `unsure` if they leave
/// it to f64, else 0.
void attempt(Function function, const float *x, float *y, uint32_t *unsure,
             int64_t n);

} // namespace gensyn::twofloat

#endif // GENSYN_TEST_UNIT_NUMERICS_TWOFLOAT_H
