// Determines if vectors of elements along a dimension can be computed from
// vectors of the operands.

#ifndef GENSYN_LIB_CODEGEN_CPU_LANEWALK_H
#define GENSYN_LIB_CODEGEN_CPU_LANEWALK_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gensyn::cpu {

/// Follows the lanes of vectors from the results of a kernel to its arguments.
/// `width` elements along one dimension begin at a multiple of `width`.
class LaneWalk {
public:
  LaneWalk(repro::KernelOp kernel, int64_t width);

  /// True if all lanes of vectors of `value` along its last dimension execute
  /// the same operations, at indices that are uniform or linear in the lane.
  bool fits(mlir::Value value);

  /// Returns arguments that are read only as indices of gathers: one element
  /// for all lanes.
  const llvm::DenseSet<mlir::Value> &getIndexArguments() const {
    return indexArguments;
  }

private:
  /// The dimension of the lanes; -1: all lanes have the same element.
  /// `isAligned`: they are adjacent, and begin at a multiple of the width.
  struct Lanes {
    int64_t dim;
    bool isAligned;
  };
  bool walk(mlir::Value value, Lanes lanes);
  bool walkReshape(repro::ReshapeOp op, Lanes lanes);
  bool walkPad(repro::PadOp op, Lanes lanes);
  bool walkConcat(repro::ConcatOp op, Lanes lanes);
  bool walkGather(repro::GatherOp op, Lanes lanes);
  bool isWhole(int64_t number) const { return number % width == 0; }

  int64_t width;
  llvm::DenseSet<mlir::Value> indexArguments;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, bool> known;
};

} // namespace gensyn::cpu

#endif
