// The contractions of a ContractedRows kernel.

#ifndef GENSYN_LIB_DIALECT_REPRO_ANALYSIS_ROWCONTRACTIONS_H
#define GENSYN_LIB_DIALECT_REPRO_ANALYSIS_ROWCONTRACTIONS_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

#include <string>

namespace gensyn::repro {

/// Finds the role of every contraction of the kernel, and the space, which they
/// must have in common. Returns the reason if there is none, else "".
std::string findRowContractions(KernelOp kernel, KernelForm &form);

/// Checks that vectors along the columns can compute every value: nothing moves
/// elements from one column to another, and orders have lanes. Returns the
/// reason against it, else "".
std::string checkRowValues(KernelOp kernel, const KernelForm &form);

} // namespace gensyn::repro

#endif
