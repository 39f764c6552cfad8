// Elements of a kernel whose buffers are bare pointers to global memory.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_POINTEREMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_POINTEREMITTER_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"

namespace gensyn::gpu {

/// The element emitter of GPU schedules: scalars (or the values that a
/// schedule's own emitter defines or loads), read through pointers. Indices are
/// of type index.
class PointerEmitter : public codegen::KernelEmitter {
public:
  /// Binds arguments of `kernel` and faults of its ops to those of `function`.
  PointerEmitter(mlir::OpBuilder &builder, repro::KernelOp kernel,
                 const KernelFunction &function, const Target &target);

  /// Elements of `tensor` (or of a result that has its type) are read through
  /// `pointer`.
  void bindPointer(mlir::Value tensor, mlir::Value pointer);

  /// Returns the row-major index of an element of a tensor of type `type`.
  mlir::Value linearize(mlir::RankedTensorType type,
                        llvm::ArrayRef<mlir::Value> indices);

  /// Read or write element `position` (of type index) of `pointer`. If `count`
  /// is more than one, a vector of `count` consecutive elements is accessed at
  /// once; then `position` is a multiple of `count`, a power of two. Values
  /// have the types of ElementEmitter; `type` is the element type of the
  /// tensor. The constant `ahead` is added to the position as an immediate of
  /// the instruction. Stores canonicalize NaNs.
  mlir::Value loadAt(mlir::Type type, mlir::Value pointer, mlir::Value position,
                     int64_t count = 1, int64_t ahead = 0);
  void storeAt(mlir::Value value, mlir::Value pointer, mlir::Value position,
               int64_t ahead = 0);

  void fault(mlir::Operation *op, mlir::Value condition,
             mlir::Value position) override;
  mlir::Value readBuffer(mlir::Type element, mlir::Value buffer,
                         llvm::ArrayRef<mlir::Value> indices) override;
  bool slowDouble() const override { return !target.hasFastDouble(); }
  void store(mlir::Value value, mlir::Value buffer,
             llvm::ArrayRef<mlir::Value> indices) override;

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

  const Target &target;

private:
  mlir::Value address(mlir::Type stored, mlir::Value pointer,
                      mlir::Value position, int64_t ahead);

  llvm::DenseMap<mlir::Value, mlir::RankedTensorType> types; ///< by pointer
  llvm::DenseMap<mlir::Operation *, mlir::Value> slots;
};

} // namespace gensyn::gpu

#endif
