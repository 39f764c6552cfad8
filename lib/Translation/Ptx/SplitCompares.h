// Comparisons of magnitudes, whose answer for a NaN the assembler forgets.

#ifndef GENSYN_TRANSLATION_PTX_SPLITCOMPARES_H
#define GENSYN_TRANSLATION_PTX_SPLITCOMPARES_H

namespace llvm {
class Module;
} // namespace llvm

namespace gensyn::ptx {

/// Splits ordered comparisons of a magnitude that every number passes, as
/// `|x| >= -1`, into the unordered one and "is no NaN". The values stay the
/// same. NVIDIA's assembler takes the ordered one for true, also of a NaN
/// (Ptx/Audit.h, magnitude-compare).
void splitCompares(llvm::Module &module);

} // namespace gensyn::ptx

#endif // GENSYN_TRANSLATION_PTX_SPLITCOMPARES_H
