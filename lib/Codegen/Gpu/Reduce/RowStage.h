// Values that a Rows kernel keeps in shared memory from one walk over a row to
// the next.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWSTAGE_H
#define GENSYN_LIB_CODEGEN_GPU_ROWSTAGE_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

namespace gensyn::gpu {

/// A value with an element at each point that several walks over a row need.
/// Walk p computes the operands of the reductions of phase p, the last one the
/// results.
struct StagedValue {
  mlir::Value value;
  unsigned born = 0; ///< the walk that computes it, or loads it
  unsigned last = 0; ///< the last that needs it
  int64_t bytes = 4; ///< of an element
  /// The begin of its place, in bytes for each point before it.
  int64_t place = 0;
};

/// The kept values and their places. Two values share a place if the last use
/// of one is in the walk that computes the other.
struct RowStage {
  llvm::SmallVector<StagedValue> values;
  int64_t bytesPerPoint = 0;

  /// Null where it is not kept.
  const StagedValue *find(mlir::Value value) const;
};

/// Keeps what is dear to compute or, with `arguments`, to read again.
RowStage planStage(const repro::KernelForm &form, bool arguments);

/// About how many instructions each walk over a row has for one point, written
/// once, where `stage` is kept; `slowDouble` as ElementEmitter has it. For
/// choosing between loops and steps that are written out.
llvm::SmallVector<int64_t> countInstructions(const repro::KernelForm &form,
                                             const RowStage &stage,
                                             bool slowDouble);

/// The scalar type that an element has in memory: i1 in a byte.
mlir::Type getStoredType(mlir::Type element);

} // namespace gensyn::gpu

#endif
