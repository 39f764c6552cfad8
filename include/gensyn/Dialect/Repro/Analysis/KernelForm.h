// The loop structure of a kernel: shared by the pass that fuses kernels and by
// the schedules that compile them, so that what is fused is what can be run.

#ifndef GENSYN_DIALECT_REPRO_ANALYSIS_KERNELFORM_H
#define GENSYN_DIALECT_REPRO_ANALYSIS_KERNELFORM_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace gensyn::repro {

enum class KernelKind {
  /// isPointwise, with results of equally many elements that share something.
  Pointwise,
  /// A space [rows, columns] in which every reduction goes over the columns of
  /// a row. Rows need nothing of each other: one warp or block has a row.
  Rows,
  /// A space [rows, columns] in which every reduction goes over the rows of a
  /// column: gradients of biases and scales. Every result is a Column.
  ColumnSums,
  /// One contraction of two arguments, then elements of its result's space.
  Contraction,
  /// Pointwise components that have nothing to do with each other.
  Horizontal,
  /// A ColumnOpInterface op and what it reads.
  Columns,
  /// Other reductions (over windows, over middle dimensions).
  Other
};

/// "pointwise", "rows", ...
llvm::StringRef toString(KernelKind kind);

/// Maps iteration point (r, c) to the element of a value that it accesses. The
/// element's number is row-major in the value's own shape, whatever that is:
/// [4, 24, 64] and [96, 64] are the same Full value where there are 96 rows of
/// 64, [4, 24, 1] and [96] the same Row. So a reshape between values that are
/// not Free is the same element.
enum class Placement {
  Uniform, ///< its only element
  Row,     ///< element r
  Column,  ///< element c
  Full,    ///< element r * columns + c
  Free     ///< some other element, or several: computed where it is read. Never
           ///< depends on a reduction or contraction of the kernel.
};

llvm::StringRef toString(Placement placement);

/// A part of a Horizontal kernel: its results, the arguments that they need in
/// the order in which the results ask for them, and how many elements each
/// result has. Where components have one signature, input i of one does what
/// input i of another does: one body and a table of pointers and sizes serve
/// all. An argument may be an input of several components.
struct KernelComponent {
  llvm::SmallVector<unsigned> inputs;  ///< numbers of block arguments
  llvm::SmallVector<unsigned> outputs; ///< numbers of results
  int64_t elements = 0;
};

/// The form of a kernel. A schedule for Rows handles each row phase by phase:
/// it runs each reduction of the phase over the elements (r, 0..columns) of its
/// operand, in the op's order. Then it computes the results, Full ones at every
/// column, Row ones once. ElementEmitter::element of a KernelEmitter gives the
/// elements: it computes on demand what is neither a reduction nor an argument,
/// and takes the results of finished reductions from `define` (or from an
/// override of `element`). Expensive Full values may stay in registers or
/// shared memory between phases; cheap ones and arguments are computed or read
/// again. A result may be written before another is read only if no argument of
/// the kernel is its memory.
struct KernelForm {
  KernelKind kind = KernelKind::Other;
  /// The space. Of Pointwise and Contraction: the last dimension of the first
  /// result (of the contraction) and the others. Of Rows: `columns` is the
  /// product of what the reductions reduce, and at least 2; of ColumnSums it is
  /// `rows` that they reduce.
  int64_t rows = 1, columns = 1;
  /// The extents they are products of, as the first reduction has them.
  llvm::SmallVector<int64_t> rowExtents, columnExtents;

  /// Of Rows: the reductions in an order in which each finds the others it
  /// depends on before it. Each result is a Row, each operand Full. Of
  /// ColumnSums: the reductions, of which none depends on another. Each result
  /// is a Column, each operand Full; results of the kernel may be elementwise
  /// work on several of them.
  llvm::SmallVector<ReduceOp> reductions;
  /// Of Contraction. Its operands are block arguments, and what depends on it
  /// is Full.
  ContractOp contraction;
  /// Of Horizontal; two or more.
  llvm::SmallVector<KernelComponent> components;
  /// Of Pointwise: what it computes at an element from its inputs, as text, if
  /// these are Full or Uniform and nothing is Free; else empty. Kernels of one
  /// signature differ in shapes only. Of Horizontal: the signature that all
  /// components share; empty where they differ. Components of one signature
  /// are computed by one body over a flat index.
  std::string signature;
  /// Of Other, why: "reductions over different spaces".
  std::string reason;

  Placement placementOf(mlir::Value value) const {
    auto found = placements.find(value);
    return found == placements.end() ? Placement::Free : found->second;
  }
  /// The number of reductions, one after another, that have to be complete
  /// before an element of the value can be computed: 0 without any, 1 for the
  /// result of a first reduction.
  unsigned phaseOf(mlir::Value value) const { return phases.lookup(value); }
  /// The reductions that may run in one walk over the row: those whose
  /// operands are of this phase.
  llvm::SmallVector<ReduceOp> reductionsOf(unsigned phase) const;
  /// The number of walks that reductions need.
  unsigned numPhases() const;

  llvm::DenseMap<mlir::Value, Placement> placements;
  llvm::DenseMap<mlir::Value, unsigned> phases;
};

/// True if no op of the kernel reduces or works on whole columns: each element
/// of a result is computed by itself. Such kernels have the form Pointwise or
/// Horizontal, or Other where a result is empty or their results differ in
/// size.
bool isPointwise(KernelOp kernel);

/// The form of a kernel, from its text alone.
KernelForm getKernelForm(KernelOp kernel);

/// The number of leading dimensions of a shape whose product is `rows`; nothing
/// if there is none. A Full value of such a shape has its columns in the
/// others.
std::optional<unsigned> splitShape(llvm::ArrayRef<int64_t> shape, int64_t rows);

} // namespace gensyn::repro

#endif
