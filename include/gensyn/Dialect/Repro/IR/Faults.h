// The reference's record of faults (g7): data that an op has no meaning for.

#ifndef GENSYN_DIALECT_REPRO_IR_FAULTS_H
#define GENSYN_DIALECT_REPRO_IR_FAULTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <cstdint>
#include <optional>

namespace gensyn::repro {

/// Collects the faults of what is evaluated on this thread while it lives.
/// Scopes nest; the innermost collects. Without any, faults go unrecorded.
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

  /// The index of the outermost loop, which stands in the upper 24 bits of a
  /// position (larger ones as 2^24 - 1); 0 outside of loops.
  void setIteration(int64_t index);

  /// The smallest position of each op that faulted, in the order in which they
  /// first did.
  const llvm::MapVector<mlir::Operation *, uint64_t> &slots() const {
    return positions;
  }

private:
  FaultScope *outer;
  uint64_t iteration = 0;
  llvm::MapVector<mlir::Operation *, uint64_t> positions;
};

/// Records a fault in the innermost scope, if there is one.
void recordFault(mlir::Operation *op, int64_t element);

/// On an op of a kernel: the number of the slot of the frozen op that it is.
inline constexpr llvm::StringLiteral kFaultSlotAttr = "repro.fault_slot";

/// The ops inside `root` that may fault and the number of the slot of each:
/// what kFaultSlotAttr says, and where no op has that, program order, regions
/// before the op they belong to.
llvm::MapVector<mlir::Operation *, unsigned>
getFaultSlots(mlir::Operation *root);

/// Sets kFaultSlotAttr on those ops, so that it stays with what is cloned and
/// moved.
void numberFaultSlots(mlir::Operation *root);

} // namespace gensyn::repro

#endif
