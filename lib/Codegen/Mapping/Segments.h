// Lists of launches that follow each other without a decision in between.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_SEGMENTS_H
#define GENSYN_LIB_CODEGEN_MAPPING_SEGMENTS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace gensyn::mapping {

/// Each launch of a plan once, those that prepare first.
std::vector<std::vector<unsigned>> listSegments(const plan::Plan &plan);

/// Finds the kernel of each launch of a function's plan, which has one for
/// each.
mlir::LogicalResult
findKernels(mlir::func::FuncOp main, const plan::Plan &plan,
            llvm::SmallVectorImpl<repro::KernelOp> &kernels);

} // namespace gensyn::mapping

#endif
