// The contraction schedule: the body of its launches.
//
// A block of threads has a tile of bm rows and bn columns of one product. It
// walks the points in tiles of bk, which it copies into a ring of `stages`
// buffers in shared memory: while one is computed, the copies of those that
// follow run beside the threads (cp.async), or sit in registers until the next
// buffer is free (before sm_80, and for elements that must be widened). One
// barrier per tile of points is enough: a buffer is written again a whole tile
// after its last read. Each thread keeps tm x tn accumulators and the fragments
// of the next point in registers, also across the loop's back edge.
//
// The chain of every element is the op's: one accumulator, points ascending,
// one fma each. Points past the end are zeros on both sides, which contract_r3
// makes neutral. Where the order has blocks, the accumulators start from +0 for
// each and are added to the sum so far, which waits in a workspace that only
// this thread sees; or, with `split`, each block of the order is a block of the
// grid and a second launch adds their results in order.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEMITTER_H

#include "ContractSide.h"
#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// The division into launches.
struct ContractGrid {
  ContractGrid(const GemmView &view, const ContractSizes &sizes);

  int64_t rowTiles, columnTiles;
  int64_t blocks;   ///< of the order
  int64_t parts;    ///< blocks of the grid that share a tile of results
  int64_t tiles;    ///< of results, of all products
  int64_t perBlock; ///< tiles of points of a block of the order,
  int64_t inLast;   ///< of the last one
  /// Of the sums that wait; 0: none do.
  int64_t workspaceBytes;
};

/// One thread's accumulators and where they belong.
class ContractEmitter {
public:
  using Values = KernelBuilder::Values;

  ContractEmitter(KernelBuilder &k, const GemmView &view,
                  const ContractSizes &sizes, ContractSide &a, ContractSide &b);

  /// Emits the walk over the points. Leaves the thread's results, or, where the
  /// points are shared among blocks of the grid, writes them to `workspace` and
  /// returns nothing.
  Values emitProduct(mlir::Value shared, mlir::Value workspace);
  /// Emits the sum of what the blocks of the grid wrote.
  Values emitSum(mlir::Value workspace);

  /// The thread's place, once one of the above was emitted: values of the
  /// product's batch axes, and the tile's first row and column.
  Values batch;
  mlir::Value firstRow, firstColumn;

private:
  /// The values carried by the loop over tiles of points.
  struct State {
    Values accumulators, fragmentA, fragmentB;
    mlir::Value read;       ///< stage, in bytes
    Values placeA, placeB;  ///< of the copies, which are ahead
    mlir::Value first, end; ///< of the copies; null: not needed
  };
  Values pack(const State &state) const;
  State unpack(mlir::ValueRange values, const State &like) const;

  void locate(mlir::Value shared, int64_t parts);
  State startRing();
  void startBlock(State &state);
  /// One tile of points, the copy of a later one beside it.
  State emitTile(State state, mlir::Value number);
  void copyTile(const State &state, mlir::Value stage);
  /// The entries that a copy of the state's tile into the stage will look up.
  void writeTables(const State &state, mlir::Value stage);
  void advance(State &state);
  mlir::Value nextStage(mlir::Value stage);
  mlir::Value stageBefore(mlir::Value stage);
  Values compute(State &state, llvm::function_ref<void()> finish);
  Values zeros();
  /// Spills values that are computed before the loop and needed after it to
  /// shared memory: the loop's registers are for accumulators and fragments.
  /// Thread and place are recomputed from the loaded values; otherwise the
  /// assembler would keep the earlier values in registers.
  void leavePlace();
  void findPlace();
  mlir::Value findThread();
  void save(const Values &accumulators, mlir::Value workspace);
  /// Elements of an access to the workspace: 16 bytes where there are as many.
  int64_t vectorOfSums() const {
    return std::min(16 / sizes.elementBytes, sizes.tm * sizes.tn);
  }
  mlir::Value workspaceOfThread(mlir::Value workspace, mlir::Value number);
  /// Loads saved sums: combine(element, its number), one vector after another,
  /// so that only one of them is in registers beside its operand.
  Values load(mlir::Value workspace,
              llvm::function_ref<mlir::Value(mlir::Value, size_t)> combine);

  KernelBuilder &k;
  const GemmView &view;
  const ContractSizes &sizes;
  const ContractGrid grid;
  ContractSide &a, &b;
  mlir::Value thread, shared, tile, part, product;
  mlir::Value firstPoint, numTiles;
  bool needsFirst, needsEnd, hasMovingEnd;
};

} // namespace gensyn::gpu

#endif
