// Chooses the values that a Rows kernel keeps in shared memory between walks
// over a row.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWSTAGE_H
#define GENSYN_LIB_CODEGEN_GPU_ROWSTAGE_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

namespace gensyn::gpu {

/// A value with an element at each point that several walks over a row need.
/// Walk p computes the operands of the reductions of phase p; the last walk
/// computes the results.
struct StagedValue {
  mlir::Value value;
  unsigned born = 0; ///< the walk that computes or loads it
  unsigned last = 0; ///< the last walk that needs it
  int64_t bytes = 4; ///< per element
  /// Its offset in shared memory, divided by the number of points.
  int64_t place = 0;
};

/// The kept values and their offsets. Two values share memory if the last use
/// of one is in the walk that computes the other.
struct RowStage {
  llvm::SmallVector<StagedValue> values;
  int64_t bytesPerPoint = 0;

  /// Returns null if the value is not kept.
  const StagedValue *find(mlir::Value value) const;
};

/// Plans to keep values that are expensive to compute and, with `arguments`,
/// those that would be read again.
RowStage planStage(const repro::KernelForm &form, bool arguments);

/// Estimates the instructions of each walk over a row for one point if `stage`
/// is kept, to choose between loops and unrolled steps. See ElementEmitter for
/// `slowDouble`.
llvm::SmallVector<int64_t> countInstructions(const repro::KernelForm &form,
                                             const RowStage &stage,
                                             bool slowDouble);

/// Returns the scalar type of an element in memory, where i1 takes a byte.
mlir::Type getStoredType(mlir::Type element);

} // namespace gensyn::gpu

#endif
