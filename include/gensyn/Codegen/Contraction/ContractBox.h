// A contraction without skipped points, as linear indices of three tensors.

#ifndef GENSYN_CODEGEN_CONTRACTION_CONTRACTBOX_H
#define GENSYN_CODEGEN_CONTRACTION_CONTRACTBOX_H

#include "gensyn/Codegen/Contraction/LinearIndex.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <array>
#include <vector>

namespace gensyn::codegen {

/// The indices of the operands and the result.
using ContractIndices = std::array<LinearIndices, 3>;

/// A part of a contraction's domain: iterator i has the values 0 to extents[i]
/// - 1. All points take part, and all results are in bounds. An index of an
/// operand that is out of bounds reads +0.
struct ContractBox {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> isReduced;
  ContractIndices indices;
  /// The first point of each fma chain, among the points of the box. Chains are
  /// added in order. The first is 0.
  llvm::SmallVector<int64_t> blockStarts;

  int64_t numPoints() const;
};

/// Returns boxes whose results are disjoint and together all of the result. A
/// box without points has the sum +0. The list is empty if the contraction does
/// not qualify: types that viewContract excludes, elements of the result that
/// nothing reaches, boxes that cannot be found, orders that are neither
/// sequential nor blocks of sequential chains.
std::vector<ContractBox> divideContract(repro::ContractOp op);

} // namespace gensyn::codegen

#endif
