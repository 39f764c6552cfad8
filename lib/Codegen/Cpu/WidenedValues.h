// The values of a loop's body for the lanes of a vector.

#ifndef GENSYN_LIB_CODEGEN_CPU_WIDENEDVALUES_H
#define GENSYN_LIB_CODEGEN_CPU_WIDENEDVALUES_H

#include "Divergence.h"
#include "WidenLoop.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace gensyn::cpu {

/// What the lanes of a value are. Exactly one of the comments holds.
struct LaneValue {
  mlir::Value scalar; ///< of all lanes; or of lane 0 if `step` is not 0
  int64_t step = 0;   ///< from lane to lane
  mlir::Value inside; ///< if set, lanes outside of this mask are 0
  mlir::Value vector; ///< if set, one element for each lane
  bool isUniform() const { return !vector && !inside && step == 0; }
  bool isLinear() const { return !vector && !inside; }
};

/// The values that are known so far, and what builds more of them. A value of
/// the body is kept as one scalar while it is uniform, and an index as its
/// first lane while it is linear in the lane, so that accesses to adjacent
/// elements are recognized.
class WidenedValues {
public:
  WidenedValues(mlir::scf::ForOp loop, const Widening &widening,
                Divergence &divergence)
      : widening(widening), b(loop), loc(loop.getLoc()),
        number(b.getIntegerType(divergence.getIndexWidth())) {}

  // Types and constants.

  mlir::Type laneType(mlir::Type scalar);
  mlir::Value index(int64_t value);
  /// Returns a vector of integers as wide as lanes of indices.
  mlir::Value numbers(llvm::function_ref<int64_t(int64_t)> of);
  mlir::Value iota(int64_t step);
  mlir::Value firstLanes(int64_t count);
  mlir::Value zeros(mlir::Type vector);
  /// Returns the lanes in both masks; null stands for all.
  mlir::Value both(mlir::Value x, mlir::Value y);
  mlir::Value splat(mlir::Value scalar);

  // Values of the body.

  LaneValue lanesOf(mlir::Value value);
  mlir::Value uniform(mlir::Value value);
  mlir::Value vectorOf(mlir::Value value);
  void set(mlir::Value value, LaneValue lanes) { known[value] = lanes; }
  void setVector(mlir::Value value, mlir::Value vector) {
    known[value] = {{}, 0, {}, vector};
  }

  // Masks.

  mlir::Value allLanes() { return mask ? mask : firstLanes(widening.lanes); }
  /// True if the lanes that execute are known.
  bool isMaskConstant() const { return !mask || mask == activeLanes; }

  const Widening &widening;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::Value mask;        ///< of the lanes that execute; null: all
  mlir::Value activeLanes; ///< the mask outside of control flow

private:
  mlir::IntegerType number; ///< of a lane of an index
  llvm::DenseMap<mlir::Value, LaneValue> known;
};

} // namespace gensyn::cpu

#endif
