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

/// Leaves so many percent of the memories of a machine's cores to programs, and
/// the rest reserved.
void limitCoreMemories(machine::Description &machine, unsigned percent);

} // namespace gensyn::mapping

#endif
