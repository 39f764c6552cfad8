// The phases of a microbatch that several ranks run.

#ifndef GENSYN_LIB_PIPELINES_STEPPHASES_H
#define GENSYN_LIB_PIPELINES_STEPPHASES_H

#include "gensyn/Executable/PipelineStages.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace gensyn {

/// The shapes of the sums over all microbatches, by their names.
using SumShapes = llvm::StringMap<llvm::SmallVector<int64_t>>;

/// Of the update of a divided step.
SumShapes findSums(mlir::ModuleOp module);

/// Reads the pipeline of a request, of which 0 is 1.
template <class Request> PipelineStages readPipeline(const Request &request) {
  return {std::max<int64_t>(request.pipeline_stages(), 1),
          std::max<int64_t>(request.interleave(), 1)};
}

/// Cuts the microbatch of a divided step into the phases of the ranks of a
/// group: `tensors` ranks for each stage of a pipeline. 0 is 1, and one
/// rank leaves it whole. Fails after emitting an error.
llvm::LogicalResult cutMicrobatch(mlir::ModuleOp module,
                                  PipelineStages pipeline, int64_t tensors);

/// How the ranks of a group would divide a microbatch of a frozen training step
/// of `microbatches`: what each computes, and which ops ranks do not divide,
/// with the reasons (see CompilerApi.h for the keys). The module is changed.
/// Fails after emitting an error.
llvm::FailureOr<llvm::json::Object> describeDivision(mlir::ModuleOp module,
                                                     int64_t microbatches,
                                                     PipelineStages pipeline,
                                                     int64_t tensors);

/// Says whose a phase is, and which parts of sums it has.
void describePhase(mlir::func::FuncOp part, const SumShapes &shapes,
                   plan::Phase &phase);

} // namespace gensyn

#endif
