// Operands of kernels whose values last across runs.

#ifndef GENSYN_CODEGEN_PLAN_LASTINGOPERANDS_H
#define GENSYN_CODEGEN_PLAN_LASTINGOPERANDS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::codegen {

/// Kernel: the operands that are the same in all runs on the same parameters,
/// if its schedule computes anything from them before runs (array of i64). A
/// part of the kernel's text, since its code depends on it.
inline constexpr llvm::StringLiteral kLastingAttr = "repro.lasting";

/// Sets or, if there are none, removes the attribute.
void setLastingOperands(repro::KernelOp kernel,
                        llvm::ArrayRef<int64_t> operands);

/// True if the attribute lists the operand.
bool isLastingOperand(repro::KernelOp kernel, unsigned operand);

} // namespace gensyn::codegen

#endif
