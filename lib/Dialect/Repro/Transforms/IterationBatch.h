// Values of a loop's body computed for all of its iterations before the loop.

#ifndef GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_ITERATIONBATCH_H
#define GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_ITERATIONBATCH_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/ADT/DenseMap.h"

namespace gensyn::repro {

/// The values of a loop without a flag that depend on nothing carried.
class IterationBatch {
public:
  explicit IterationBatch(LoopOp loop);

  enum class Kind {
    Common,       ///< the same in all iterations
    PerIteration, ///< a function of the iteration's number alone
    Other         ///< depends on a carried value, or has no batched form
  };
  Kind kindOf(mlir::Value value);

  /// The bytes of the new values that `perIteration` would make for a value.
  int64_t newBytes(mlir::Value value);

  /// Builds a value before the loop: a common one, or one with the iterations
  /// as its first dimension.
  mlir::Value common(mlir::Value value, mlir::OpBuilder &builder);
  mlir::Value perIteration(mlir::Value value, mlir::OpBuilder &builder);

private:
  mlir::Value findInvariant(mlir::BlockArgument argument);
  Kind classify(mlir::Operation *op);
  /// A part of a value's first dimension that has a slice for each iteration.
  struct Slices {
    mlir::Value data;
    int64_t first;    ///< the lowest index
    bool isBackwards; ///< the first iteration has the highest index
  };
  std::optional<Slices> readSlices(mlir::Operation *op);
  mlir::Value buildSlices(const Slices &slices, mlir::OpBuilder &builder);
  int64_t trips() { return static_cast<int64_t>(loop.getTrips()); }

  LoopOp loop;
  llvm::DenseMap<mlir::Value, Kind> kinds;
  llvm::DenseMap<mlir::Value, mlir::Value> built;
};

/// The most bytes that a pass adds to a loop in order to save time: as many as
/// its operands and results have, or a few.
int64_t findBudget(LoopOp loop);

/// Appends an invariant to a loop and returns the body's argument for it.
mlir::Value addInvariant(LoopOp loop, mlir::Value value);

} // namespace gensyn::repro

#endif
