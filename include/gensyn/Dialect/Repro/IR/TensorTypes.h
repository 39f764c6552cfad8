// Types and shapes of tensor values.

#ifndef GENSYN_DIALECT_REPRO_IR_TENSORTYPES_H
#define GENSYN_DIALECT_REPRO_IR_TENSORTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <vector>

namespace gensyn::repro {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

inline std::vector<int64_t> shapeOf(mlir::Value value) {
  return typeOf(value).getShape().vec();
}

} // namespace gensyn::repro

#endif
