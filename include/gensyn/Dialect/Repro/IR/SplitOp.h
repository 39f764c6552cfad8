// Ops as pieces that are computed one by one, with the bits of the whole.
//
// The split dimensions of an op are those of its first result, followed by the
// iterators that it reduces, outermost first. A piece has a range for each. It
// needs tiles of the operands, and its result is a tile of the op's result
// (those of one shape, where there are several), or a partial one where a
// dimension is cut that is not free.

#ifndef GENSYN_DIALECT_REPRO_IR_SPLITOP_H
#define GENSYN_DIALECT_REPRO_IR_SPLITOP_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::repro {

/// True if the op has an answer to the questions below: elementwise ops and
/// those with `SplitOpInterface`. Branches, loops and assertions have none.
bool isSplittable(mlir::Operation *op);

/// The extents of the split dimensions of a splittable op.
llvm::SmallVector<int64_t> getSplitExtents(mlir::Operation *op);

/// Where each split dimension of a splittable op may be cut.
llvm::SmallVector<Split> getSplits(mlir::Operation *op);

/// The piece that is the whole op.
Tile getWholePiece(mlir::Operation *op);

/// The tile of each operand that a piece reads. It may have elements that the
/// piece does not read.
llvm::SmallVector<Tile> getOperandTiles(mlir::Operation *op,
                                        llvm::ArrayRef<IndexRange> piece);

/// The pieces of the ops of a kernel that one of its pieces computes, in the
/// order of the text. Those of an op may be several, and larger than what its
/// results need: adjacent indices that contain them.
llvm::SmallVector<std::pair<mlir::Operation *, Tile>>
getInnerPieces(KernelOp kernel, llvm::ArrayRef<IndexRange> piece);

/// Builds a piece; `tiles` has the operands' tiles. Positions of its faults
/// (g7) are those in the piece; kFaultTileAttr says where they lie in the
/// whole, and kFaultSlotAttr is that of the op. Returns no values where no op
/// computes it: its partial results are accumulators (of a chain, or of an
/// exact sum).
llvm::SmallVector<mlir::Value> buildPiece(mlir::OpBuilder &builder,
                                          mlir::Operation *op,
                                          mlir::ValueRange tiles,
                                          llvm::ArrayRef<IndexRange> piece);

/// `value` or a slice of it.
mlir::Value buildTile(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value value, llvm::ArrayRef<IndexRange> tile);

/// The pieces of an op that is cut along one split dimension: at the indices
/// `cuts`, ascending, where it is `Free` or `Any`; into all blocks; or into
/// `parts` lanes. They are in the order in which they are joined.
llvm::SmallVector<Tile> getPieces(mlir::Operation *op, unsigned dimension,
                                  llvm::ArrayRef<int64_t> cuts, int64_t parts);

/// Builds the op as those pieces: slices its operands, and joins the results.
/// Returns no values where a piece cannot be built.
llvm::SmallVector<mlir::Value> buildSplit(mlir::OpBuilder &builder,
                                          mlir::Operation *op,
                                          unsigned dimension,
                                          llvm::ArrayRef<Tile> pieces);

/// The number of elements of a block, if the op reduces all elements of its
/// operand to one and ranges of whole blocks of them, in row-major order, may
/// be reduced apart; 0 if not.
int64_t getRowBlock(mlir::Operation *op);

/// The results of the blocks of a range of the operand's elements, in order:
/// `range` has rank 1 and begins with a block. It may end within one if the
/// operand ends there.
mlir::Value buildRowBlocks(mlir::OpBuilder &builder, mlir::Operation *op,
                           mlir::Value range);

/// The result of the op from those of all its blocks.
mlir::Value joinRowBlocks(mlir::OpBuilder &builder, mlir::Operation *op,
                          mlir::Value blocks);

} // namespace gensyn::repro

#endif
