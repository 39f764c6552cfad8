// Elements at a constant distance in memory as vectors and shuffles, which are
// faster than gathers and scatters on all processors.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_STRIDEDVECTORS_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_STRIDEDVECTORS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gensyn::cpu {

/// The largest distance for which that holds.
inline constexpr int64_t kMostStride = 4;

/// Loads one vector: the elements from `offset` on, counted from the first
/// lane's.
using LoadPart = llvm::function_ref<mlir::Value(int64_t offset)>;

/// Returns a vector of `type` whose lane i is element `stride` * i, from
/// `stride` vectors. They begin with the first lane's element and end with the
/// last lane's, so none reads beyond them. 1 < `stride` <= kMostStride.
mlir::Value loadStrided(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::VectorType type, int64_t stride, LoadPart load);

/// One of the vectors in memory over which the lanes of a value are spread.
struct StridedPart {
  int64_t offset;                  ///< of its first element
  llvm::SmallVector<int64_t> from; ///< lanes of the value
  /// The lane of the value that each element is; the number of lanes for those
  /// that are none.
  llvm::SmallVector<int32_t> lanes;
};

/// Returns the `stride` vectors of a value of `lanes` lanes.
llvm::SmallVector<StridedPart> partsOfStrided(int64_t lanes, int64_t stride);

/// Stores one vector at the elements from `offset` on, in the lanes of `mask`.
using StorePart = llvm::function_ref<void(mlir::Value value, int64_t offset,
                                          llvm::ArrayRef<bool> mask)>;

/// Stores lane i of `value`, of which the first `count` are stored, to element
/// `stride` * i.
void storeStrided(mlir::OpBuilder &builder, mlir::Location location,
                  mlir::Value value, int64_t stride, int64_t count,
                  StorePart store);

} // namespace gensyn::cpu

#endif
