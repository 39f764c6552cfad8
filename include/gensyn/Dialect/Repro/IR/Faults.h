// The reference's record of faults (g7), such as indices out of range.

#ifndef GENSYN_DIALECT_REPRO_IR_FAULTS_H
#define GENSYN_DIALECT_REPRO_IR_FAULTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gensyn::repro {

/// The position of a slot without a fault.
inline constexpr uint64_t kNoFault = ~uint64_t{0};

/// Collects the faults of ops that are evaluated on this thread while the
/// object lives. Scopes nest; the innermost one collects. Without a scope,
/// faults are not recorded.
class FaultScope {
public:
  FaultScope();
  ~FaultScope();
  FaultScope(const FaultScope &) = delete;
  FaultScope &operator=(const FaultScope &) = delete;

  /// The innermost scope of this thread, or null.
  static FaultScope *current();

  /// Records a fault of `op` at row-major element `element` (below 2^40). A
  /// slot keeps its smallest position.
  void record(mlir::Operation *op, int64_t element);

  /// Sets the index of the outermost loop, which is the upper 24 bits of a
  /// position (larger ones as 2^24 - 1); 0 outside of loops.
  void setIteration(int64_t index);

  /// The smallest position of each op that faulted, in the order of the first
  /// faults.
  const llvm::MapVector<mlir::Operation *, uint64_t> &slots() const {
    return positions;
  }

  /// For each slot of `root` (getFaultSlots) its smallest position, or
  /// kNoFault.
  std::vector<uint64_t> getPositions(mlir::Operation *root) const;

private:
  FaultScope *outer;
  uint64_t iteration = 0;
  llvm::MapVector<mlir::Operation *, uint64_t> positions;
};

/// Records a fault in the innermost scope, if there is one.
void recordFault(mlir::Operation *op, int64_t element);

/// Attribute of an op in a kernel: the slot number of the op in the frozen
/// program.
inline constexpr llvm::StringLiteral kFaultSlotAttr = "repro.fault_slot";

/// Attribute of an op of a piece that may fault: begin, size and extent of each
/// dimension of the tensor among whose elements its faults count (array of
/// i64).
inline constexpr llvm::StringLiteral kFaultTileAttr = "repro.fault_tile";

/// The ops inside `root` that may fault, with their slot numbers: those of
/// kFaultSlotAttr or, if no op has that, numbers in program order, with regions
/// before the op that contains them.
llvm::MapVector<mlir::Operation *, unsigned>
getFaultSlots(mlir::Operation *root);

/// Sets kFaultSlotAttr on those ops, so that clones and moved ops keep it.
void numberFaultSlots(mlir::Operation *root);

} // namespace gensyn::repro

#endif
