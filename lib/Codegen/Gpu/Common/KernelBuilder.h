// Typed emission of GPU code on bare pointers.
//
// Performance conventions: an address is a register plus a constant number of
// bytes, integers have 32 bits, accesses state their alignment, register
// indices are constants (fragments and accumulators are lists of SSA values
// here), and schedules unroll loops over points. No optimizer runs between this
// and the assembler.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_KERNELBUILDER_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_KERNELBUILDER_H

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gensyn::gpu {

/// Integers are i32 and nonnegative unless stated otherwise. Each constant is
/// created once, at the entry of the function.
class KernelBuilder : public codegen::IndexBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Emits at the insertion point of `builder`, in the entry `function`.
  KernelBuilder(mlir::OpBuilder &builder, mlir::Location location,
                mlir::LLVM::LLVMFuncOp function, const Target &target);

  const Target &target;

  /// Returns the builder of offsets from a pointer: this one, or with `isWide`
  /// one of i64.
  const codegen::IndexBuilder &offsets(bool isWide) const {
    return isWide ? wide : *this;
  }

  mlir::Value constant(int64_t value) const override;
  mlir::Value bitXor(mlir::Value x, mlir::Value y) const;
  mlir::Value bitAnd(mlir::Value x, int64_t mask) const;
  mlir::Value shr(mlir::Value x, int64_t bits) const;
  mlir::Value equal(mlir::Value x, mlir::Value y) const;

  /// Returns the index of this thread or block along x, which is below `count`.
  mlir::Value thread(int64_t count);
  mlir::Value block(int64_t count);

  // Pointers.
  /// Returns `pointer` plus `bytes`; the result is within the same object.
  mlir::Value at(mlir::Value pointer, int64_t bytes);
  mlir::Value at(mlir::Value pointer, mlir::Value bytes);
  /// Returns `pointer` plus `number` units of `bytes` bytes. `number` may be
  /// negative, and the result out of bounds if it is not accessed.
  mlir::Value far(mlir::Value pointer, mlir::Value number, int64_t bytes);
  mlir::Value far(mlir::Value pointer, int64_t number, int64_t bytes);

  // Access `count` elements at once, aligned to their total size. With
  // `constant` the memory is not written while the kernel runs.
  mlir::Value load(mlir::Type element, mlir::Value pointer, int64_t count,
                   bool constant = false);
  void store(mlir::Value value, mlir::Value pointer);

  // See GpuTarget.
  void copyAsync(mlir::Value shared, mlir::Value global, int64_t bytes,
                 mlir::Value read);
  void commitCopies();
  void waitForCopies(int64_t groups);
  mlir::Value shuffle(mlir::Value value, ShuffleKind kind, mlir::Value lane,
                      int64_t width);
  mlir::Value exchange(mlir::Value value, int64_t mask);
  mlir::Value permuteBytes(mlir::Value low, mlir::Value high, int64_t selector);
  std::array<mlir::Value, 4> loadMatrices(mlir::Value shared);
  void multiplyMatrices(llvm::ArrayRef<mlir::Value> x,
                        llvm::ArrayRef<mlir::Value> y, bool isUnsigned,
                        std::array<mlir::Value, 4> &sums);
  /// Synchronizes all threads of the block.
  void barrier();

  // Arithmetic of sums: f32 and f64 are rounded once, integers wrap modulo
  // 2^width.
  mlir::Value zero(mlir::Type type);
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value join(mlir::Value x, mlir::Value y);
  /// The words of an i64, the lower one first, and the i64 of two words.
  Values splitWords(mlir::Value x);
  mlir::Value joinWords(mlir::Value low, mlir::Value high);
  /// Returns an element of a vector, or the value itself if it is a scalar.
  mlir::Value extract(mlir::Value vector, int64_t position);
  /// Returns a vector of the values, or the value itself if there is only one.
  mlir::Value pack(llvm::ArrayRef<mlir::Value> values);

  // Control flow.
  /// Emits body(i, carried) for i in [0, count), an i32, and returns the final
  /// carried values.
  Values loop(mlir::Value count, const Values &initial,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  /// Like `loop`, with at least one carried value, but the assembler cannot
  /// unroll the loop. It unrolls loops of small constant counts, no matter how
  /// many registers that takes.
  Values
  rolledLoop(mlir::Value count, const Values &initial,
             llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  /// Emits a do-while loop: body(carried, next) runs until it returns false. It
  /// fills `next` with the carried values of the next iteration, followed by
  /// further values that are needed after the last one. Returns the last
  /// `next`.
  Values
  repeat(const Values &initial,
         llvm::function_ref<mlir::Value(mlir::ValueRange, Values &)> body);
  /// Runs `body` if the predicate holds.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// Returns the results of `holds` if the predicate holds, else those of
  /// `fails`.
  Values either(mlir::Value condition, llvm::function_ref<Values()> holds,
                llvm::function_ref<Values()> fails);

private:
  codegen::IndexBuilder wide;
  mutable mlir::LLVM::LLVMFuncOp function;
  mutable llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<mlir::Type, mlir::Value> zeros;
};

/// Runs `body` if the predicate holds (null: always).
void emitWhen(mlir::OpBuilder &builder, mlir::Location location,
              mlir::Value condition, llvm::function_ref<void()> body);

} // namespace gensyn::gpu

#endif
