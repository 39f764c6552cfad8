// What a step's update does with the sums of its microbatches.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_GRADIENTS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_GRADIENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace gensyn::train {

/// The gensyn.name of an argument or result; empty if it has none.
llvm::StringRef nameOfArgument(mlir::func::FuncOp function, unsigned number);
llvm::StringRef nameOfResult(mlir::func::FuncOp function, unsigned number);

/// The names of the sums that the loss of a step depends on.
llvm::StringSet<> findLossSums(mlir::func::FuncOp update);

/// For each sum's name that of the parameter whose gradient it is: of the
/// parameter's type, and the nearest that its next value is computed from by
/// values of as many elements. So the norm of all gradients leads to none.
llvm::StringMap<llvm::StringRef> findGradients(mlir::func::FuncOp update);

} // namespace gensyn::train

#endif
