// The body of the launches of the contraction schedule.
//
// A block of threads computes a tile of bm rows and bn columns of one product.
// It iterates over tiles of bk points, which it copies into a ring of `stages`
// buffers in shared memory. While one tile is computed, the next ones are
// copied asynchronously (cp.async), or are held in registers until the next
// buffer is free (before sm_80, and for elements that must be widened). An
// operand of bytes that matrix units need in another order goes through
// registers beside one that is copied asynchronously. One barrier per tile of
// points suffices, since a buffer is overwritten one whole tile after its last
// read. Each thread keeps tm x tn accumulators and the fragments of the next
// point in registers, also across the loop's back edge.
//
// The chain of every element is that of the op: one accumulator, ascending
// points, one fma each. Points past the end are zeros on both sides, which are
// neutral by contract_r3. If the order has blocks, the accumulators start at +0
// for each block and are added to the sum so far, which is kept in a private
// workspace of the thread. With `split` each block of the order is a block of
// the grid instead, and a second launch adds their results in order. It has a
// thread for each vector of results, or for a part of one where multiprocessors
// would be left without a block. The thread loads several blocks' at once.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEMITTER_H

#include "ContractSide.h"
#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// The division into launches.
struct ContractGrid {
  ContractGrid(const GemmView &view, const ContractSizes &sizes,
               const Target &target);

  int64_t rowTiles, columnTiles;
  int64_t blocks;   ///< blocks of the order
  int64_t parts;    ///< blocks of the grid per tile of results
  int64_t tiles;    ///< tiles of results of all products
  int64_t perBlock; ///< tiles of points per block of the order
  int64_t inLast;   ///< tiles of points in the last block
  int64_t sums = 0; ///< partial ones, in the workspace
  int64_t workspaceBytes;
  /// Of the second launch: the sums of a thread, and the blocks for each tile
  /// of results.
  int64_t sumsOfThread, sumBlocks;
};

/// Emits the computation of one thread's accumulators.
class ContractEmitter {
public:
  using Values = KernelBuilder::Values;

  ContractEmitter(KernelBuilder &k, const GemmView &view,
                  const ContractSizes &sizes, ContractSide &a, ContractSide &b);

  /// Emits the loop over the points. Returns the thread's results; if several
  /// blocks of the grid share the points, writes them to `workspace` and
  /// returns an empty list.
  Values emitProduct(mlir::Value shared, mlir::Value workspace);
  /// Emits the sum of the results that the blocks of the grid wrote:
  /// `sumsOfThread` of one of their threads', from `firstSum` on.
  Values emitSum(mlir::Value workspace);

  /// The position of the tile, set by the functions above: values of the
  /// product's batch axes, first row and first column; of a sum also the number
  /// of the first one.
  Values batch;
  mlir::Value firstRow, firstColumn, firstSum;

private:
  /// The values carried by the loop over tiles of points.
  struct State {
    Values accumulators, fragmentA, fragmentB;
    mlir::Value read;       ///< byte offset of the stage
    Values placeA, placeB;  ///< of the prefetched tile
    mlir::Value first, end; ///< its points; null: not needed
  };
  Values pack(const State &state) const;
  State unpack(mlir::ValueRange values, const State &like) const;

  void locate(mlir::Value shared, int64_t parts);
  State startRing();
  void startBlock(State &state);
  /// Computes one tile of points while a later one is copied.
  State emitTile(State state, mlir::Value number);
  void copyTile(const State &state, mlir::Value stage);
  /// The elements of a tile of the operands that are not copied asynchronously,
  /// in registers.
  struct Loaded {
    Values ofA, ofB;
  };
  Loaded loadTile(const State &state, mlir::Value stage, mlir::Value wanted);
  void storeTile(const Loaded &loaded, mlir::Value stage);
  /// Writes the table entries that the copy of the state's tile to the stage
  /// needs.
  void writeTables(const State &state, mlir::Value stage);
  void advance(State &state);
  mlir::Value nextStage(mlir::Value stage);
  mlir::Value stageBefore(mlir::Value stage);
  Values compute(State &state, llvm::function_ref<void()> finish);
  /// Adds the products of a point to the accumulators.
  void addPoint(llvm::ArrayRef<mlir::Value> ofA,
                llvm::ArrayRef<mlir::Value> ofB, int64_t point,
                Values &accumulators);
  /// The same of the points of a fragment, by matrix units.
  void addMatrices(llvm::ArrayRef<mlir::Value> ofA,
                   llvm::ArrayRef<mlir::Value> ofB, Values &accumulators);
  Values zeros();
  /// Spills values that are computed before the loop and needed after it to
  /// shared memory: the loop's registers are for accumulators and fragments.
  /// Thread and place are recomputed from the loaded values; otherwise the
  /// assembler would keep the earlier values in registers.
  void leavePlace();
  void findPlace();
  mlir::Value findThread();
  void save(const Values &accumulators, mlir::Value workspace);
  /// Returns the sums of the thread in a block of threads, which there are
  /// `parts` of for each tile.
  mlir::Value workspaceOfThread(mlir::Value workspace, mlir::Value block);
  /// Loads the saved sums and returns combine(element, its index). Vectors are
  /// loaded one after another, so that only one at a time takes registers.
  Values load(mlir::Value workspace,
              llvm::function_ref<mlir::Value(mlir::Value, size_t)> combine);

  KernelBuilder &k;
  const GemmView &view;
  const ContractSizes &sizes;
  const ContractGrid grid;
  const codegen::IndexBuilder &offsets; ///< of sums in the workspace
  ContractSide &a, &b;
  mlir::Value thread, shared, tile, part, product;
  mlir::Value firstPoint, numTiles;
  bool needsFirst, needsEnd, hasMovingEnd;
};

} // namespace gensyn::gpu

#endif
