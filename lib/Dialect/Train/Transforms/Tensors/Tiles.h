// Arithmetic on tiles of tensors.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_TILES_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_TILES_H

#include "gensyn/Dialect/Repro/Interfaces/Split.h"
#include "mlir/IR/Value.h"

namespace gensyn::train {

repro::Tile wholeTile(mlir::Value value);
bool isEmpty(llvm::ArrayRef<repro::IndexRange> tile);

/// The smallest tile without strides that contains a tile. One without elements
/// begins at 0.
repro::Tile denseTile(llvm::ArrayRef<repro::IndexRange> tile);

// Of tiles without strides, which have as many dimensions.

/// The smallest tile that contains both; one without elements is in each.
repro::Tile hullOf(llvm::ArrayRef<repro::IndexRange> a,
                   llvm::ArrayRef<repro::IndexRange> b);
repro::Tile intersect(llvm::ArrayRef<repro::IndexRange> a,
                      llvm::ArrayRef<repro::IndexRange> b);
/// `tile` with indices that begin at `within`, which contains it.
repro::Tile relativeTo(llvm::ArrayRef<repro::IndexRange> tile,
                       llvm::ArrayRef<repro::IndexRange> within);

/// The bytes of a tile of a tensor of this type.
int64_t bytesOfTile(mlir::Type type, llvm::ArrayRef<repro::IndexRange> tile);

/// The bytes of what is in at least one of the tiles.
int64_t bytesOfTiles(mlir::Type type, llvm::ArrayRef<repro::Tile> tiles);

/// First index and number of indices in each dimension.
llvm::SmallVector<int64_t> numbersOf(llvm::ArrayRef<repro::IndexRange> tile);

} // namespace gensyn::train

#endif
