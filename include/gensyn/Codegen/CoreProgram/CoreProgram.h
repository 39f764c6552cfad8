// ELF executables of a mapping's cores, for the instruction set that the
// machine file has of them (docs/CorePrograms.md).

#ifndef GENSYN_CODEGEN_COREPROGRAM_COREPROGRAM_H
#define GENSYN_CODEGEN_COREPROGRAM_COREPROGRAM_H

#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Description.h"

#include <string>
#include <vector>

namespace gensyn::coreprogram {

struct CoreProgram {
  uint32_t core = 0;
  /// An ELF executable with symbols.
  std::string file;
  /// Bytes in the core's memory: functions with their constants; the tables of
  /// tasks; memory that begins as zeros; the stack.
  uint64_t code = 0, tables = 0, zeros = 0, stack = 0;
};

/// Links a program for each core of a mapping that has tasks, in ascending
/// order. `module` has the pieces, as exportMapping needs them. `options` has
/// threads and the functions for messages; target, schedules and cache are set
/// here. Functions of `objects`, which are ELF files, take the place of those
/// for an emulator. Fails after an error if a core's kind has no instruction
/// set, or a table or an address does not fit into 32 bits.
llvm::FailureOr<std::vector<CoreProgram>>
linkCorePrograms(mlir::ModuleOp module, const machine::Description &machine,
                 const mapping::Mapping &mapping, cpu::CompileOptions options,
                 llvm::ArrayRef<llvm::StringRef> objects = {});

} // namespace gensyn::coreprogram

#endif
