// Lowers functions over buffers to machine code.

#ifndef GENSYN_CODEGEN_CPU_LOWER_H
#define GENSYN_CODEGEN_CPU_LOWER_H

#include "gensyn/Codegen/Cpu/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace gensyn::cpu {

/// Adds the passes that lower functions over memrefs to the LLVM dialect, with
/// bare pointers for memrefs. The ABI of the runtime is not part of it.
void addLoweringPasses(mlir::OpPassManager &passes, const Target &target);

/// Compiles a lowered module to a relocatable ELF object and returns its bytes.
/// Without `optimize` it takes less time (-O0).
llvm::FailureOr<std::string>
emitObject(mlir::ModuleOp module, const Target &target, bool optimize = true);

/// The same of a module of LLVM IR that has only data. On failure `error` has
/// the reason.
llvm::FailureOr<std::string> emitData(llvm::Module &data, const Target &target,
                                      std::string &error);

/// Links relocatable objects to a shared object without undefined symbols. On
/// failure `error` has the linker's message.
llvm::FailureOr<std::string> linkObjects(llvm::ArrayRef<std::string> objects,
                                         std::string &error);

/// The same to one relocatable object, which may have undefined symbols.
llvm::FailureOr<std::string> joinObjects(llvm::ArrayRef<std::string> objects,
                                         std::string &error);

/// Links the same files several times, with others each time.
class Linker {
public:
  /// `options` are those of ld. The files are objects and linker scripts. If
  /// they cannot be written, link() fails.
  Linker(llvm::ArrayRef<std::string> options,
         llvm::ArrayRef<llvm::StringRef> objects);
  ~Linker();
  Linker(const Linker &) = delete;
  Linker &operator=(const Linker &) = delete;

  /// Links with files of these contents, and returns the result.
  llvm::FailureOr<std::string> link(llvm::ArrayRef<llvm::StringRef> more,
                                    std::string &error);

private:
  bool add(llvm::StringRef bytes, llvm::Twine name,
           std::vector<std::string> &arguments);

  std::string folder, problem;
  std::vector<std::string> arguments;
};

} // namespace gensyn::cpu

#endif
