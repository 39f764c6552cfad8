// Determines if vectors of elements along a dimension can be computed from
// vectors of the operands, and emits them.

#ifndef GENSYN_LIB_CODEGEN_CPU_LANEWALK_H
#define GENSYN_LIB_CODEGEN_CPU_LANEWALK_H

#include "LaneEmitter.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"

namespace gensyn::cpu {

/// Follows the lanes of vectors from the results of a kernel to its arguments.
/// `width` elements along one dimension begin at a multiple of `width`. With
/// `joined` > 1 the lanes run along so many adjacent dimensions as if they were
/// one, and begin anywhere.
class LaneWalk {
public:
  LaneWalk(repro::KernelOp kernel, int64_t width, int64_t joined = 1);

  /// True if all lanes of vectors of `value` along its last dimension (its last
  /// `joined` ones) execute the same operations, at indices that are uniform or
  /// linear in the lane. Joined dimensions are adjacent in every tensor that is
  /// read too, or absent: an index of the last one with zeros for the others
  /// addresses the same element. With `isAligned` false, vectors along one
  /// dimension begin anywhere too.
  bool fits(mlir::Value value, bool isAligned = true);

  int64_t getJoined() const { return joined; }
  /// True if an element that is not read may have a fault to report.
  bool mayFault() const { return hasFaults; }

  /// Returns arguments that are read only as indices of gathers: one element
  /// for all lanes.
  const llvm::DenseSet<mlir::Value> &getIndexArguments() const {
    return indexArguments;
  }

private:
  /// The dimension of the lanes, or the last of those that are joined; -1: all
  /// lanes have the same element. `isAligned`: they are adjacent, and begin at
  /// a multiple of the width.
  struct Lanes {
    int64_t dim;
    bool isAligned;
  };
  bool walk(mlir::Value value, Lanes lanes);
  bool walkBroadcast(repro::BroadcastOp op, Lanes lanes);
  bool walkTranspose(repro::TransposeOp op, Lanes lanes);
  bool walkReshape(repro::ReshapeOp op, Lanes lanes);
  bool walkPad(repro::PadOp op, Lanes lanes);
  bool walkConcat(repro::ConcatOp op, Lanes lanes);
  bool walkGather(repro::GatherOp op, Lanes lanes);
  bool isWhole(int64_t number) const { return number % width == 0; }
  /// The dimensions that the lanes run along.
  auto dimsOf(Lanes lanes) const {
    return lanes.dim < 0 ? llvm::seq<int64_t>(0, 0)
                         : llvm::seq(lanes.dim + 1 - joined, lanes.dim + 1);
  }
  /// True if `holds` for all dimensions that the lanes run along.
  bool forAll(Lanes lanes, llvm::function_ref<bool(size_t)> holds) const {
    return llvm::all_of(dimsOf(lanes), [&](int64_t dim) {
      return holds(static_cast<size_t>(dim));
    });
  }

  int64_t width, joined;
  bool hasFaults;
  llvm::DenseSet<mlir::Value> indexArguments;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, bool> known;
};

/// Emits values that a walk has accepted. A concat reads one operand by a
/// branch, and a value that becomes an index is a scalar.
class WalkEmitter : public LaneEmitter {
public:
  WalkEmitter(mlir::OpBuilder &builder, mlir::Location location,
              const LaneWalk &walk, int64_t lanes, mlir::Value first,
              int64_t active)
      : LaneEmitter(builder, location, lanes, first, active,
                    /*isWhole=*/walk.getJoined() == 1),
        walk(walk) {}

  // What is not computed cannot fault.
  bool hasUniformBranches() const override { return !walk.mayFault(); }

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

private:
  const LaneWalk &walk;
};

} // namespace gensyn::cpu

#endif
