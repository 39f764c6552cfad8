// Finds selects that the assembler takes for a minimum or a maximum.

#ifndef GENSYN_PTX_SELECTEDEXTREMA_H
#define GENSYN_PTX_SELECTEDEXTREMA_H

#include "gensyn/Ptx/Syntax.h"

#include <vector>

namespace gensyn::ptx {

/// For each instruction of a function whether it is a select between the two
/// f32 that its predicate compares, may return a NaN of a register, and has a
/// result that something other than float arithmetic reads.
///
/// ptxas (13.0, for sm_80 to sm_120) makes one FMNMX.NAN of `setp.le.f32 p, x,
/// 0` and `selp.b32 y, 0, x, p`, also of predicated moves. It returns
/// 0x7FFFFFFF for every NaN; by the PTX manual y has the bits of x. So far it
/// was seen for constants only.
std::vector<bool> findSelectedExtrema(const Function &function);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_SELECTEDEXTREMA_H
