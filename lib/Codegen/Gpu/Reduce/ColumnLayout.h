// Assigns the points of a column to threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_COLUMNLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_COLUMNLAYOUT_H

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

namespace gensyn::gpu {

/// A kernel that reduces columns. Point p of column c = o * inner + i is
/// element (o * rows + p) * inner + i of the reduced value. If that is not a
/// Full value, it is an argument, and the kernel contains only its reduction.
struct ColumnForm {
  /// Of kind ColumnSums, or described as if it were.
  repro::KernelForm space;
  int64_t inner = 1;
  /// The argument whose middle dimensions are reduced; null if the first ones
  /// are.
  mlir::BlockArgument argument;
};

/// Returns std::nullopt for kernels of other forms.
std::optional<ColumnForm> getColumnForm(repro::KernelOp kernel);

/// One launch. Units of `unit` points are reduced by lanes, and the next level
/// has a point per unit. A block reduces `width` adjacent columns of one unit,
/// each by `share` threads with `perThread` lanes.
struct ColumnLevel {
  int64_t points = 1;
  int64_t lanes = 32;    ///< L of the order; 1 for a sequential one
  int64_t unit = 1;      ///< points of a unit; the last may have fewer
  int64_t units = 1;     ///< 1 at the last level
  int64_t width = 32;    ///< a power of two
  int64_t share = 8;     ///< a power of two
  int64_t perThread = 4; ///< share * perThread = lanes
  int64_t tiles = 1;     ///< of `width` columns
  /// Points of a thread in a loop body, whose loads are in flight together.
  int64_t unrolled = 8;

  int64_t threads() const { return width * share; }
  int64_t blocks() const { return tiles * units; }
  /// Returns the number of points of the last unit.
  int64_t lastUnit() const { return points - (units - 1) * unit; }
};

/// The numbers of a kernel's `schedule` attribute, for all levels; 0: the
/// table's.
struct ColumnScheduleOptions {
  int64_t width = 0, share = 0, unrolled = 0;
};

/// Returns the successive launches of a ColumnSums kernel. Returns std::nullopt
/// if the orders of its reductions differ, or have another form than lanes or
/// blocks of lanes.
std::optional<llvm::SmallVector<ColumnLevel>>
chooseColumnLevels(const repro::KernelForm &form, const Target &target,
                   const ColumnScheduleOptions &options = {});

} // namespace gensyn::gpu

#endif
