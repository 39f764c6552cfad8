// From functions over buffers to machine code: the steps that any such function
// goes through, whoever emitted it.

#ifndef GENSYN_CODEGEN_CPU_LOWER_H
#define GENSYN_CODEGEN_CPU_LOWER_H

#include "gensyn/Codegen/Cpu/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace gensyn::cpu {

/// Adds the passes that lower functions over memrefs to the LLVM dialect: bare
/// pointers for memrefs. Without the change to the ABI of the runtime.
void addLoweringPasses(mlir::OpPassManager &passes, const Target &target);

/// Machine code of a lowered module: the bytes of a relocatable ELF object.
llvm::FailureOr<std::string> emitObject(mlir::ModuleOp module,
                                        const Target &target);

/// One shared object of relocatable ones, without undefined symbols. On failure
/// `error` says what the linker said.
llvm::FailureOr<std::string> linkObjects(llvm::ArrayRef<std::string> objects,
                                         std::string &error);

} // namespace gensyn::cpu

#endif
