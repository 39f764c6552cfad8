// The end of a micro-kernel: stores its sums to C, or the results that a short
// epilogue computes from them.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_GEMMRESULTS_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_GEMMRESULTS_H

#include "../Common/StridedLanes.h"
#include "Gemm.h"

namespace gensyn::cpu {

class GemmResults {
public:
  using Values = CpuBuilder::Values;

  /// `epilogue` is null unless it computes results from registers, of `block`;
  /// `flags` are GemmFlags.
  GemmResults(CpuBuilder &code, const StoredTensor &ofC, const GemmView &view,
              GemmEpilogue *epilogue, const GemmEpilogue::Block &block,
              mlir::Value flags)
      : code(code), ofC(ofC), view(view), epilogue(epilogue), block(block),
        flags(flags) {}

  /// A vector of columns: its number in the register tile, and if lanes of it
  /// may not exist or be in the next piece of a run.
  struct Column {
    int64_t number;
    bool mayBePartial;
    /// Returns an entry of its table.
    llvm::function_ref<mlir::Value(int64_t)> entry;
  };
  /// Stores the sums of all rows, which are in C from `c` on.
  void store(const Column &column, mlir::Value c,
             llvm::ArrayRef<mlir::Value> sums);

private:
  /// The sums, the addresses of their lanes, and which lanes these are.
  struct Sums {
    Values values, addresses;
    ColumnLanesInC lanes;
    const StridedLanes *strided = nullptr; ///< of lanes with gaps
  };
  void storeLanes(const Column &column, const Sums &sums);
  mlir::Value load(const Sums &sums, mlir::Value address);
  void store(const Sums &sums, const Values &values);
  mlir::Value hasFlag(int64_t bit);

  CpuBuilder &code;
  const StoredTensor &ofC;
  const GemmView &view;
  GemmEpilogue *epilogue;
  const GemmEpilogue::Block &block;
  mlir::Value flags;
};

} // namespace gensyn::cpu

#endif
