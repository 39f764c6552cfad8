// Rows of A that micro-kernels read by pointers; see RowPointers.cpp.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_POINTEDROWS_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_POINTEDROWS_H

#include "Gemm.h"

namespace gensyn::cpu {

class PointedRows {
public:
  using Values = CpuBuilder::Values;

  /// Addresses of the pointers to the panel's rows, and of the taps' offsets
  /// from them.
  struct Tables {
    mlir::Value rows, taps;
  };
  /// `first`: the first point.
  PointedRows(CpuBuilder &code, const StoredTensor &ofA, const GemmView &view,
              const GemmSizes &sizes, int64_t rows, const Tables &tables,
              mlir::Value first);

  /// Returns the element of a row.
  using ElementOf = llvm::function_ref<mlir::Value(int64_t)>;
  /// Adds the products of a point, from the first one on, to the sums.
  using Step =
      llvm::function_ref<void(mlir::Value point, ElementOf, Values &sums)>;
  /// Calls `step` for `points` points in order.
  Values sum(mlir::Value points, Values sums, Step step) const;

private:
  /// A point, by its number, tap, and the distance of its outer point.
  struct Point {
    mlir::Value number, tap, along;
  };
  /// The same of some taps, one after another.
  void stepSome(const Point &first, int64_t count, Step step,
                Values &sums) const;
  mlir::Value pointerAt(mlir::Value number) const;
  mlir::Value offsetAt(mlir::Value tap) const;
  /// True if the taps of each group of so many are equally far from its first.
  bool hasEqualGroups(int64_t size) const;
  void fetchNext(mlir::Value outer) const;

  CpuBuilder &code;
  const StoredTensor &ofA;
  int64_t taps, stride, rowsInTable, numPoints;
  Tables tables;
  mlir::Value first;
  Values only; ///< the pointers, if they are the same at all taps
  llvm::SmallVector<int64_t> offsets; ///< of taps, if they have any
};

} // namespace gensyn::cpu

#endif
