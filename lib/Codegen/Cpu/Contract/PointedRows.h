// Rows of A that micro-kernels read by pointers; see RowPointers.cpp.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_POINTEDROWS_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_POINTEDROWS_H

#include "Gemm.h"

namespace gensyn::cpu {

class PointedRows {
public:
  using Values = CpuBuilder::Values;

  /// `table`: the pointers to the panel's rows; `first`: the first point.
  PointedRows(CpuBuilder &code, const StoredTensor &ofA, const GemmView &view,
              const GemmSizes &sizes, int64_t rows, mlir::Value table,
              mlir::Value first);

  /// Returns the element of a row.
  using ElementOf = llvm::function_ref<mlir::Value(int64_t)>;
  /// Adds the products of a point, from the first one on, to the sums.
  using Step =
      llvm::function_ref<void(mlir::Value point, ElementOf, Values &sums)>;
  /// Calls `step` for `points` points in order.
  Values sum(mlir::Value points, Values sums, Step step) const;

private:
  /// A point, by its number, tap and outer point.
  struct Point {
    mlir::Value number, tap, outer;
  };
  void stepAt(const Point &point, Step step, Values &sums) const;
  mlir::Value pointerAt(mlir::Value number) const;
  void fetchNext(mlir::Value outer) const;

  CpuBuilder &code;
  const StoredTensor &ofA;
  int64_t taps, rowsInTable, numPoints;
  mlir::Value table, first;
  Values only; ///< the pointers, if there is one tap
};

} // namespace gensyn::cpu

#endif
