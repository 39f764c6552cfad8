// Estimates the memory and work of the interpreter before it runs.

#ifndef GENSYN_REFERENCE_WORK_H
#define GENSYN_REFERENCE_WORK_H

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace gensyn::reference {

/// Default limit of tools for elements and floating-point operations: up to a
/// few minutes.
inline constexpr int64_t kDefaultWork = int64_t{1} << 34;

/// Returns the bytes of all tensors that are results of `op` or of nested ops.
int64_t countResultBytes(mlir::Operation *op);

/// Returns the elements of the results of `op` and of nested ops, plus their
/// floating-point operations (CostOpInterface), multiplied by loop bounds.
int64_t countWork(mlir::Operation *op);

} // namespace gensyn::reference

#endif
