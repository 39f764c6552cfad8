// gpu.modules to PTX text, by LLVM's NVPTX back end.

#ifndef GENSYN_TRANSLATION_PTX_PTX_H
#define GENSYN_TRANSLATION_PTX_PTX_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace gensyn::ptx {

/// A generation of GPUs and the PTX version that is written for it: the oldest
/// one that knows it, so that old drivers load the text too.
struct GpuTarget {
  int sm;
  int ptx;
};

/// The targets that PTX is written for, ascending.
llvm::ArrayRef<GpuTarget> getGpuTargets();

/// The target of a name such as "sm_90"; none where it is not in the table.
std::optional<GpuTarget> parseGpuTarget(llvm::StringRef name);

/// Writes every gpu.module in `module`, in llvm and nvvm ops, as one PTX text,
/// on the threads of the context, where it has some. No LLVM optimisation runs
/// and nothing is contracted: the instructions are those of the module. The
/// same module gives the same text on any number of threads. Fails after an
/// error, also where there is no gpu.module or two define one name.
llvm::FailureOr<std::string> translateToPtx(mlir::ModuleOp module,
                                            GpuTarget target);

} // namespace gensyn::ptx

#endif
