// The schedule of contractions over windows: the code of its launch.
//
// A vector holds neighbouring results of a row. A tile copies the rows of the
// image that it reads into the thread's scratch, with zeros around the image;
// with steps of 2, even and odd coordinates separately. So each tap of a vector
// is one vector of scratch, and its weight is the same for all lanes. Results
// of several rows are computed together, and read each element of the image
// once: the rows of the image are walked in the order of the chain. With an
// epilogue they are left in scratch, from which it computes the kernel's
// results.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_WINDOWCONTRACTEMITTER_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_WINDOWCONTRACTEMITTER_H

#include "../Common/StoredTensor.h"
#include "EpilogueReads.h"
#include "WindowContraction.h"

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// The operands and the result in memory, and the kernel around the
/// contraction. Without an epilogue its result is the contraction's.
struct WindowKernel {
  repro::KernelOp kernel;
  repro::ContractOp contraction;
  bool hasEpilogue = false;
  llvm::SmallVector<TensorRead> reads = {}; ///< of the epilogue
  int64_t atOnce = 1; ///< vectors of the epilogue that are computed together
};

/// True if each tensor that the epilogue reads has the shape of the result, or
/// is constant within rows and columns.
bool hasPlainReads(const WindowKernel &kernel, const WindowContraction &view);

class WindowContractEmitter {
public:
  WindowContractEmitter(CpuBuilder &code, const StoredTensor &image,
                        const StoredTensor &weights, const StoredTensor &result,
                        const WindowContraction &view, const WindowSizes &sizes,
                        const WindowKernel &kernel,
                        const KernelFunction &function)
      : code(code), image(image), weights(weights), result(result), view(view),
        sizes(sizes), layout(view, sizes), kernel(kernel), function(function) {}

  /// Emits the tiles of the function. Fails if an op of the epilogue cannot be
  /// emitted; it has an error.
  mlir::LogicalResult emitTiles();

private:
  using Value = mlir::Value;
  using Values = CpuBuilder::Values;
  /// A tile: the image at coordinate 0 of the outer iterators, the position of
  /// its first result, the first row, and the weights in all lanes.
  struct Tile {
    Value image, result, row;
    Values weights;
    Values uniform; ///< offset in each tensor that the epilogue reads
  };

  void emitTile(Value number);
  void copyImage(const Tile &tile);
  void clearRow(Value scratch);
  void copyRow(Value memory, Value scratch);
  /// Emits the vector at a position of all phases of a row.
  void copyVectors(Value memory, Value scratch, Value position,
                   llvm::ArrayRef<Value> masks);
  /// `row`: the first, from the tile's first one on.
  void emitRows(const Tile &tile, Value row, int64_t count);
  void emitVectors(const Tile &tile, Value row, int64_t count, Value lane,
                   bool isLast);
  /// Computes the kernel's results from sums in scratch, from `sums` on. The
  /// first result is at `position`.
  void emitEpilogue(const Tile &tile, Value position, Value sums,
                    int64_t length);
  void finish(const Tile &tile, Value at, Value position, int64_t count,
              Value mask);
  Value ofSums() { return code.at(scratch(), layout.sumsOffset); }
  Value scratch() { return code.pointer(function.scratch); }

  CpuBuilder &code;
  const StoredTensor &image, &weights, &result;
  const WindowContraction &view;
  const WindowSizes &sizes;
  const WindowLayout layout;
  const WindowKernel &kernel;
  const KernelFunction &function;
  bool failed = false;
};

} // namespace gensyn::cpu

#endif
