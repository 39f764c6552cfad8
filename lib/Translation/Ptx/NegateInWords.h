// Negations of the least integer, which has no negative.

#ifndef GENSYN_TRANSLATION_PTX_NEGATEINWORDS_H
#define GENSYN_TRANSLATION_PTX_NEGATEINWORDS_H

namespace llvm {
class Module;
} // namespace llvm

namespace gensyn::ptx {

/// Negates integers of less than 32 bits in 32 bits, and hides the negations
/// that absolute values are made of from the back end, which would find them.
/// The values stay the same. NVIDIA's assembler forgets that the negative and
/// the absolute value of the least integer are that integer (Ptx/Audit.h,
/// negated-least).
void negateInWords(llvm::Module &module);

} // namespace gensyn::ptx

#endif // GENSYN_TRANSLATION_PTX_NEGATEINWORDS_H
