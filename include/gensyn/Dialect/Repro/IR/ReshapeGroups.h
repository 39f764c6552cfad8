// Dimensions of a reshape that belong together.

#ifndef GENSYN_DIALECT_REPRO_IR_RESHAPEGROUPS_H
#define GENSYN_DIALECT_REPRO_IR_RESHAPEGROUPS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace gensyn::repro {

/// Dimensions [from, fromEnd) of one shape and [to, toEnd) of another with the
/// same product, so the indices of one side determine those of the other.
struct ReshapeGroup {
  size_t from, fromEnd, to, toEnd;

  /// True if one dimension is left as it is.
  bool isSingle() const { return fromEnd - from == 1 && toEnd - to == 1; }
};

/// The treatment of an extent of 1 between two groups: it is in a group (its
/// own if the other shape has ended), or in none, since its index is 0.
enum class UnitExtents { Group, Skip };

/// The smallest groups of a reshape, in order. For shapes without elements,
/// only those up to the first dimensions whose products differ.
/// mlir::getReassociationIndicesForReshape has groups only if one shape
/// collapses the other.
llvm::SmallVector<ReshapeGroup> getReshapeGroups(llvm::ArrayRef<int64_t> from,
                                                 llvm::ArrayRef<int64_t> to,
                                                 UnitExtents units);

} // namespace gensyn::repro

#endif
