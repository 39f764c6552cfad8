// Sequences whose elements are known values. A reader of a known element is
// rewritten to read the tensor itself.
#ifndef GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_SEQUENCES_H
#define GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_SEQUENCES_H

#include "LoopTrips.h"

namespace gensyn::onnx {

/// The sizes of the parts that a SplitToSequence yields, if they are known and
/// there are at most `mostParts`. With keepdims 0 they are ones.
inline constexpr int64_t mostParts = 4096;
std::optional<llvm::SmallVector<int64_t>> partsOf(NodeOp splitToSequence);

/// Builds a Split of the operand of a SplitToSequence into `parts`, before it.
mlir::Operation *createSplit(mlir::OpBuilder &builder, NodeOp splitToSequence,
                             llvm::ArrayRef<int64_t> parts);

/// ONNX nodes that a rewrite creates, in order; their types are not known yet.
using MadeNodes = llvm::SmallVector<mlir::Operation *>;

/// Rewrites a node that uses a sequence with known elements, which is one from
/// a SequenceConstruct or SequenceEmpty. A node that returns another sequence
/// becomes one of these two (SplitToSequence, SequenceInsert, SequenceErase); a
/// node that reads it reads the elements. Then returns true: the node has no
/// uses and is to be erased.
bool resolveSequence(
    NodeOp node, llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf,
    MadeNodes &made);

/// Unrolls a Loop if it carries or reads known sequences and `trips` is exact.
/// Then returns true, and the loop has no uses. `visit` is called for each new
/// node, in order; a failure of it ends the work and is left in `result`.
bool unrollOverSequences(
    NodeOp loop, const LoopTrips &trips,
    llvm::function_ref<llvm::LogicalResult(mlir::Operation *)> visit,
    llvm::LogicalResult &result);

} // namespace gensyn::onnx

#endif
