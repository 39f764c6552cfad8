// Pipeline stages: the segments of a microbatch that ranks run one after
// another, each rank with the parameters of its own segments.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_STAGES_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_STAGES_H

#include "gensyn/Executable/PipelineStages.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn::train {

/// Before the number of a segment, in the name of its function.
inline constexpr llvm::StringLiteral kSegmentPart = "segment_";
/// Before the number of a value that a segment passes to later ones.
inline constexpr llvm::StringLiteral kCutPrefix = "gensyn.cut.";

/// Segment: its stage (i64).
inline constexpr llvm::StringLiteral kStageAttr = "train.stage";
/// Module: for each stage a dictionary of what its rank holds: `parameters`
/// (array of names), `sums` and `contributions` (arrays of i64, their numbers).
inline constexpr llvm::StringLiteral kStagesAttr = "train.stages";

/// Percents by which the largest chunk may exceed the least that is possible,
/// where fewer bytes travel for it.
inline constexpr int64_t kStageSlack = 5;

/// Divides `@microbatch` of a divided step into the segments of a pipeline, as
/// the description of train-cut-stages says; with 0 a chunk may read any number
/// of bytes of parameters. Fails after emitting one error; the module is then
/// invalid.
llvm::LogicalResult cutStages(mlir::ModuleOp module, PipelineStages pipeline,
                              int64_t slack = kStageSlack,
                              int64_t mostParameterBytes = 0);

} // namespace gensyn::train

#endif
