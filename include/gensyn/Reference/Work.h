// How much the interpreter would have to hold and to compute, before it runs.

#ifndef GENSYN_REFERENCE_WORK_H
#define GENSYN_REFERENCE_WORK_H

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace gensyn::reference {

/// Elements and floating-point operations that tools compute unless they are
/// told otherwise: up to a few minutes.
inline constexpr int64_t kDefaultWork = int64_t{1} << 34;

/// Bytes of all tensors that are results of `op` or of ops inside.
int64_t countResultBytes(mlir::Operation *op);

/// Elements of the results of `op` and of ops inside, and their floating-point
/// operations (CostOpInterface), as often as loops run them at most.
int64_t countWork(mlir::Operation *op);

} // namespace gensyn::reference

#endif
