// Lowers functions over buffers to machine code.

#ifndef GENSYN_CODEGEN_CPU_LOWER_H
#define GENSYN_CODEGEN_CPU_LOWER_H

#include "gensyn/Codegen/Cpu/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace gensyn::cpu {

/// Adds the passes that lower functions over memrefs to the LLVM dialect, with
/// bare pointers for memrefs. The ABI of the runtime is not part of it.
void addLoweringPasses(mlir::OpPassManager &passes, const Target &target);

/// Compiles a lowered module to a relocatable ELF object and returns its bytes.
llvm::FailureOr<std::string> emitObject(mlir::ModuleOp module,
                                        const Target &target);

/// Links relocatable objects to a shared object without undefined symbols. On
/// failure `error` has the linker's message.
llvm::FailureOr<std::string> linkObjects(llvm::ArrayRef<std::string> objects,
                                         std::string &error);

} // namespace gensyn::cpu

#endif
