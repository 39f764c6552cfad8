// Whether kernels that follow one have something to copy meanwhile.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_SEARCH_FOLLOWERS_H
#define GENSYN_LIB_CODEGEN_MAPPING_SEARCH_FOLLOWERS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::mapping {

/// True if the cores of a kernel have operands of later ones to copy while they
/// compute it: such as no kernel makes. `beside` is the kernel that other cores
/// compute at the same time; null: none.
bool delaysCopies(repro::KernelOp kernel, repro::KernelOp beside);

/// The same, beside the kernel with which this one shares the cores
/// (`task.share`). True for more of them than two: parts of a sum follow each
/// other.
bool delaysCopies(repro::KernelOp kernel);

/// How many kernels share the cores evenly (`task.share`), this one included.
int64_t shareOf(repro::KernelOp kernel);

} // namespace gensyn::mapping

#endif
