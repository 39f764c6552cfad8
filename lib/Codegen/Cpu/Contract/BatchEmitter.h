// The schedule for vectors along a batch: the code of its launch.
//
// A vector holds one result of each of `lanes` products of a batch, such as the
// channels of a depthwise convolution, so every lane has the fma chain of the
// op. A tile of the launch copies its part of both operands into the thread's
// scratch, a vector of lanes for each element, with zeros for elements out of
// bounds. One call of the micro-kernel per register tile then runs along the
// points. A long chain is cut into visits: the accumulators wait in scratch
// until the operands' next part is there. At the end of a block of the order
// they are added to the sums of the blocks before.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHEMITTER_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHEMITTER_H

#include "../Common/StoredTensor.h"
#include "BatchLayout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::cpu {

/// The operands and the result in memory. Scratch has the type of the sums.
using BatchTensors = std::array<StoredTensor, 3>;

/// Addresses of the first elements of the operands and the result, and of the
/// thread's scratch.
struct BatchPointers {
  mlir::Value operands[2], result, scratch;
};

class BatchEmitter {
public:
  /// The micro-kernel becomes a private function next to `function`, named
  /// after it and the number of the box.
  BatchEmitter(CpuBuilder &code, const BatchTensors &tensors,
               const BatchLayout &layout, mlir::func::FuncOp function,
               unsigned number)
      : code(code), tensors(tensors), layout(layout), box(layout.box),
        sizes(layout.sizes), function(function), number(number) {}

  /// Emits the tiles [begin, end) (i64).
  void emitTiles(mlir::Value begin, mlir::Value end,
                 const BatchPointers &pointers);

private:
  using Value = mlir::Value;
  using Values = CpuBuilder::Values;
  /// The first value of each iterator; null is 0.
  using Starts = llvm::SmallVector<Value>;

  // BatchLoops.cpp
  void emitTile(Value tile, const BatchPointers &pointers);
  void emitLaneTables(Value laneBlock, Value scratch);
  void forEachBlock(Value scratch, llvm::function_ref<void(Value, Value)> body);
  void emitVisits(const Starts &starts, Value laneCount, Value begin, Value end,
                  const BatchPointers &pointers);
  void emitVisit(const Starts &starts, Value laneCount, Value points,
                 Value isFirst, const BatchPointers &pointers);
  void addBlock(Value isFirst, Value scratch);
  /// Returns the number of values of an iterator in a tile.
  Value countOf(unsigned iterator, const Starts &starts);

  // BatchCopy.cpp
  /// Coordinates [left, right) of a row of scratch are elements in bounds.
  struct Row {
    Value memory, scratch; ///< addresses of coordinate 0
    Value left, right;
  };
  void copyOperand(unsigned operand, const Starts &starts, Value laneCount,
                   const BatchPointers &pointers);
  void copyRows(unsigned operand, const Starts &starts, Value memory,
                Value scratch, llvm::function_ref<void(const Row &)> copy);
  void copyResult(const Starts &starts, Value laneCount,
                  const BatchPointers &pointers);
  Value laneTable(unsigned tensor, Value scratch);
  /// Returns the offsets of the lanes in a tensor, as numbers (i64) and as a
  /// vector (i32).
  Values laneOffsets(unsigned tensor, Value scratch);
  Value laneOffsetVector(unsigned tensor, Value scratch);

  // BatchMicroKernel.cpp
  mlir::func::FuncOp microKernel();

  CpuBuilder &code;
  const BatchTensors &tensors;
  const BatchLayout &layout;
  const ContractBox &box;
  const BatchSizes &sizes;
  mlir::func::FuncOp function;
  unsigned number;
};

} // namespace gensyn::cpu

#endif
