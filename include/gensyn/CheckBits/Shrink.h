// Reduces a program to the part that still shows a difference.

#ifndef GENSYN_CHECKBITS_SHRINK_H
#define GENSYN_CHECKBITS_SHRINK_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace gensyn::checkbits {

/// A module with one function of repro ops, and inputs for it.
struct Case {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Tensor> inputs;

  mlir::func::FuncOp getFunction() const;
  Case clone() const;
};

/// A case with a copy of `function` alone.
Case makeCase(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> inputs);

/// Reduces `failing` for as long as `fails` returns true for the rest; it is
/// true for `failing` itself. Drops results and the ops that only they need,
/// replaces ops by new arguments with the op's reference value, and reduces
/// fully elementwise functions to one element. The same case gives the same
/// result.
void shrink(Case &failing, llvm::function_ref<bool(const Case &)> fails);

} // namespace gensyn::checkbits

#endif
