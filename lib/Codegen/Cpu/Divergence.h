// Values of a loop's body that differ between iterations.

#ifndef GENSYN_LIB_CODEGEN_CPU_DIVERGENCE_H
#define GENSYN_LIB_CODEGEN_CPU_DIVERGENCE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace gensyn::cpu {

/// Values that depend on the loop's induction variable are divergent, all
/// others uniform.
class Divergence {
public:
  explicit Divergence(mlir::scf::ForOp loop);

  bool contains(mlir::Value value) const { return divergent.contains(value); }
  bool hasAny(mlir::ValueRange values) const;
  /// True if every operation of the body can be executed for several iterations
  /// at once; see widenLoop.
  bool canWiden();
  /// Returns 32 if all divergent indices are proved to fit in so many bits,
  /// else 64. Indices that are read from memory may have any value.
  unsigned getIndexWidth();

private:
  void propagate(mlir::Block &block);
  void mark(mlir::Value value);
  bool canWiden(mlir::Operation &op);

  mlir::scf::ForOp loop;
  llvm::DenseSet<mlir::Value> divergent;
  bool hasChanged = false;
};

} // namespace gensyn::cpu

#endif
