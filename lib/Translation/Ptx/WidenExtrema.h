// Computes minima and maxima of narrow integers in 32 bits.

#ifndef GENSYN_TRANSLATION_PTX_WIDENEXTREMA_H
#define GENSYN_TRANSLATION_PTX_WIDENEXTREMA_H

namespace llvm {
class Module;
} // namespace llvm

namespace gensyn::ptx {

/// Computes minima and maxima of integers of less than 32 bits in 32 bits, and
/// compares such integers there, so that the back end finds no narrow minimum
/// in a comparison and a select. The values stay the same. NVIDIA's assembler
/// is wrong about some narrow ones (Ptx/Audit.h, packed-extremum), and no GPU
/// has faster ones for single values.
void widenExtrema(llvm::Module &module);

} // namespace gensyn::ptx

#endif // GENSYN_TRANSLATION_PTX_WIDENEXTREMA_H
