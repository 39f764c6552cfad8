// Inputs that a function specifies itself, for tests and reduced programs.

#ifndef GENSYN_REFERENCE_STATEDINPUTS_H
#define GENSYN_REFERENCE_STATEDINPUTS_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <vector>

namespace gensyn::reference {

/// Returns the values of the arguments' `gensyn.input` attributes. std::nullopt
/// if an argument has no such attribute of its type; `missing` is its index.
std::optional<std::vector<Tensor>> getStatedInputs(mlir::func::FuncOp function,
                                                   unsigned &missing);

} // namespace gensyn::reference

#endif
