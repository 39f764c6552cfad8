// The functions in double-float arithmetic over arrays, for tests of all
// inputs.

#ifndef GENSYN_TEST_UNIT_NUMERICS_TWOFLOAT_H
#define GENSYN_TEST_UNIT_NUMERICS_TWOFLOAT_H

#include "gensyn/Numerics/Evaluate.h"

#include <cstdint>

namespace gensyn::twofloat {

/// The ways to compute with pairs. Only some functions have those with tables,
/// of 8 and of 32 words.
enum class Way { Plain, Octets, Tables };
constexpr Way kWays[] = {Way::Plain, Way::Octets, Way::Tables};
/// "", "Octets" or "Tables".
const char *name(Way way);
bool has(Function function, Way way);

/// For i < n: the result of the pairs for x[i], and 1 in `unsure` if they leave
/// it to f64, else 0.
void attempt(Function function, Way way, const float *x, float *y,
             uint32_t *unsure, int64_t n);

/// The result for one x, by f64 where the pairs are unsure.
float one(Function function, Way way, float x);

} // namespace gensyn::twofloat

#endif // GENSYN_TEST_UNIT_NUMERICS_TWOFLOAT_H
