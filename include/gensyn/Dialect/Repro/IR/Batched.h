// Several instances of an op as one op.

#ifndef GENSYN_DIALECT_REPRO_IR_BATCHED_H
#define GENSYN_DIALECT_REPRO_IR_BATCHED_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::repro {

/// Builds `count` instances of `op` as one op; see BatchableOpInterface.
/// Returns null if the op has no such form.
mlir::Value buildBatched(mlir::OpBuilder &builder, mlir::Operation *op,
                         int64_t count, mlir::ValueRange operands,
                         llvm::ArrayRef<bool> isBatched);

/// `value`, common to all instances, repeated for each of them.
mlir::Value repeatFor(mlir::OpBuilder &builder, mlir::Location location,
                      int64_t count, mlir::Value value);

} // namespace gensyn::repro

#endif
