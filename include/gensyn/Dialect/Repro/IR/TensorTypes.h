// Types, shapes and sizes of tensor values. Their element type is
// mlir::getElementTypeOrSelf.

#ifndef GENSYN_DIALECT_REPRO_IR_TENSORTYPES_H
#define GENSYN_DIALECT_REPRO_IR_TENSORTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Value.h"

namespace gensyn::repro {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return typeOf(value).getShape();
}

/// The number of elements of a static tensor.
inline int64_t elementsOf(mlir::Value value) {
  return typeOf(value).getNumElements();
}

/// The bytes that a static tensor takes in memory.
int64_t bytesOf(mlir::Type type);
inline int64_t bytesOf(mlir::Value value) { return bytesOf(value.getType()); }

} // namespace gensyn::repro

#endif
