// Copies tiles of an operand from global to shared memory, through registers.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_TILECOPY_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_TILECOPY_H

#include "../Common/KernelBuilder.h"
#include "StripLayout.h"

namespace gensyn::gpu {

/// An operand as a matrix of positions and points, in f32. Its tiles have
/// `positions` positions and StripLayout::kPoints points.
struct TileShape {
  struct Axis {
    int64_t extent, stride;
  };
  int64_t positions = 64; ///< a multiple of 32
  /// Of the operand. Positions beyond their end are any others; points beyond
  /// theirs are zeros.
  llvm::SmallVector<Axis> axes; ///< of positions, outermost first
  int64_t points = 1, pointStride = 0;
  /// So many points are loaded, tile by tile, a multiple of kPoints.
  int64_t wanted = StripLayout::kPoints;
  llvm::ArrayRef<int64_t> groupStrides;
};

/// All threads of a block copy a tile together; in shared memory it is
/// [point][position], with the pitch of StripLayout.
class TileCopy {
public:
  using Values = KernelBuilder::Values;
  /// Where a position of the tile is in shared memory; null: there.
  using Place = llvm::function_ref<mlir::Value(mlir::Value)>;

  /// Emits what is the same for all tiles. `pointer` is that of the group.
  TileCopy(KernelBuilder &k, const TileShape &shape, mlir::Value thread,
           mlir::Value pointer, Place place);

  /// Returns what `load` needs to know of the tile's positions, the first of
  /// which is `first`.
  Values findOffsets(mlir::Value first);
  /// Loads the thread's elements of the points from `point` on, a multiple of
  /// StripLayout::kPoints.
  Values load(llvm::ArrayRef<mlir::Value> offsets, mlir::Value point);
  /// Stores them to a tile in shared memory.
  void store(llvm::ArrayRef<mlir::Value> values, mlir::Value tile);

private:
  enum class Way { AlongPoints, AlongPositions, Single };
  void chooseWay();

  KernelBuilder &k;
  const TileShape shape;
  mlir::Value pointer;
  Way way = Way::Single;
  int64_t extent = 1;     ///< the number of the operand's positions
  int64_t items = 1;      ///< accesses of a thread
  Values position, point; ///< of each item in the tile
  /// Byte offsets in the tile: of each item, or of each of its 4 positions.
  Values shared;
  bool isPlain;
};

} // namespace gensyn::gpu

#endif
