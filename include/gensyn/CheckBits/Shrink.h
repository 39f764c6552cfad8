// Cuts the part out of a program that still shows a difference.

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

/// Makes `failing` smaller for as long as `fails` says that what is left still
/// fails, which it does at first: drops results and what only they needed,
/// replaces ops by new arguments with the value the reference has there, and
/// leaves one element of what is elementwise throughout. The same case gives
/// the same result.
void shrink(Case &failing, llvm::function_ref<bool(const Case &)> fails);

} // namespace gensyn::checkbits

#endif
