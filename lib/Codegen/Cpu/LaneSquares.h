// Vectors of several rows of results that are read from columns of an operand.

#ifndef GENSYN_LIB_CODEGEN_CPU_LANESQUARES_H
#define GENSYN_LIB_CODEGEN_CPU_LANESQUARES_H

#include "LaneWalk.h"

namespace gensyn::cpu {

/// What the rows of a square share: as many rows of results as a vector has
/// lanes, from `firstRow` (a value in their indices) on.
struct LaneSquare {
  mlir::Value firstRow;
  mlir::Block *block; ///< of the code of all rows
  /// For each load with a stride, in the order of a row's code: its vector of
  /// each row; none if rows are not adjacent in memory.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> loads = {};
};

/// Emits one row of a square; row 0 first. Where lanes are apart in memory, but
/// the rows are adjacent, it loads a vector along the rows for each lane and
/// transposes them in registers.
class SquareEmitter final : public WalkEmitter {
public:
  SquareEmitter(mlir::OpBuilder &builder, mlir::Location location,
                const LaneWalk &walk, int64_t lanes, mlir::Value first,
                int64_t active, LaneSquare &square, int64_t row)
      : WalkEmitter(builder, location, walk, lanes, first, active),
        square(square), row(row) {}

protected:
  mlir::Value loadStrided(mlir::VectorType type, mlir::Value buffer,
                          llvm::ArrayRef<mlir::Value> indices,
                          llvm::ArrayRef<int64_t> distances) override;

private:
  bool isAlongRows(llvm::ArrayRef<mlir::Value> indices);

  LaneSquare &square;
  int64_t row;
  size_t number = 0; ///< of the next load
};

} // namespace gensyn::cpu

#endif
