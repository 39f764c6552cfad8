// Vectors whose lanes have gaps between them in memory.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_STRIDEDLANES_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_STRIDEDLANES_H

#include "StoredTensor.h"

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
  static constexpr int64_t kMostParts = 4;
  /// A vector in memory: its lanes of the value, and those that are elements.
  struct Part {
    llvm::SmallVector<int64_t> from;
    mlir::Value mask;
  };
  CpuBuilder &code;
  const StoredTensor &tensor;
  int64_t stride;
  mlir::Value mask, offsets;
  llvm::SmallVector<Part> parts;
};

} // namespace gensyn::cpu

#endif
