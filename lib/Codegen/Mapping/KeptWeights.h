// Weights that stay in the memories of cores: which they are, and how much room
// tiles leave them.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_KEPTWEIGHTS_H
#define GENSYN_LIB_CODEGEN_MAPPING_KEPTWEIGHTS_H

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Description.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::mapping {

/// For each buffer of the plan true if it has the same bytes in all runs.
llvm::SmallVector<bool> findWeights(mlir::func::FuncOp main,
                                    const plan::Plan &plan);

/// The bytes from a weight of one repetition to that of the next one in a
/// core's memory: a multiple of the largest element, and no more, since a scale
/// of 4 bytes is a common weight.
int64_t residentStep(int64_t bytes);

/// The memory of a core for weights of so many bytes in each repetition.
int64_t residentBytes(int64_t bytes, int64_t repetitions);

/// Leaves so many percent of the memories of a machine's cores to programs, and
/// the rest reserved.
void limitCoreMemories(machine::Description &machine, unsigned percent);

} // namespace gensyn::mapping

#endif
