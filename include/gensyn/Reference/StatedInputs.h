// Inputs that a function states itself, for tests and reduced programs.

#ifndef GENSYN_REFERENCE_STATEDINPUTS_H
#define GENSYN_REFERENCE_STATEDINPUTS_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <vector>

namespace gensyn::reference {

/// The values of the arguments' `gensyn.input` attributes. None where an
/// argument has no such attribute of its type; `missing` is its number.
std::optional<std::vector<Tensor>> getStatedInputs(mlir::func::FuncOp function,
                                                   unsigned &missing);

} // namespace gensyn::reference

#endif
