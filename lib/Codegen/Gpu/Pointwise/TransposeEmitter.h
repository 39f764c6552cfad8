// The element emitter of results with some operands in shared memory.

#ifndef GENSYN_LIB_CODEGEN_GPU_TRANSPOSEEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_TRANSPOSEEMITTER_H

#include "TransposeLayout.h"

namespace gensyn::gpu {

/// Computes elements of a tiled part like pointwise kernels, but reads staged
/// operands from the tile.
class TransposeEmitter : public PointwiseEmitter {
public:
  /// For each staged read, `words` points to the word of the tile for `first`,
  /// the thread's first element.
  TransposeEmitter(mlir::OpBuilder &builder, repro::KernelOp kernel,
                   const KernelFunction &function, const Target &target,
                   const TransposePart &part, mlir::Value first,
                   llvm::ArrayRef<mlir::Value> words);

  /// Sets the element to emit: `first` plus `x` + `lane` along x and `y` along
  /// y, where x is a multiple of the part's width.
  void setPlace(int64_t x, int64_t y, int64_t lane);

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

private:
  mlir::Value stagedElement(size_t number);
  mlir::Value loadShared(mlir::Type type, size_t number, int64_t bytes);

  const TransposePart &part;
  llvm::SmallVector<mlir::Value> words;
  int64_t x = 0, y = 0, lane = 0;
  std::map<std::pair<size_t, int64_t>, mlir::Value> loaded;
};

/// Emits the code of the blocks of a part; `block` is the index among them.
llvm::LogicalResult
emitTransposePart(repro::KernelOp kernel, const TransposePart &part,
                  int64_t threads, mlir::Value block, const Target &target,
                  const KernelFunction &function, mlir::OpBuilder &builder);

} // namespace gensyn::gpu

#endif
