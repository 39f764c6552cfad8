// The loop structure of a kernel. The fusion pass and the schedules share it,
// so that only kernels that a schedule can run are fused.

#ifndef GENSYN_DIALECT_REPRO_ANALYSIS_KERNELFORM_H
#define GENSYN_DIALECT_REPRO_ANALYSIS_KERNELFORM_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace gensyn::repro {

enum class KernelKind {
  /// isPointwise, one component, with results of equally many elements.
  Pointwise,
  /// A space [rows, columns] in which every reduction goes over the columns of
  /// a row. Rows are independent: one warp or block computes a row.
  Rows,
  /// A space [rows, columns] in which every reduction goes over the rows of a
  /// column: gradients of biases and scales. Every result is a Column.
  ColumnSums,
  /// One contraction, then ops on elements of its result. Its operands are
  /// arguments, or computed by a prologue (findPrologue).
  Contraction,
  /// Rows some of whose Full values are results of contractions of arguments,
  /// and contractions of other Full values, whose results are results of the
  /// kernel: attention. No Full value is a result.
  ContractedRows,
  /// Pointwise components that are independent of each other.
  Horizontal,
  /// A ColumnOpInterface op and the ops that compute its operands.
  Columns,
  /// Other reductions (over windows, over middle dimensions).
  Other
};

/// "pointwise", "rows", ...
llvm::StringRef toString(KernelKind kind);

/// Maps iteration point (r, c) to the element of a value that it accesses.
/// Elements are numbered row-major in the value's own shape: with 96 rows of
/// 64, [4, 24, 64] and [96, 64] are both Full, and [4, 24, 1] and [96] are both
/// Row. So a reshape between values that are not Free keeps the element.
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

/// A contraction of a ContractedRows kernel. One of its tensors is Full, with
/// its columns as last dimension and the rows of a group as last dimension but
/// one; all others number the groups.
struct RowContraction {
  enum class Role {
    Source,     ///< of two arguments; the result is Full
    AlongRows,  ///< sums the columns of each row of a Full operand
    AcrossRows, ///< sums the rows of each column of a Full operand
  };
  ContractOp op;
  Role role;
  /// The Full tensor: operand 0 or 1, or 2, the result.
  unsigned full;
  /// The iterators of its rows and of its columns.
  unsigned row, column;

  mlir::Value getFull() const { return getTensor(full); }
  /// Operand 0 or 1, or the result (2).
  mlir::Value getTensor(unsigned tensor) const {
    auto contraction = op;
    return tensor == 2 ? mlir::Value(contraction.getResult())
                       : contraction->getOperand(tensor);
  }
  /// True if an iterator is an index of the tensor.
  bool has(unsigned tensor, unsigned iterator) const;
  /// The elements of the tensor between two values of an iterator; 0 if it is
  /// no index of it.
  int64_t getStride(unsigned tensor, unsigned iterator) const;
};

/// The contraction as one of `full` (operand 0 or 1, or 2, the result), if it
/// has one of the roles.
std::optional<RowContraction> asRowContraction(ContractOp op, unsigned full);

/// A component of a Horizontal kernel: its results, the arguments that they
/// need in the order in which the results first read them, and the number of
/// elements of each result. In components of one signature, input i has the
/// same meaning, so one body and a table of pointers and sizes serve all of
/// them. An argument may be an input of several components.
/// all. An argument may be an input of several components.
struct KernelComponent {
  llvm::SmallVector<unsigned> inputs;  ///< numbers of block arguments
  llvm::SmallVector<unsigned> outputs; ///< numbers of results
  int64_t elements = 0;
};

/// The form of a kernel. A schedule for Rows handles each row phase by phase:
/// it runs each reduction of the phase over the elements (r, 0..columns) of its
/// operand, in the op's order. Then it computes the results: Full ones at every
/// column, Row ones once. ElementEmitter::element of a KernelEmitter provides
/// the elements: it computes on demand all values but reductions and arguments,
/// and takes the results of finished reductions from `define` (or from an
/// override of `element`). Expensive Full values may stay in registers or
/// shared memory between phases; cheap ones and arguments are computed or read
/// again. A result may be written before another is read only if no argument of
/// the kernel shares its memory.
struct KernelForm {
  KernelKind kind = KernelKind::Other;
  /// The iteration space. For Pointwise and Contraction, `columns` is the last
  /// dimension of the first result (of the contraction), and `rows` the product
  /// of the others. For Rows, `columns` is the product of the reduced extents,
  /// at least 2; for ColumnSums, `rows` is.
  int64_t rows = 1, columns = 1;
  /// The extents whose products they are, as in the first reduction.
  llvm::SmallVector<int64_t> rowExtents, columnExtents;

  /// For Rows: the reductions, each after those that it depends on. Each result
  /// is a Row, each operand Full. For ColumnSums: the reductions, none of which
  /// depends on another. Each result is a Column, each operand Full; results of
  /// the kernel may be elementwise functions of several of them.
  llvm::SmallVector<ReduceOp> reductions;
  /// For Contraction. Every value that depends on it is Full; those of a
  /// prologue are Free.
  ContractOp contraction;
  /// For ContractedRows, in the order of the kernel.
  llvm::SmallVector<RowContraction> rowContractions;
  /// For ContractedRows: the number of consecutive rows that have the groups'
  /// number in common, and so the operands of the contractions.
  int64_t groupRows = 1;
  /// For Horizontal; two or more.
  llvm::SmallVector<KernelComponent> components;
  /// For Pointwise: the computation of an element from the inputs, as bytes, if
  /// these are Full or Uniform and nothing is Free; else empty. Kernels of one
  /// signature differ in shapes only. For Horizontal: the signature that all
  /// components share; empty if they differ. Components of one signature are
  /// computed by one body over a flat index.
  std::string signature;
  /// For Other: the reason, as in "reductions over different spaces".
  std::string reason;

  Placement placementOf(mlir::Value value) const {
    auto found = placements.find(value);
    return found == placements.end() ? Placement::Free : found->second;
  }
  /// The number of dependent reductions that have to be complete before an
  /// element of the value can be computed: 0 without any, 1 for the result of a
  /// first reduction.
  unsigned phaseOf(mlir::Value value) const { return phases.lookup(value); }
  /// The reductions that may run in one pass over the row: those whose operands
  /// are of this phase.
  llvm::SmallVector<ReduceOp> reductionsOf(unsigned phase) const;
  /// The number of passes that reductions need.
  unsigned numPhases() const;

  llvm::DenseMap<mlir::Value, Placement> placements;
  llvm::DenseMap<mlir::Value, unsigned> phases;
};

/// True if no op of the kernel reduces or works on whole columns, so that each
/// element of a result is computed on its own. Such kernels have the form
/// Pointwise or Horizontal, or Other if a result is empty or their results
/// differ in size.
bool isPointwise(KernelOp kernel);

/// The form of a kernel, a function of its IR alone.
KernelForm getKernelForm(KernelOp kernel);

/// The ops of a kernel that compute the operands of its contraction, in order:
/// elementwise ops without faults, splat constants, broadcasts and reshapes, so
/// that a schedule can apply them to elements as it reads them. std::nullopt if
/// there are others.
std::optional<llvm::SmallVector<mlir::Operation *>>
findPrologue(ContractOp contraction);

/// The number of leading dimensions of a shape whose product is `rows`; nothing
/// if there is none. The other dimensions of a Full value of such a shape are
/// its columns.
std::optional<unsigned> splitShape(llvm::ArrayRef<int64_t> shape, int64_t rows);

} // namespace gensyn::repro

#endif
