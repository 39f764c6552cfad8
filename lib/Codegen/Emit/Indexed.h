// The element that a gather reads or a scatter writes, at a point.

#ifndef GENSYN_LIB_CODEGEN_EMIT_INDEXED_H
#define GENSYN_LIB_CODEGEN_EMIT_INDEXED_H

#include "gensyn/Dialect/Repro/IR/IndexMap.h"

namespace gensyn::emit {

/// The elements that the maps lead to from a point.
struct Place {
  /// One index per dimension of the target, not in range where `inside` is
  /// false.
  llvm::SmallVector<mlir::Value> indices;
  /// True if all are in range; null where they always are.
  mlir::Value inside;
  /// Per dimension: whether that index is, null likewise.
  llvm::SmallVector<mlir::Value> fits;
};

/// Reads the indices at `point` and follows map 0 to `target`, a tensor with
/// elements or without. Nothing, after an error, where an index has no element.
std::optional<Place> findPlace(repro::ElementEmitter &emitter,
                               mlir::ArrayAttr maps, mlir::ValueRange indices,
                               mlir::Value target,
                               llvm::ArrayRef<int64_t> extents,
                               llvm::ArrayRef<mlir::Value> point);

/// The row-major number of a point.
mlir::Value numberOf(repro::ElementEmitter &emitter,
                     llvm::ArrayRef<int64_t> extents,
                     llvm::ArrayRef<mlir::Value> point);

/// The fault of `op` (g7) at `point`, where it is not `inside`.
void faultOutside(repro::ElementEmitter &emitter, mlir::Operation *op,
                  mlir::Value inside, llvm::ArrayRef<int64_t> extents,
                  llvm::ArrayRef<mlir::Value> point);

} // namespace gensyn::emit

#endif
