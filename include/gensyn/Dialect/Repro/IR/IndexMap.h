// The maps of gather and scatter as plain numbers, for the verifier, the
// reference and code generators.

#ifndef GENSYN_DIALECT_REPRO_IR_INDEXMAP_H
#define GENSYN_DIALECT_REPRO_IR_INDEXMAP_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <optional>
#include <utility>

namespace gensyn::repro {

/// constant + sum of coefficients[i] * d_i, + s_symbol if there is a symbol
/// (gather_c1).
struct IndexExpr {
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;
  std::optional<unsigned> symbol;

  /// The least and greatest value of the part without the symbol over iterators
  /// below `extents`; nothing if it leaves [-2^62, 2^62]. Within these bounds,
  /// adding an index modulo 2^64 cannot bring a sum that is out of range back
  /// into range.
  std::optional<std::pair<int64_t, int64_t>>
  range(llvm::ArrayRef<int64_t> extents) const;

  /// True if the index is in [0, extent) whatever the iterators are.
  bool isInside(llvm::ArrayRef<int64_t> extents, int64_t extent) const;

  /// The iterator, if the expression is an iterator and nothing else.
  std::optional<unsigned> asIterator() const;
};

/// Index expressions of one tensor, one per dimension.
using IndexMap = llvm::SmallVector<IndexExpr>;

/// Reads a map; fails if an expression is not of that form.
llvm::FailureOr<IndexMap> readIndexMap(mlir::AffineMap map);

/// The independent columns of a scatter: pairs of an iterator of the updates
/// and the dimension of the result that it indexes. Updates at one value of the
/// iterator write only the slice of that index, so slices are independent.
/// Indices of the result beyond the iterator's extent have no updates.
llvm::SmallVector<std::pair<unsigned, unsigned>>
getScatterColumns(ScatterOp scatter);

/// True if no two updates have the same target, whatever the indices are: the
/// indices are common to all updates, and each iterator has a dimension of its
/// own.
bool hasDistinctTargets(ScatterOp scatter);

} // namespace gensyn::repro

#endif
