// Linear index expressions as plain numbers.

#ifndef GENSYN_DIALECT_REPRO_IR_LINEAREXPR_H
#define GENSYN_DIALECT_REPRO_IR_LINEAREXPR_H

#include "mlir/IR/AffineExpr.h"

namespace gensyn::repro {

/// constant + sum of coefficients[i] * d_i.
struct LinearExpr {
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;

  /// Reads an expression in `rank` dimensions; fails on floordiv, ceildiv and
  /// mod, and on numbers beyond 64 bits.
  static llvm::FailureOr<LinearExpr> get(mlir::AffineExpr expr, unsigned rank);

  /// The iterators with a coefficient, ascending.
  llvm::SmallVector<unsigned> iterators() const;
};

} // namespace gensyn::repro

#endif
