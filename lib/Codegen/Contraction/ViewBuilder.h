// The part of viewing a contraction as products that all schedules share.

#ifndef GENSYN_LIB_CODEGEN_CONTRACTION_VIEWBUILDER_H
#define GENSYN_LIB_CODEGEN_CONTRACTION_VIEWBUILDER_H

#include "gensyn/Codegen/Contraction/ContractBox.h"
#include "gensyn/Codegen/Contraction/ContractView.h"

namespace gensyn::codegen {

ContractIndices indicesOf(repro::ContractOp op);

/// Returns the points per fma chain, or std::nullopt for another kind of order.
std::optional<int64_t> chainLength(repro::ContractOp op);

/// True if the result is of f32, f64 or integers of whole bytes, and operands
/// can be widened to it.
bool hasWideTypes(repro::ContractOp op);

/// True if no tensor is empty.
bool hasElements(repro::ContractOp op);

/// True if no tensor is empty or too large for addressing lanes by i32.
bool hasAddressableTensors(repro::ContractOp op);

/// Sorts the iterators of a contraction into the lists of a view.
class ViewBuilder {
public:
  /// Iterator i has the values 0 to extents[i] - 1.
  ViewBuilder(repro::ContractOp op, const ContractIndices &indices,
              llvm::ArrayRef<int64_t> extents)
      : op(op), extents(extents), indices(indices) {}

protected:
  GemmView &gemm() { return result.gemm; }

  /// Fills all but `run` of the view, with A and B as `swapped` says and all
  /// columns in `columns`. False if an index that may be out of bounds belongs
  /// to an operand where the schedule cannot leave out points, or if an
  /// iterator moves backwards in the result.
  bool sortIterators(bool swapped, bool canSkip);

  /// True if points are skipped depending on the iterator.
  bool isSkipping(unsigned iterator);

  static void orderByResult(GemmAxes &axes);

  repro::ContractOp op;
  llvm::ArrayRef<int64_t> extents;
  const ContractIndices &indices;
  ContractView result;

private:
  using Dimensions = llvm::SmallVector<unsigned>;
  bool findChecks(unsigned operand, bool canSkip,
                  llvm::SmallVector<GemmCheck, 2> &checks,
                  Dimensions &dimensions);

  llvm::SmallVector<std::pair<unsigned, unsigned>> skipped; ///< operand, index
};

} // namespace gensyn::codegen

#endif
