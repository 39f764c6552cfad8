// The arithmetic of each kind of reduction.

#ifndef GENSYN_CODEGEN_EMIT_REDUCEKINDS_H
#define GENSYN_CODEGEN_EMIT_REDUCEKINDS_H

#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// Returns the initial value of a reduction of elements of `type`.
mlir::Value emitIdentity(Scalar &scalar, repro::ReduceKind kind,
                         mlir::Type type);

/// Combines x and y: a step of a reduction, or the combination of partial
/// results.
mlir::Value emitCombine(Scalar &scalar, repro::ReduceKind kind, mlir::Value x,
                        mlir::Value y);

} // namespace gensyn::emit

#endif
