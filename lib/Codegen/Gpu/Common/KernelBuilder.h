// Typed emission of GPU code on bare pointers.
//
// Performance conventions: addresses are a register plus a constant number of
// bytes, integers have 32 bits, accesses state their alignment, every index
// into registers is a constant (fragments and accumulators are lists of SSA
// values here), and loops over points are unrolled by who writes them. No
// optimizer runs between this and the assembler.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_KERNELBUILDER_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_KERNELBUILDER_H

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gensyn::gpu {

/// Numbers are i32 and never negative unless said; constants stand once, at the
/// entry of the function.
class KernelBuilder : public codegen::IndexBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Emits at the insertion point of `builder`, in the entry `function`.
  KernelBuilder(mlir::OpBuilder &builder, mlir::Location location,
                mlir::LLVM::LLVMFuncOp function, const Target &target);

  const Target &target;

  mlir::Value constant(int64_t value) const override;
  mlir::Value bitXor(mlir::Value x, mlir::Value y) const;
  mlir::Value bitAnd(mlir::Value x, int64_t mask) const;
  mlir::Value shr(mlir::Value x, int64_t bits) const;
  mlir::Value equal(mlir::Value x, mlir::Value y) const;

  /// The number of this thread, of `count`, or of this block, in x.
  mlir::Value thread(int64_t count);
  mlir::Value block(int64_t count);

  // Pointers.
  /// `pointer` plus bytes within what it points into.
  mlir::Value at(mlir::Value pointer, int64_t bytes);
  mlir::Value at(mlir::Value pointer, mlir::Value bytes);
  /// `pointer` plus `number` (which may be negative, or lead outside where
  /// nothing is accessed) units of `bytes` bytes each.
  mlir::Value far(mlir::Value pointer, mlir::Value number, int64_t bytes);
  mlir::Value far(mlir::Value pointer, int64_t number, int64_t bytes);

  // Accesses of `count` elements in one; alignment is their size. `constant`:
  // nobody writes the memory while the kernel runs.
  mlir::Value load(mlir::Type element, mlir::Value pointer, int64_t count,
                   bool constant = false);
  void store(mlir::Value value, mlir::Value pointer);

  // As the target has them.
  void copyAsync(mlir::Value shared, mlir::Value global, int64_t bytes,
                 mlir::Value read);
  void commitCopies();
  void waitForCopies(int64_t groups);
  mlir::Value shuffle(mlir::Value value, ShuffleKind kind, mlir::Value lane,
                      int64_t width);
  mlir::Value exchange(mlir::Value value, int64_t mask);
  /// All threads of the block.
  void barrier();

  // Elements that sums are made of: f32 and f64, rounded once; integers, modulo
  // 2^width.
  mlir::Value zero(mlir::Type type);
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value join(mlir::Value x, mlir::Value y);
  /// An element of a vector, or the value itself.
  mlir::Value extract(mlir::Value vector, int64_t position);
  /// A vector of values; the value itself where there is one.
  mlir::Value pack(llvm::ArrayRef<mlir::Value> values);

  // Control.
  /// body(i, carried) for i in [0, count), i an i32; returns what is carried.
  Values loop(mlir::Value count, const Values &initial,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  /// The same of something that is carried, as a loop in the code in any case:
  /// the assembler writes a loop out whose count it knows to be small, whatever
  /// registers that takes.
  Values
  rolledLoop(mlir::Value count, const Values &initial,
             llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  /// body(carried, next), at least once and as long as it returns true; `next`
  /// is what the next turn starts from, and what else is wanted of the last one
  /// behind it. Returns the last `next`.
  Values
  repeat(const Values &initial,
         llvm::function_ref<mlir::Value(mlir::ValueRange, Values &)> body);
  /// Runs `body` where the predicate holds.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// The result of `holds` if the predicate holds, else that of `fails`.
  Values either(mlir::Value condition, llvm::function_ref<Values()> holds,
                llvm::function_ref<Values()> fails);

private:
  mutable mlir::LLVM::LLVMFuncOp function;
  mutable llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<mlir::Type, mlir::Value> zeros;
};

/// Runs `body` where the predicate (null: always) holds.
void emitWhen(mlir::OpBuilder &builder, mlir::Location location,
              mlir::Value condition, llvm::function_ref<void()> body);

} // namespace gensyn::gpu

#endif
