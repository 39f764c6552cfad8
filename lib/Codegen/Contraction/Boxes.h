// Divides a contraction into boxes without skipped points.

#ifndef GENSYN_LIB_CODEGEN_CONTRACTION_BOXES_H
#define GENSYN_LIB_CODEGEN_CONTRACTION_BOXES_H

#include "gensyn/Codegen/Contraction/LinearIndex.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <optional>

namespace gensyn::codegen {

/// A range of each iterator. All points of a box take part, and all its results
/// are in bounds; a box without points has results that are empty sums.
using Box = llvm::SmallVector<Range>;

/// Returns boxes whose results are disjoint and cover the result. In the data
/// gradient of a convolution of stride s, whose kernel index is s k + r for a
/// phase r, the boxes are the groups of phases with the same range of k.
/// `indices` are those of the operands and the result. Returns std::nullopt if
/// results are missed, if the points that take part are no box, or if there
/// are more than kMostBoxes.
std::optional<llvm::SmallVector<Box>>
divideIntoBoxes(repro::ContractOp op, llvm::ArrayRef<LinearIndices> indices);

/// Each box has code of its own.
constexpr size_t kMostBoxes = 64;

} // namespace gensyn::codegen

#endif
