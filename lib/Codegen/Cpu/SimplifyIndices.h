// Divisions and comparisons of indices that step with a loop.

#ifndef GENSYN_LIB_CODEGEN_CPU_SIMPLIFYINDICES_H
#define GENSYN_LIB_CODEGEN_CPU_SIMPLIFYINDICES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gensyn::cpu {

/// Divides indices c i + k, where i is the loop's induction variable, by
/// divisors of c without a division: the remainder is that of k. Folds their
/// comparisons with ends of dimensions that give the same in all iterations,
/// and constants in the body. No dividend is negative in an iteration of the
/// loop.
void simplifyIndices(mlir::scf::ForOp loop);

} // namespace gensyn::cpu

#endif
