// Emits vectors of elements that all lanes compute the same way.

#ifndef GENSYN_LIB_CODEGEN_CPU_LANEEMITTER_H
#define GENSYN_LIB_CODEGEN_CPU_LANEEMITTER_H

#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::cpu {

/// Emits `lanes` elements at a time: their last index is `first`, a value in
/// the index, plus the lane number. Every index of a load must be linear in it.
/// Lanes from `active` on are not read and have undefined contents. With
/// `isWhole`, LaneWalk has proved that an index that grows by one per lane is
/// only divided or compared with the same quotient and result in all lanes, and
/// that remainders are consecutive.
class LaneEmitter : public codegen::KernelEmitter {
public:
  LaneEmitter(mlir::OpBuilder &builder, mlir::Location location, int64_t lanes,
              mlir::Value first, int64_t active, bool isWhole = false)
      : KernelEmitter(builder, location), lanes(lanes), active(active),
        isWhole(isWhole), first(first) {}

  mlir::Value splat(mlir::Value scalar) override;
  /// Writes the active lanes' elements at `indices`, contiguous in `buffer`.
  void storeLanes(mlir::Value value, mlir::Value buffer,
                  llvm::ArrayRef<mlir::Value> indices);

  /// True if `first` was used within `block` for addresses only. Any other use
  /// would be wrong for all lanes but the first.
  bool usedForAddressesOnly(mlir::Block &block);

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;
  /// Loads lanes whose indices grow by `distances` from one to the next.
  virtual mlir::Value loadStrided(mlir::VectorType type, mlir::Value buffer,
                                  llvm::ArrayRef<mlir::Value> indices,
                                  llvm::ArrayRef<int64_t> distances);
  /// Returns `indices` of another lane than the first.
  llvm::SmallVector<mlir::Value> moved(llvm::ArrayRef<mlir::Value> indices,
                                       llvm::ArrayRef<int64_t> distances,
                                       int64_t lane);
  /// `op` uses the index of the first lane, and is right for the others.
  void markAccess(mlir::Operation *op) { accesses.insert(op); }
  /// Returns the increment of an index where `base` grows by one; std::nullopt
  /// if not linear.
  std::optional<int64_t> step(mlir::Value index, mlir::Value base);

  int64_t lanes, active;

private:
  std::optional<int64_t> step(mlir::Value index) { return step(index, first); }

  bool isWhole;
  mlir::Value first;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, std::optional<int64_t>>
      steps;
  llvm::DenseSet<mlir::Operation *> accesses;
};

} // namespace gensyn::cpu

#endif
