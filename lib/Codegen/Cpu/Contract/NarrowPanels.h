// Panels of B that hold narrow elements in an order for few instructions: those
// of 4 bits in 4 bits, and the pairs of points that integers are multiplied by
// side by side.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_NARROWPANELS_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_NARROWPANELS_H

#include "../Common/StoredTensor.h"
#include "GemmSizes.h"

namespace gensyn::cpu {

/// A *word* is a vector of i32, of which each lane has half-byte elements of
/// its column in as many vectors of columns as fit, from the lowest bits on.
/// With pairs, the elements of a pair's first point are in the lower half of a
/// lane, or precede those of the second one.
class NarrowPanels {
public:
  /// `elements`: of B in memory, or as they are read.
  NarrowPanels(CpuBuilder &code, const GemmSizes &sizes,
               const StoredTensor &elements)
      : code(code), sizes(sizes), elements(elements) {}

  /// Of folded panels: reads some vectors of columns at a point, or at a pair
  /// of points.
  llvm::SmallVector<mlir::Value> load(mlir::Value address,
                                      int64_t vectors) const;
  /// Copies `count` points, which `elements` load [point][vector][lane].
  void fold(mlir::Value from, mlir::Value to, mlir::Value count) const;

private:
  int64_t vectorsPerWord() const {
    return kVectorsPerWord / sizes.perElement();
  }
  int64_t bytesOfWord() const { return 4 * code.lanes; }
  mlir::VectorType words() const;
  mlir::VectorType halves() const;
  mlir::Value splat(mlir::VectorType type, int64_t value) const;
  mlir::Value shiftedLeft(mlir::Value value, int64_t bits) const;
  mlir::Value widened(mlir::Value stored, mlir::VectorType type) const;
  mlir::Value wholeBytes(mlir::Value patterns) const;
  mlir::Value joinNibbles(mlir::Value from, int64_t firstVector) const;

  CpuBuilder &code;
  const GemmSizes &sizes;
  const StoredTensor &elements;
};

} // namespace gensyn::cpu

#endif
