// Bounds on the sizes of tensors in every dialect.
#ifndef GENSYN_DIALECT_TENSORSIZES_H
#define GENSYN_DIALECT_TENSORSIZES_H

#include "gensyn/Numerics/Sizes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gensyn {

/// True if a tensor has at most `kMaxElements` elements, where unknown extents
/// and those of 0 count as 1: then products of extents cannot overflow. True of
/// other types.
inline bool hasBoundedSize(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return true;
  llvm::SmallVector<int64_t> extents;
  for (int64_t extent : tensor.getShape())
    extents.push_back(mlir::ShapedType::isDynamic(extent) ? 1 : extent);
  return boundedProduct(llvm::ArrayRef(extents), kMaxElements).has_value();
}

} // namespace gensyn

#endif
