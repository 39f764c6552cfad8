// Constant masks of vectors.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_LANEMASK_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_LANEMASK_H

#include "mlir/IR/Builders.h"

namespace gensyn::cpu {

/// Returns a mask of `lanes` i1 of which the first `active` are true.
mlir::Value firstLanes(mlir::OpBuilder &builder, mlir::Location location,
                       int64_t active, int64_t lanes);

} // namespace gensyn::cpu

#endif
