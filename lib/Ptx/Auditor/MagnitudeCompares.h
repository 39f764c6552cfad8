// Finds comparisons of magnitudes that the assembler takes for true.

#ifndef GENSYN_PTX_MAGNITUDECOMPARES_H
#define GENSYN_PTX_MAGNITUDECOMPARES_H

#include "gensyn/Ptx/Syntax.h"

#include <vector>

namespace gensyn::ptx {

/// For each instruction of a function whether it is a `setp` of f32, ordered,
/// that a magnitude passes unless it is a NaN, as `|x| >= -1`: that all numbers
/// pass is known of the results of `abs`, also after `neg`, `selp.f32`, `min`,
/// `max` and `mov`.
///
/// ptxas (13.0, for sm_75 to sm_120) takes such a comparison for true. By the
/// PTX manual it is false for a NaN. It knows nothing about f64 and f16, bits
/// that `and` masks, and results of arithmetic.
std::vector<bool> findMagnitudeCompares(const Function &function);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_MAGNITUDECOMPARES_H
