// Ops with their dimensions in another order.

#ifndef GENSYN_DIALECT_REPRO_IR_PERMUTED_H
#define GENSYN_DIALECT_REPRO_IR_PERMUTED_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::repro {

/// See PermutableOpInterface. Elementwise ops and splat constants have such
/// forms too; an op that may fault has none, since it reports an element's
/// position.
std::optional<llvm::SmallVector<unsigned>>
findPermutedOperands(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);

/// Builds the permuted form of an op for which `findPermutedOperands` has one.
mlir::Value buildPermuted(mlir::OpBuilder &builder, mlir::Operation *op,
                          mlir::ValueRange operands,
                          llvm::ArrayRef<int64_t> permutation);

/// Returns the entries in the order of the permuted dimensions.
template <typename T>
llvm::SmallVector<T> permuted(llvm::ArrayRef<T> entries,
                              llvm::ArrayRef<int64_t> permutation) {
  llvm::SmallVector<T> result;
  for (int64_t dim : permutation)
    result.push_back(entries[size_t(dim)]);
  return result;
}

} // namespace gensyn::repro

#endif
