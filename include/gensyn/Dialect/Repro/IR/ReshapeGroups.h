// Dimensions of a reshape that belong together.

#ifndef GENSYN_DIALECT_REPRO_IR_RESHAPEGROUPS_H
#define GENSYN_DIALECT_REPRO_IR_RESHAPEGROUPS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace gensyn::repro {

/// Dimensions [from, fromEnd) of one shape and [to, toEnd) of another with the
/// same product: an index of one side follows from indices of the other.
struct ReshapeGroup {
  size_t from, fromEnd, to, toEnd;

  /// True if one dimension is left as it is.
  bool isSingle() const { return fromEnd - from == 1 && toEnd - to == 1; }
};

/// An extent of 1 between two groups is in a group, alone where the other shape
/// has ended, or in none: its index is 0.
enum class UnitExtents { Group, Skip };

/// The smallest groups of a reshape, in order. Without elements those up to the
/// first dimensions whose products differ.
/// mlir::getReassociationIndicesForReshape has groups only where one shape
/// collapses the other.
llvm::SmallVector<ReshapeGroup> getReshapeGroups(llvm::ArrayRef<int64_t> from,
                                                 llvm::ArrayRef<int64_t> to,
                                                 UnitExtents units);

} // namespace gensyn::repro

#endif
