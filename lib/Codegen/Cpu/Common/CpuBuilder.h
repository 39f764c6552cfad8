// Emission helpers of the schedules: raw pointers, one-dimensional vectors,
// loops.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_CPUBUILDER_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_CPUBUILDER_H

#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace gensyn::cpu {

/// Emits at the builder's insertion point. Arithmetic is on vectors of `lanes`
/// elements of one type: f32, f64, i32 or i64. Positions are i64, counted in
/// these elements unless another type is given. Constant operands fold at once,
/// so callers need no special case for strides of 0 and 1.
class CpuBuilder : public codegen::IndexBuilder {
public:
  CpuBuilder(mlir::OpBuilder &builder, mlir::Location loc, int64_t lanes,
             mlir::Type element);

  const int64_t lanes;
  mlir::Type element, i1, i32, i64, ptr;
  mlir::VectorType vector, indices, mask; ///< of element, i32, i1

  /// Bytes of an element.
  int64_t bytes() const { return element.getIntOrFloatBitWidth() / 8; }

  /// Signed minimum.
  mlir::Value minSigned(mlir::Value x, mlir::Value y);
  mlir::Value maxSigned(mlir::Value x, mlir::Value y);
  /// Truncates i64 to i32.
  mlir::Value truncate(mlir::Value x);

  /// Returns the address of element `offset` (i64, or a vector of i32 for a
  /// vector of addresses) after `base`, among elements of type `of`.
  mlir::Value at(mlir::Value base, mlir::Value offset, mlir::Type of);
  mlir::Value at(mlir::Value base, mlir::Value offset) {
    return at(base, offset, element);
  }
  mlir::Value at(mlir::Value base, int64_t offset) {
    return at(base, constant(offset));
  }
  /// Returns the address of a memref's first element.
  mlir::Value pointer(mlir::Value memref);

  /// Entry `number` of a table of i64.
  mlir::Value loadEntry(mlir::Value table, mlir::Value number);
  void storeEntry(mlir::Value value, mlir::Value table, mlir::Value number);
  /// A pointer in memory.
  mlir::Value loadPointer(mlir::Value pointer);
  void storePointer(mlir::Value value, mlir::Value pointer);
  mlir::Value loadScalar(mlir::Value pointer);
  void storeScalar(mlir::Value value, mlir::Value pointer);
  mlir::Value load(mlir::Value pointer);
  void store(mlir::Value value, mlir::Value pointer);

  /// True if `flags` (i64) have a bit.
  mlir::Value hasFlag(mlir::Value flags, int64_t bit);

  /// Fetches the line at an address into the caches; it need not be valid.
  void prefetch(mlir::Value pointer, bool stores = false);

  mlir::Value zero();
  mlir::Value splat(mlir::Value scalar); ///< of any type
  mlir::Value splat32(int64_t value);    ///< of i32
  mlir::Value iota();                    ///< i32: 0, 1, ...
  /// Returns a mask of the lanes below `count` (i64; any value).
  mlir::Value firstLanes(mlir::Value count);
  /// Returns a mask as an i64, and the mask of one.
  mlir::Value toBits(mlir::Value mask);
  mlir::Value fromBits(mlir::Value bits);
  /// True if every lane is in the mask.
  mlir::Value isFull(mlir::Value mask);
  /// Returns x * y + z: of floats with one rounding, of integers modulo
  /// 2^width.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value addElements(mlir::Value x, mlir::Value y);
  /// Of i32: joins the lower halves of two numbers to one.
  mlir::Value joinHalves(mlir::Value low, mlir::Value high);
  /// Stores the lower half of an i32 as the first or second half (0 or 1) of
  /// that at an address.
  void storeHalf(mlir::Value value, mlir::Value pointer, mlir::Value half);
  /// Returns z plus the products of both halves of x and y, signed integers of
  /// 16 bits, modulo 2^32. Two operations where `hasPairProducts`.
  mlir::Value addHalfProducts(mlir::Value x, mlir::Value y, mlir::Value z);
  /// Returns x with every NaN replaced by the canonical one (g4).
  mlir::Value canonical(mlir::Value x);

  /// Returns the private function `name` of the caller's module, which is
  /// created with the code that `body` emits if there is none yet. It is not
  /// inlined, so that no values of its callers compete for registers.
  mlir::func::FuncOp
  separateFunction(mlir::func::FuncOp caller, llvm::StringRef name,
                   mlir::TypeRange arguments,
                   llvm::function_ref<void(mlir::ValueRange)> body);

  using Values = llvm::SmallVector<mlir::Value>;
  void loop(mlir::Value begin, mlir::Value end, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  Values loop(mlir::Value begin, mlir::Value end, int64_t step,
              mlir::ValueRange carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> body,
            llvm::function_ref<void()> otherwise = nullptr);
  Values choose(mlir::Value condition, mlir::TypeRange types,
                llvm::function_ref<Values()> yes,
                llvm::function_ref<Values()> no);

private:
  unsigned alignment() const { return static_cast<unsigned>(bytes()); }
  mlir::Value dense(mlir::VectorType type, mlir::Attribute value);
};

/// Transposes a square of vectors: result i holds lane i of every row.
llvm::SmallVector<mlir::Value> transpose(CpuBuilder &code,
                                         llvm::ArrayRef<mlir::Value> rows);

} // namespace gensyn::cpu

#endif
