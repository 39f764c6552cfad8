// Tensor parallelism: several ranks compute each segment of a microbatch
// together.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_TENSORS_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_TENSORS_H

#include "mlir/IR/BuiltinOps.h"

namespace gensyn::train {

/// Segment: its rank among those of its stage (i64).
inline constexpr llvm::StringLiteral kTensorAttr = "train.tensor";
/// Segment: the segment of the pipeline that it is a phase of (i64).
inline constexpr llvm::StringLiteral kPhaseOfAttr = "train.segment";
/// Argument or result of a segment: the part of a sum that it is. The first
/// index and the number of indices in each dimension of the whole (array of
/// i64).
inline constexpr llvm::StringLiteral kTileAttr = "train.tile";

/// What a value that travels costs in addition to its bytes, in bytes: a
/// network that sends some 10^9 bytes in a second delays each by some
/// microseconds.
inline constexpr int64_t kExchangeBytes = 8192;

/// Chooses one of the cuts of an op, of which number 0 computes it whole.
using TensorChooser =
    llvm::function_ref<unsigned(mlir::Operation *op, unsigned cuts)>;

/// Divides the segments that cutStages has made over `ranks` ranks for each
/// stage, as the description of train-cut-tensors says. Fails after emitting
/// one error; the module is then invalid. With `choose` cuts are not those that
/// cost least.
llvm::LogicalResult cutTensors(mlir::ModuleOp module, int64_t ranks,
                               int64_t exchangeBytes = kExchangeBytes,
                               TensorChooser choose = {});

} // namespace gensyn::train

#endif
