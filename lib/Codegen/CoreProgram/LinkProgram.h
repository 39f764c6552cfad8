// Links programs of cores of one kind.

#ifndef GENSYN_LIB_CODEGEN_COREPROGRAM_LINKPROGRAM_H
#define GENSYN_LIB_CODEGEN_COREPROGRAM_LINKPROGRAM_H

#include "gensyn/Codegen/CoreProgram/CoreProgram.h"
#include "gensyn/Codegen/Cpu/Lower.h"

#include <string>

namespace gensyn::coreprogram {

class ProgramLinker {
public:
  /// `pieces` is the relocatable object with the functions of all pieces.
  ProgramLinker(const machine::CoreKind &kind,
                const machine::MemoryKind &memory, const cpu::Target &target,
                llvm::StringRef pieces, llvm::ArrayRef<llvm::StringRef> more);

  /// Fills file and sizes of a program with these tables. On failure `error`
  /// has the reason.
  llvm::LogicalResult link(llvm::StringRef tables, CoreProgram &program,
                           std::string &error);

private:
  uint64_t stack;
  std::string script;
  cpu::Linker linker;
};

} // namespace gensyn::coreprogram

#endif
