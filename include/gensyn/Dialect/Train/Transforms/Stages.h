// Pipeline stages: the segments of a microbatch that ranks run one after
// another, each rank with the parameters of its own segments.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_STAGES_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_STAGES_H

#include "mlir/IR/BuiltinOps.h"

#include <algorithm>

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

/// Stages are folded: segments 0 to S - 1 are those of the stages in order,
/// and the later ones lead back. The last stage has one segment.
constexpr int64_t countSegments(int64_t stages) { return 2 * stages - 1; }
constexpr int64_t stageOfSegment(int64_t segment, int64_t stages) {
  return std::min(segment, 2 * stages - 2 - segment);
}

/// Percents by which the largest stage may exceed the least that is possible,
/// where fewer bytes travel for it.
inline constexpr int64_t kStageSlack = 5;

/// Divides `@microbatch` of a divided step into the segments of `stages`
/// stages, as the description of train-cut-stages says; with 0 a stage may read
/// any number of bytes of parameters. Fails after emitting
/// one error; the module is then invalid.
llvm::LogicalResult cutStages(mlir::ModuleOp module, int64_t stages,
                              int64_t slack = kStageSlack,
                              int64_t mostParameterBytes = 0);

} // namespace gensyn::train

#endif
