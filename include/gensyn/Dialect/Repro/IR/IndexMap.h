// The maps of gather and scatter as plain numbers: what the verifier checks,
// the reference walks and code generators emit.

#ifndef GENSYN_DIALECT_REPRO_IR_INDEXMAP_H
#define GENSYN_DIALECT_REPRO_IR_INDEXMAP_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <optional>
#include <utility>

namespace gensyn::repro {

/// constant + sum of coefficients[i] * d_i + s_symbol, where there is one
/// (gather_c1).
struct IndexExpr {
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;
  std::optional<unsigned> symbol;

  /// The least and greatest value of the part without the symbol over
  /// iterators below `extents`; nothing where it leaves [-2^62, 2^62]. Within
  /// it, a sum with any index is in range modulo 2^64 only if it is.
  std::optional<std::pair<int64_t, int64_t>>
  range(llvm::ArrayRef<int64_t> extents) const;

  /// True if the index is in [0, extent) whatever the iterators are.
  bool isInside(llvm::ArrayRef<int64_t> extents, int64_t extent) const;

  /// The iterator that the expression is, and nothing else.
  std::optional<unsigned> asIterator() const;
};

/// Index expressions of one tensor, one per dimension.
using IndexMap = llvm::SmallVector<IndexExpr>;

/// Reads a map; fails where an expression is not of that form.
llvm::FailureOr<IndexMap> readIndexMap(mlir::AffineMap map);

/// The independent columns of a scatter: pairs of an iterator of the updates
/// and the dimension of the result whose index it is. An update with a value of
/// the iterator writes only the slice of that index, so each slice has an
/// owner. Indices of the result beyond the iterator's extent have no updates.
llvm::SmallVector<std::pair<unsigned, unsigned>>
getScatterColumns(ScatterOp scatter);

} // namespace gensyn::repro

#endif
