// Finds results of a kernel that may be written over its operands.

#ifndef GENSYN_CODEGEN_PLAN_INPLACE_H
#define GENSYN_CODEGEN_PLAN_INPLACE_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::codegen {

/// Result `result` of a kernel may have the memory of operand `operand`.
struct InPlacePair {
  unsigned operand, result;
};

/// The pairs that are legal by the kernel's region alone: it is pointwise (or
/// pointwise components side by side), and element e of the operand is read
/// for element e of results only, all of the result's type and one component.
/// So a thread that computes the results' elements at e, having read whatever
/// it needs for them before it writes the first of them, is not disturbed: what
/// schedules of such kernels do (Schedule.h of CPU and GPU).
///
/// The plan chooses among them, each operand and result at most once, so code
/// generators may not take these operands and results for distinct memory.
llvm::SmallVector<InPlacePair> findInPlacePairs(repro::KernelOp kernel);

} // namespace gensyn::codegen

#endif
