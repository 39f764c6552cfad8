// Emission helpers of the models of columns: loops and branches around
// elements.

#ifndef GENSYN_LIB_CODEGEN_EMIT_COLUMNS_H
#define GENSYN_LIB_CODEGEN_EMIT_COLUMNS_H

#include "gensyn/Codegen/Emit/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gensyn::emit {

/// Emits at the emitter's insertion point. Bodies are nested regions of the
/// emitter.
class ColumnCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  explicit ColumnCode(repro::ElementEmitter &emitter)
      : emitter(emitter), b(emitter.builder), loc(emitter.location) {}

  repro::ElementEmitter &emitter;
  mlir::OpBuilder &b;
  mlir::Location loc;

  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, loc, value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::AddIOp>(loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::SubIOp>(loc, x, y);
  }
  mlir::Value less(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::CmpIOp>(
        loc, mlir::arith::CmpIPredicate::ult, x, y);
  }
  mlir::Value both(mlir::Value p, mlir::Value q) {
    return b.createOrFold<mlir::arith::AndIOp>(loc, p, q);
  }
  mlir::Value choose(mlir::Value p, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::SelectOp>(loc, p, x, y);
  }

  /// begin, begin + step, ... below end.
  Values loop(mlir::Value begin, mlir::Value end, int64_t step, Values carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  void loop(int64_t end, llvm::function_ref<void(mlir::Value)> body);
  /// All indices of a box in row-major order.
  void nest(llvm::ArrayRef<int64_t> extents,
            llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// While `condition` of the carried values holds; it may load nothing that
  /// is not there when it does not.
  Values loopWhile(Values carried,
                   llvm::function_ref<mlir::Value(mlir::ValueRange)> condition,
                   llvm::function_ref<Values(mlir::ValueRange)> body);
};

/// `column` with `index` as its index of dimension `dim`.
llvm::SmallVector<mlir::Value> insertIndex(llvm::ArrayRef<mlir::Value> column,
                                           int64_t dim, mlir::Value index);

} // namespace gensyn::emit

#endif
