// The functions of a microbatch's segments.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_SEGMENTS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_SEGMENTS_H

#include "StepFold.h"
#include "gensyn/Executable/PipelineStages.h"

namespace gensyn::train {

/// True if the function may be a part that train-split-step made: one block of
/// ops on tensors, whose results replace arguments.
bool isPart(mlir::func::FuncOp function);

/// What a stage computes, holds and gets for a microbatch.
struct StageFacts {
  int64_t ops = 0, operations = 0;
  int64_t parameterBytes = 0;
  int64_t receivedBytes = 0; ///< from other stages
  int64_t keptBytes = 0;     ///< from its segments to later ones of its own
};

/// Builds the segments in front of `microbatch`. `cuts` are the first places of
/// the chunks but the first. Sets kStagesAttr of the module.
std::vector<StageFacts> buildSegments(mlir::func::FuncOp microbatch,
                                      const StepFold &fold,
                                      llvm::ArrayRef<unsigned> cuts,
                                      PipelineStages pipeline);

/// Fails after an error unless the module's segments, each after those before
/// it, are the program `microbatch`: every value that they read is an argument
/// of it or the result of an earlier segment, and together they have its
/// digest.
llvm::LogicalResult verifySegments(mlir::func::FuncOp microbatch);

} // namespace gensyn::train

#endif
