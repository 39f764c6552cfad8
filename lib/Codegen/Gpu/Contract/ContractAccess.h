// How the elements of a contraction's operand lie in memory, which decides how
// they are copied to shared memory.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTACCESS_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTACCESS_H

#include "gensyn/Codegen/Contraction/GemmView.h"

namespace gensyn::gpu {

/// The longest accesses to an operand, in elements: 0 if neighbours are not
/// contiguous, else 1, 2 or 4.
struct ContractAccess {
  int64_t alongRows = 0; ///< rows of A, columns of B
  int64_t alongPoints = 0;

  /// True if a thread copies points of one row rather than rows of one point.
  bool isAlongPoints() const {
    return alongRows < 4 && alongPoints > alongRows;
  }
};

/// Returns the accesses to A or B, whose elements have `bytes`.
ContractAccess getContractAccess(const codegen::GemmView &view,
                                 codegen::GemmTensor tensor, int64_t bytes);

} // namespace gensyn::gpu

#endif
