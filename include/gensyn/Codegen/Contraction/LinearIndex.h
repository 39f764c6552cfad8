// Indices of a contraction's tensors as linear functions of its iterators.

#ifndef GENSYN_CODEGEN_CONTRACTION_LINEARINDEX_H
#define GENSYN_CODEGEN_CONTRACTION_LINEARINDEX_H

#include "mlir/IR/AffineMap.h"

namespace gensyn::codegen {

/// Consecutive values of an iterator: low, low + 1, ..., low + count - 1.
struct Range {
  int64_t low = 0, count = 0;
  bool operator==(const Range &) const = default;
};

/// An index of a tensor: constant + the sum of steps[i] times iterator i.
struct LinearIndex {
  int64_t constant = 0;
  llvm::SmallVector<int64_t> steps;
  int64_t extent = 0; ///< of the tensor's dimension
  int64_t stride = 0; ///< of the tensor's dimension, in elements

  /// True if it stays in [0, extent) for iterators of these extents.
  bool isInside(llvm::ArrayRef<int64_t> extents) const;
};
using LinearIndices = llvm::SmallVector<LinearIndex>;

/// Returns the indices of a tensor of this shape under a linear map
/// (domain_c1).
LinearIndices indicesOf(mlir::AffineMap map, llvm::ArrayRef<int64_t> shape);

/// Returns the linear offset of the element at iterators 0, and the number of
/// elements by which it changes with an iterator.
int64_t constantOf(llvm::ArrayRef<LinearIndex> indices);
int64_t strideOf(llvm::ArrayRef<LinearIndex> indices, unsigned iterator);
/// True if any index changes with the iterator.
bool uses(llvm::ArrayRef<LinearIndex> indices, unsigned iterator);

/// Returns the values i in [0, count) with 0 <= constant + i * step < extent.
Range rangeInside(int64_t constant, int64_t step, int64_t count,
                  int64_t extent);

} // namespace gensyn::codegen

#endif
