// Selects that the assembler would take for a minimum or a maximum.

#ifndef GENSYN_TRANSLATION_PTX_SELECTBYBITS_H
#define GENSYN_TRANSLATION_PTX_SELECTBYBITS_H

namespace llvm {
class Module;
} // namespace llvm

namespace gensyn::ptx {

/// Makes selects between the two f32 that their condition compares by bit
/// operations, where a NaN that is selected keeps its bits and something other
/// than float arithmetic sees them, as a store of `x <= 0 ? 0 : x` does. The
/// values stay the same. NVIDIA's assembler takes such a select for a maximum
/// or minimum, whose NaN is always 0x7FFFFFFF (Ptx/Audit.h,
/// selected-extremum).
void selectByBits(llvm::Module &module);

} // namespace gensyn::ptx

#endif // GENSYN_TRANSLATION_PTX_SELECTBYBITS_H
