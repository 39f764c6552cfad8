// Checks an object out of the cache before the linker sees it.

#ifndef GENSYN_LIB_CODEGEN_CPU_OBJECTCHECK_H
#define GENSYN_LIB_CODEGEN_CPU_OBJECTCHECK_H

#include "llvm/ADT/StringRef.h"

namespace gensyn::cpu {

/// True if these bytes are a relocatable ELF object for this processor whose
/// sections, symbols and relocations lie where they say, that defines a symbol
/// `name` or one that begins with `name` and an underscore, and that needs
/// nothing of anybody else. It says nothing of what the code does.
bool isKernelObject(llvm::StringRef bytes, llvm::StringRef name);

} // namespace gensyn::cpu

#endif
