// The iteration space of a contraction or reduction as plain numbers, for the
// verifier, the reference and derivatives.

#ifndef GENSYN_LIB_DIALECT_REPRO_IR_ITERATIONSPACE_H
#define GENSYN_LIB_DIALECT_REPRO_IR_ITERATIONSPACE_H

#include "gensyn/Dialect/Repro/IR/LinearExpr.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::repro {

/// Index expressions of one tensor, one per dimension.
using LinearMap = llvm::SmallVector<LinearExpr>;

/// Extents and maps; `maps` has the operands' first and the result's last.
struct IterationSpace {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> reduced;
  llvm::SmallVector<LinearMap> maps;
  /// The shape of each map's tensor.
  llvm::SmallVector<llvm::SmallVector<int64_t>> shapes;

  /// Reads an op's attributes; fails where a map is not linear.
  static llvm::FailureOr<IterationSpace> get(DomainAttr domain,
                                             mlir::ArrayAttr maps,
                                             mlir::ValueRange operands,
                                             mlir::Value result);

  /// Replaces iterator `iterator` by a linear expression in all maps.
  void substitute(unsigned iterator, const LinearExpr &replacement);
  /// Inserts an iterator after `after` and returns its number.
  unsigned insertIterator(unsigned after, int64_t extent);
  /// Removes an iterator that no map uses.
  void eraseIterator(unsigned iterator);

  /// True if constant and coefficients are at most `kMaxElements` in magnitude
  /// and all values over the domain at most `kMaxDomainPoints` (domain_c5). The
  /// verifier requires it, so nothing below overflows.
  bool isBounded(const LinearExpr &expr) const;
  /// The least and greatest value of an expression over the domain.
  std::pair<int64_t, int64_t> range(const LinearExpr &expr) const;
  /// True if some point of the domain is outside of tensor `tensor`.
  bool mayLeave(unsigned tensor) const;

  /// Makes the iterators of the last map parallel and the others reduced.
  /// Renumbers iterators: parallel first, in the order of the result's
  /// dimensions, then the reduced ones in their present order.
  void normalize();

  DomainAttr getDomain(mlir::MLIRContext *context) const;
  mlir::ArrayAttr getMaps(mlir::MLIRContext *context) const;
};

} // namespace gensyn::repro

#endif
