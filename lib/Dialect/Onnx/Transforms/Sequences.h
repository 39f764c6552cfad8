// Sequences whose elements are known values. They are tensors by another name:
// what reads them at known places reads the tensors.
#pragma once

#include "LoopTrips.h"

namespace gensyn::onnx {

/// The sizes of the parts that a SplitToSequence makes, where they are known
/// and at most `mostParts`. With keepdims 0 they are ones.
inline constexpr int64_t mostParts = 4096;
std::optional<llvm::SmallVector<int64_t>> partsOf(NodeOp splitToSequence);

/// A Split of the operand of a SplitToSequence into `parts`, in front of it.
mlir::Operation *createSplit(mlir::OpBuilder &builder, NodeOp splitToSequence,
                             llvm::ArrayRef<int64_t> parts);

/// Nodes of ONNX that a rewrite makes, in order; their types are not known yet.
using MadeNodes = llvm::SmallVector<mlir::Operation *>;

/// Rewrites a node about a sequence whose elements are known, which is one that
/// a SequenceConstruct or SequenceEmpty gives: what gives another sequence
/// becomes one of these two (SplitToSequence, SequenceInsert, SequenceErase),
/// what reads it reads the elements. Then true: the node has no uses and is to
/// be erased.
bool resolveSequence(
    NodeOp node, llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf,
    MadeNodes &made);

/// Writes out the iterations of a Loop in its place, where it carries or reads
/// known sequences and `trips` is exact: then true, and the loop has no uses.
/// `visit` is called for each new node, in order; a failure of it ends the work
/// and is left in `result`.
bool unrollOverSequences(
    NodeOp loop, const LoopTrips &trips,
    llvm::function_ref<llvm::LogicalResult(mlir::Operation *)> visit,
    llvm::LogicalResult &result);

} // namespace gensyn::onnx
