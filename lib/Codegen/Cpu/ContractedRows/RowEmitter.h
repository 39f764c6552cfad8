// Emits the loops over one row of a tile.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACTEDROWS_ROWEMITTER_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACTEDROWS_ROWEMITTER_H

#include "RowSteps.h"
#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"

namespace gensyn::cpu {

/// Memory of a tile's rows: memrefs of f32.
struct RowMemory {
  /// The slots: element `slot * slotSize + row * slotStride + column`.
  mlir::Value slots;
  int64_t slotSize = 0, slotStride = 0;
  /// For the blocks of orders; null if there are none.
  mlir::Value blocks;
};

class RowEmitter {
public:
  RowEmitter(repro::KernelOp kernel, const repro::KernelForm &form,
             const RowSteps &steps, const KernelFunction &function,
             const RowMemory &memory, int64_t lanes, mlir::OpBuilder &builder)
      : kernel(kernel), form(form), steps(steps), function(function),
        memory(memory), lanes(lanes), b(builder), loc(kernel.getLoc()),
        index(builder, loc) {}

  /// Emits row `row` of the space, which is row `inTile` of the tile; both of
  /// type index.
  llvm::LogicalResult emit(mlir::Value row, mlir::Value inTile);

private:
  class Scalars;
  class Lanes;
  void defineRowValues(Scalars &scalars, unsigned phase);
  mlir::Value emitVector(mlir::Value root, int64_t step, mlir::Value position,
                         int64_t width, int64_t active);
  llvm::LogicalResult emitStep(const RowStep &step, int64_t number,
                               Scalars &scalars);
  mlir::Value slotAt(unsigned slot, mlir::Value position);
  llvm::SmallVector<mlir::Value> rowIndices(mlir::Value value);

  repro::KernelOp kernel;
  const repro::KernelForm &form;
  const RowSteps &steps;
  const KernelFunction &function;
  const RowMemory &memory;
  int64_t lanes;
  mlir::OpBuilder &b;
  mlir::Location loc;
  codegen::IndexBuilder index;
  mlir::Value row, inTile;
  /// Numbers of the row that are computed: one for each value that is a Row.
  llvm::DenseMap<mlir::Value, mlir::Value> rowValues;
  bool addressesOnly = true;
};

} // namespace gensyn::cpu

#endif
