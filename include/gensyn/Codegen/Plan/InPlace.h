// Finds results of a kernel that may be written over its operands.

#ifndef GENSYN_CODEGEN_PLAN_INPLACE_H
#define GENSYN_CODEGEN_PLAN_INPLACE_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::codegen {

/// Result `result` of a kernel may share the memory of operand `operand`.
struct InPlacePair {
  unsigned operand, result;
};

/// Returns the pairs that the kernel's region permits: it is pointwise (or has
/// independent pointwise components), and element e of the operand is read only
/// for element e of results, all of the result's type and of one component.
/// Sharing is safe if a thread reads everything that it needs for the results'
/// elements at e before it writes the first of them. Schedules of such kernels
/// do that (Schedule.h of CPU and GPU). A kernel that is a scatter may write
/// over its base, which it then need not copy.
///
/// These hold for every schedule. One of contractions permits others besides
/// (KernelPlan::inPlace).
///
/// The plan selects among them, each operand and result at most once, so code
/// generators must not assume that these operands and results do not alias.
llvm::SmallVector<InPlacePair> findInPlacePairs(repro::KernelOp kernel);

/// Returns the pairs of a kernel of any form whose operand only elementwise ops
/// read, for results of its type.
llvm::SmallVector<InPlacePair> findElementwisePairs(repro::KernelOp kernel);

} // namespace gensyn::codegen

#endif
