// Emission helpers of the schedules: raw pointers, one-dimensional vectors,
// loops.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_CPUBUILDER_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_CPUBUILDER_H

#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace gensyn::cpu {

/// Emits at the builder's insertion point. Positions are i64, counted in f32
/// elements; vectors are of `lanes` f32. Constant operands fold at once, so
/// callers need no special case for strides of 0 and 1.
class CpuBuilder : public codegen::IndexBuilder {
public:
  CpuBuilder(mlir::OpBuilder &builder, mlir::Location loc, int64_t lanes);

  const int64_t lanes;
  mlir::Type i1, i32, i64, f32, ptr;
  mlir::VectorType vector, indices, mask; ///< of f32, i32, i1

  /// Signed minimum.
  mlir::Value minSigned(mlir::Value x, mlir::Value y);
  mlir::Value maxSigned(mlir::Value x, mlir::Value y);
  /// Truncates i64 to i32.
  mlir::Value truncate(mlir::Value x);

  /// Returns the address of element `offset` (i64, or a vector of i32 for a
  /// vector of addresses) after `base`.
  mlir::Value at(mlir::Value base, mlir::Value offset);
  mlir::Value at(mlir::Value base, int64_t offset) {
    return at(base, constant(offset));
  }
  /// Returns the address of a memref's first element.
  mlir::Value pointer(mlir::Value memref);

  mlir::Value loadInteger(mlir::Value pointer);
  void storeInteger(mlir::Value value, mlir::Value pointer);
  mlir::Value loadScalar(mlir::Value pointer);
  void storeScalar(mlir::Value value, mlir::Value pointer);
  mlir::Value load(mlir::Value pointer);
  void store(mlir::Value value, mlir::Value pointer);
  /// Lanes outside the mask are not accessed; they read as +0.
  mlir::Value load(mlir::Value pointer, mlir::Value mask);
  void store(mlir::Value value, mlir::Value pointer, mlir::Value mask);
  mlir::Value gather(mlir::Value pointers, mlir::Value mask);
  void scatter(mlir::Value value, mlir::Value pointers, mlir::Value mask);

  mlir::Value zero();
  mlir::Value splat(float value);
  mlir::Value splat(mlir::Value scalar); ///< f32 or i32
  mlir::Value splat32(int64_t value);    ///< of i32
  mlir::Value iota();                    ///< i32: 0, 1, ...
  /// Returns a mask of the lanes below `count` (i64; any value).
  mlir::Value firstLanes(mlir::Value count);
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value addf(mlir::Value x, mlir::Value y);
  /// Returns x with every NaN replaced by the canonical one (g4).
  mlir::Value canonical(mlir::Value x);

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
  mlir::Value dense(mlir::VectorType type, mlir::Attribute value);
};

/// Transposes a square of vectors: result i holds lane i of every row.
llvm::SmallVector<mlir::Value> transpose(CpuBuilder &code,
                                         llvm::ArrayRef<mlir::Value> rows);

} // namespace gensyn::cpu

#endif
