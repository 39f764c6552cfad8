// Observes ops while the reference interpreter evaluates them.

#ifndef GENSYN_DIALECT_REPRO_EVALUATE_EVALUATIONOBSERVER_H
#define GENSYN_DIALECT_REPRO_EVALUATE_EVALUATIONOBSERVER_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/Operation.h"

namespace gensyn::repro {

/// Notified of every op that is evaluated on this thread while the object
/// lives: of ops in a region before the op that contains it, and of ops in a
/// loop once per iteration. Only the innermost observer is notified.
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
