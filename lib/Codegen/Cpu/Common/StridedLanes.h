// Vectors whose lanes have gaps between them in memory.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_STRIDEDLANES_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_STRIDEDLANES_H

#include "StoredTensor.h"
#include "StridedVectors.h"

namespace gensyn::cpu {

/// Access to the first `count` (i64) lanes of a vector whose elements in memory
/// are `stride` apart.
class StridedLanes {
public:
  StridedLanes(CpuBuilder &code, const StoredTensor &tensor, int64_t stride,
               mlir::Value count);

  mlir::Value load(mlir::Value address) const;
  void store(mlir::Value value, mlir::Value address) const;

private:
  CpuBuilder &code;
  const StoredTensor &tensor;
  int64_t stride;
  mlir::Value mask, offsets;
  /// The vectors in memory, and which of their elements are stored.
  llvm::SmallVector<std::pair<StridedPart, mlir::Value>> parts;
};

} // namespace gensyn::cpu

#endif
