// The task dialect: what the cores of a machine do to run a frozen program.

#ifndef GENSYN_DIALECT_TASK_IR_TASK_H
#define GENSYN_DIALECT_TASK_IR_TASK_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "gensyn/Dialect/Task/IR/TaskDialect.h.inc"
#include "gensyn/Dialect/Task/IR/TaskInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "gensyn/Dialect/Task/IR/TaskTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Task/IR/TaskAttributes.h.inc"
#define GET_OP_CLASSES
#include "gensyn/Dialect/Task/IR/TaskOps.h.inc"

namespace gensyn::task {

// Attributes of kernels; see TaskOps.td.
inline constexpr llvm::StringLiteral kPartsAttr = "task.parts";
inline constexpr llvm::StringLiteral kTilesAttr = "task.tiles";
inline constexpr llvm::StringLiteral kOrderAttr = "task.order";
inline constexpr llvm::StringLiteral kInPlaceAttr = "task.in_place";
inline constexpr llvm::StringLiteral kRepetitionAttr = "task.repetition";
inline constexpr llvm::StringLiteral kCoresAttr = "task.cores";
inline constexpr llvm::StringLiteral kShareAttr = "task.share";
inline constexpr llvm::StringLiteral kKindsAttr = "task.kinds";
/// Module: the memory of each buffer of the plan (array of i32).
inline constexpr llvm::StringLiteral kMemoriesAttr = "task.memories";
/// Module: for each buffer of the plan its layout, or a unit attribute if it is
/// interleaved (array).
inline constexpr llvm::StringLiteral kLayoutsAttr = "task.layouts";
/// Module: the buffers of the plan that have the same bytes in all runs, if some
/// were to stay in cores (array of i32).
inline constexpr llvm::StringLiteral kWeightsAttr = "task.weights";
/// Module: the machine whose cores its segments are complete for, as in the
/// option of the passes (string).
inline constexpr llvm::StringLiteral kMachineAttr = "task.machine";

/// The boxes of a grid over `whole`, in row-major order: `sizes` along each
/// dimension, less at the end of it. A dimension without indices has one box.
llvm::SmallVector<repro::Tile> getBoxes(llvm::ArrayRef<repro::IndexRange> whole,
                                        llvm::ArrayRef<int64_t> sizes);

/// The number of those.
int64_t countBoxes(llvm::ArrayRef<repro::IndexRange> whole,
                   llvm::ArrayRef<int64_t> sizes);

/// The parts of a kernel with `task.parts`; without it, the whole.
llvm::SmallVector<repro::Tile> getParts(repro::KernelOp kernel);

/// A kind of cores that computes parts of a kernel, and how many each of its
/// cores computes.
struct KindParts {
  uint32_t kind;
  int64_t parts;
};
/// Those of a kernel with `task.kinds`; without it, none.
llvm::SmallVector<KindParts> getKindParts(repro::KernelOp kernel);

/// The tiles of a part of a kernel with `task.tiles`, in the order in which a
/// core computes them (`task.order`); without it, the part.
llvm::SmallVector<repro::Tile> getTiles(repro::KernelOp kernel,
                                        llvm::ArrayRef<repro::IndexRange> part);

} // namespace gensyn::task

#endif
