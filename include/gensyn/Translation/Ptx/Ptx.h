// Translates gpu.modules to PTX text with LLVM's NVPTX back end.

#ifndef GENSYN_TRANSLATION_PTX_PTX_H
#define GENSYN_TRANSLATION_PTX_PTX_H

#include "gensyn/Machine/Gpu.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace gensyn::ptx {

/// Translates every gpu.module in `module`, in llvm and nvvm ops, to one PTX
/// text, on the threads of the context if it has any. Neither LLVM's
/// optimizations nor contraction run: the instructions are those of the module.
/// The text does not depend on the number of threads. Fails after an error,
/// also if there is no gpu.module, two define the same name, or the auditor
/// (Ptx/Audit.h) finds an instruction that could give other bits.
llvm::FailureOr<std::string> translateToPtx(mlir::ModuleOp module,
                                            const machine::Gpu &target);

} // namespace gensyn::ptx

#endif
