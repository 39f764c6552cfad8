// Folding of ops with constant operands by the reference semantics.

#ifndef GENSYN_LIB_DIALECT_REPRO_IR_CONSTANTFOLD_H
#define GENSYN_LIB_DIALECT_REPRO_IR_CONSTANTFOLD_H

#include "mlir/Interfaces/FoldInterfaces.h"

namespace gensyn::repro {

/// Evaluates any repro op with constant operands through ReferenceOpInterface,
/// so that a fold always has the bits of a run.
struct ReproFoldInterface : public mlir::DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  mlir::LogicalResult
  fold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
       llvm::SmallVectorImpl<mlir::OpFoldResult> &results) const final;
};

} // namespace gensyn::repro

#endif
