// Confirms that ranks compute each op from the elements that it reads.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_VERIFYTILES_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_VERIFYTILES_H

#include "TensorProgram.h"

namespace gensyn::train {

/// A piece of an op of a segment in the function of a rank.
struct BuiltPiece {
  mlir::Operation *op = nullptr; ///< of the segment
  repro::Tile piece;             ///< not used if the op has no pieces
  llvm::SmallVector<mlir::Value> operands, results;
};

struct BuiltPhase {
  mlir::func::FuncOp function;
  std::vector<BuiltPiece> pieces; ///< in the order of the function
};

/// Fails after an error unless all pieces read the tiles of the segments'
/// values that SplitOpInterface says, and each result of a segment is returned
/// as the tile that it is said to be. Which tile a value is follows from the
/// functions: slices and concatenations say it, and only of pieces' results it
/// is taken as given. Tiles that are joined must follow each other without a
/// gap, and overlap nowhere.
///
/// Needs phases that verifyPhases accepts, whose segments are still there.
llvm::LogicalResult verifyTiles(const TensorProgram &program,
                                llvm::ArrayRef<BuiltPhase> phases);

} // namespace gensyn::train

#endif
