// Emission helpers of the models of columns: loops and branches around
// elements.

#ifndef GENSYN_LIB_CODEGEN_EMIT_COLUMNS_H
#define GENSYN_LIB_CODEGEN_EMIT_COLUMNS_H

#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gensyn::emit {

/// Emits at the emitter's insertion point. Bodies are nested regions of the
/// emitter.
class ColumnCode : public codegen::IndexBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  explicit ColumnCode(repro::ElementEmitter &emitter)
      : IndexBuilder(emitter.builder, emitter.location), emitter(emitter) {}

  repro::ElementEmitter &emitter;

  /// Loops over begin, begin + step, ... below end.
  Values loop(mlir::Value begin, mlir::Value end, int64_t step, Values carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  void loop(int64_t end, llvm::function_ref<void(mlir::Value)> body);
  /// Loops over all indices of a box in row-major order.
  void nest(llvm::ArrayRef<int64_t> extents,
            llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// Loops while `condition` of the carried values holds. The condition must
  /// not load out of bounds when it is false.
  Values loopWhile(Values carried,
                   llvm::function_ref<mlir::Value(mlir::ValueRange)> condition,
                   llvm::function_ref<Values(mlir::ValueRange)> body);
};

} // namespace gensyn::emit

#endif
