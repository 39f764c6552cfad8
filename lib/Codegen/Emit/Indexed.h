// The element that a gather reads or a scatter writes at a point.

#ifndef GENSYN_LIB_CODEGEN_EMIT_INDEXED_H
#define GENSYN_LIB_CODEGEN_EMIT_INDEXED_H

#include "gensyn/Dialect/Repro/IR/IndexMap.h"

namespace gensyn::emit {

/// The element that the maps assign to a point.
struct Place {
  /// One index per dimension of the target, possibly out of bounds if `inside`
  /// is false.
  llvm::SmallVector<mlir::Value> indices;
  /// True if all indices are in bounds; null if they always are.
  mlir::Value inside;
  /// For each dimension, true if that index is in bounds; null likewise.
  llvm::SmallVector<mlir::Value> fits;
};

/// Reads the indices at `point` and applies map 0 to find the element of
/// `target`, a tensor that may be empty. Returns std::nullopt, after an error,
/// if an index cannot be emitted.
std::optional<Place> findPlace(repro::ElementEmitter &emitter,
                               mlir::ArrayAttr maps, mlir::ValueRange indices,
                               mlir::Value target,
                               llvm::ArrayRef<int64_t> extents,
                               llvm::ArrayRef<mlir::Value> point);

/// Returns the row-major index of a point.
mlir::Value numberOf(repro::ElementEmitter &emitter,
                     llvm::ArrayRef<int64_t> extents,
                     llvm::ArrayRef<mlir::Value> point);

/// Records a fault of `op` (g7) at `point` unless `inside` is true.
void faultOutside(repro::ElementEmitter &emitter, mlir::Operation *op,
                  mlir::Value inside, llvm::ArrayRef<int64_t> extents,
                  llvm::ArrayRef<mlir::Value> point);

} // namespace gensyn::emit

#endif
