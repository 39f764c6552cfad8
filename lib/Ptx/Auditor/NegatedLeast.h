// Finds negations of integers whose least number the assembler gets wrong.

#ifndef GENSYN_PTX_NEGATEDLEAST_H
#define GENSYN_PTX_NEGATEDLEAST_H

#include "gensyn/Ptx/Syntax.h"

#include <vector>

namespace gensyn::ptx {

/// For each instruction of a function whether it is `abs` of integers, or a
/// negation in 16 bits whose result is read as a signed number of 16 bits.
///
/// ptxas (13.0, for sm_75 to sm_120) takes the negative of an extended 16-bit
/// integer for the extension of its negative, which differ for -32768: in
/// `cvt`, `shr`, `setp`, `div`, `rem`, `min`, `max`, `mul.wide` and the like of
/// `.s16`. Other readers see the 16 bits. It takes `|x| < 0` for false, which
/// holds for the least integer.
std::vector<bool> findNegatedLeast(const Function &function);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_NEGATEDLEAST_H
