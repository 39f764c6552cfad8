// Checks an object from the cache before the linker reads it.

#ifndef GENSYN_LIB_CODEGEN_CPU_OBJECTCHECK_H
#define GENSYN_LIB_CODEGEN_CPU_OBJECTCHECK_H

#include "gensyn/Machine/Cpu.h"
#include "llvm/ADT/StringRef.h"

namespace gensyn::cpu {

/// True if these bytes are a relocatable ELF object for the architecture of
/// `target` whose sections, symbols and relocations are in bounds, which
/// defines a symbol `name` or one that begins with `name` and an underscore,
/// and which has no undefined symbols. The code itself is not checked.
bool isKernelObject(llvm::StringRef bytes, llvm::StringRef name,
                    const machine::Cpu &target);

} // namespace gensyn::cpu

#endif
