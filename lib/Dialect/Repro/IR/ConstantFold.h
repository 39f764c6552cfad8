// Folding of ops with constant operands by their own normative meaning.

#ifndef GENSYN_LIB_DIALECT_REPRO_IR_CONSTANTFOLD_H
#define GENSYN_LIB_DIALECT_REPRO_IR_CONSTANTFOLD_H

#include "mlir/Interfaces/FoldInterfaces.h"

namespace gensyn::repro {

/// Evaluates any op of the set whose operands are constants, through
/// ReferenceOpInterface: a fold can never give other bits than a run.
struct ReproFoldInterface : public mlir::DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  mlir::LogicalResult
  fold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
       llvm::SmallVectorImpl<mlir::OpFoldResult> &results) const final;
};

} // namespace gensyn::repro

#endif
