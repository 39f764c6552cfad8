// Tiles of rows: how schedules with vectors along the last dimension divide a
// launch.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_ROWTILES_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_ROWTILES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

namespace gensyn::cpu {

/// Tiles of results of one shape. Each has one value of every leading dimension
/// that is tiled, and all values of the others; the last is never tiled.
struct RowTiles {
  llvm::SmallVector<int64_t> shape;
  unsigned tiled = 0; ///< number of leading dimensions
  int64_t tiles = 1;

  /// The extents that a tile has one value of, and those of its loops.
  llvm::ArrayRef<int64_t> tiledExtents() const {
    return llvm::ArrayRef(shape).take_front(tiled);
  }
  llvm::ArrayRef<int64_t> loopExtents() const {
    return llvm::ArrayRef(shape).drop_front(tiled).drop_back();
  }

  /// Tiles leading dimensions until a tile has at most `elements`, if it can.
  void divide(int64_t elements) {
    int64_t left = mlir::ShapedType::getNumElements(shape);
    while (tiled + 1 < shape.size() && left > elements) {
      left /= shape[tiled];
      tiles *= shape[tiled++];
    }
  }
};

} // namespace gensyn::cpu

#endif
