// The arithmetic of each kind of reduction.

#ifndef GENSYN_CODEGEN_EMIT_REDUCEKINDS_H
#define GENSYN_CODEGEN_EMIT_REDUCEKINDS_H

#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// The initial value of a reduction of elements of `type`.
mlir::Value emitIdentity(Scalar &scalar, repro::ReduceKind kind,
                         mlir::Type type);

/// x joined with y: the step of a reduction and the join of partial results.
mlir::Value emitCombine(Scalar &scalar, repro::ReduceKind kind, mlir::Value x,
                        mlir::Value y);

} // namespace gensyn::emit

#endif
