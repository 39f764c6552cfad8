// Looks on while ops are evaluated by their reference meaning.

#ifndef GENSYN_DIALECT_REPRO_EVALUATE_EVALUATIONOBSERVER_H
#define GENSYN_DIALECT_REPRO_EVALUATE_EVALUATIONOBSERVER_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/Operation.h"

namespace gensyn::repro {

/// Is told of every op that is evaluated on this thread while it lives: of
/// those in a region before the op that they belong to, and of those in a loop
/// once an iteration. The innermost one is told.
class EvaluationObserver {
public:
  EvaluationObserver();
  virtual ~EvaluationObserver();
  EvaluationObserver(const EvaluationObserver &) = delete;
  EvaluationObserver &operator=(const EvaluationObserver &) = delete;

  /// The innermost observer of this thread, or null.
  static EvaluationObserver *current();

  virtual void evaluated(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
                         llvm::ArrayRef<Tensor> results) = 0;

private:
  EvaluationObserver *outer;
};

} // namespace gensyn::repro

#endif
