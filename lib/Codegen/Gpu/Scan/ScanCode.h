// Emission helpers of both implementations of scans.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCANCODE_H
#define GENSYN_LIB_CODEGEN_GPU_SCANCODE_H

#include "../Common/KernelBuilder.h"
#include "../Common/LaunchCode.h"
#include "../Common/PointerEmitter.h"
#include "ScanLayout.h"

namespace gensyn::gpu {

/// Reads, combines and writes elements of a scan at a row and a column, both of
/// type index.
class ScanCode : protected LaunchCode {
public:
  ScanCode(repro::KernelOp kernel, const ScanLayout &layout,
           const Target &target, const KernelFunction &function,
           mlir::OpBuilder &builder);

protected:
  using Values = KernelBuilder::Values;

  /// Returns an element of the operand.
  mlir::Value read(mlir::Value row, mlir::Value column);
  void write(mlir::Value value, mlir::Value row, mlir::Value column);
  /// Returns an element of the result that an earlier launch wrote.
  mlir::Value readBack(mlir::Value row, mlir::Value column);
  mlir::Value identity();
  /// Returns the combined value with canonical NaN.
  mlir::Value combine(mlir::Value x, mlir::Value y);
  /// Access element `at` (of type index) of an array in global memory.
  mlir::Value loadWord(mlir::Value buffer, mlir::Value at);
  void storeWord(mlir::Value value, mlir::Value buffer, mlir::Value at);
  /// The same in shared memory; `slot` is an i32.
  mlir::Value loadShared(mlir::Value slot);
  void storeShared(mlir::Value value, mlir::Value slot);
  /// Returns the predicate x < end; null if it always holds, since x <= most <
  /// end.
  mlir::Value isBelow(mlir::Value x, int64_t end, int64_t most) {
    return most < end ? mlir::Value() : index.less(x, end);
  }

  int64_t bytes() const { return scalar.getIntOrFloatBitWidth() / 8; }

  const ScanLayout &layout;
  KernelBuilder b;
  mlir::Type scalar;
  mlir::Value block; ///< in the grid, of type index
  bool hasFailed = false;

private:
  llvm::SmallVector<mlir::Value> place(mlir::Value row, mlir::Value column);
  mlir::Value address(mlir::Value buffer, mlir::Value at);
};

} // namespace gensyn::gpu

#endif
