// The referee: runs a frozen program by the normative semantics of its ops.

#ifndef GENSYN_REFERENCE_INTERPRETER_H
#define GENSYN_REFERENCE_INTERPRETER_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::reference {

/// Runs `function` on `arguments` and returns its results. Works on any
/// function of repro ops, grouped into kernels or not. Fails, after an error,
/// if an argument's type or shape differs from the declared one or an op has no
/// reference semantics.
llvm::FailureOr<llvm::SmallVector<Tensor>>
interpret(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments);

} // namespace gensyn::reference

#endif
