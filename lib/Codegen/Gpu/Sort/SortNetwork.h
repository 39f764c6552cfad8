// A sorting network over the items of groups of threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTNETWORK_H
#define GENSYN_LIB_CODEGEN_GPU_SORTNETWORK_H

#include "SortItems.h"

namespace gensyn::gpu {

/// Emits the code of a thread in a block of sizes.threads(). All threads must
/// reach it.
class SortNetwork {
public:
  /// The sizes.perThread items of a thread.
  using Items = llvm::SmallVector<SortItem>;
  /// The row and the chunk of a group.
  struct Chunk {
    mlir::Value row;     ///< of type index
    mlir::Value number;  ///< in the row, an i32
    mlir::Value isThere; ///< null: always; if false, it repeats the last one
  };

  /// `memory` has sizes.bytes() of shared memory.
  SortNetwork(KernelBuilder &builder, const SortSizes &sizes,
              mlir::Value memory);

  Chunk chunk();
  /// Returns the items of the group's chunk in any order. `make` gets the row
  /// (of type index) and the position in it (i32). Positions past the end of
  /// the row get padding items.
  Items read(llvm::function_ref<SortItem(mlir::Value, mlir::Value)> make);
  /// Sorts the group's items in ascending order; each thread gets adjacent
  /// ones.
  Items sort(Items x);

  /// Stores them to shared memory, for all threads of the block.
  void share(const Items &sorted);
  /// Returns the item of any group (i32) at `place` (i32) in shared memory.
  SortItem shared(mlir::Value group, mlir::Value place);
  void setShared(const SortItem &item, mlir::Value group, mlir::Value place);

  /// Returns the predicate x < end, for i32; null if it always holds, since x <
  /// most <= end.
  mlir::Value isBefore(mlir::Value x, int64_t end, int64_t most) {
    return most <= end ? mlir::Value() : b.less(x, end);
  }

  KernelBuilder &b;
  const SortSizes &sizes;
  SortItems items;
  /// The index of this thread in the block and in its group, and of the group
  /// in the block (i32), and that of the block (of type index).
  mlir::Value thread, inGroup, unit, block;

private:
  Items sortInThread(Items x);
  Items mergeInThread(Items x);
  Items sortInWarp(const Items &x);
  Items sortInBlock(const Items &x);
  void compareExchange(SortItem &x, SortItem &y);
  Items keep(const Items &own, const Items &others, mlir::Value distance);
  Items exchangeInWarp(const Items &x, mlir::Value mask, bool isMirrored,
                       mlir::Value distance);
  Items exchangeInBlock(const Items &x, mlir::Value mask, bool isMirrored,
                        mlir::Value distance);
  Items halveInWarp(const Items &x, mlir::Value first, mlir::Value steps);
  Items loop(mlir::Value count, const Items &x,
             llvm::function_ref<Items(mlir::Value, const Items &)> body);
  mlir::Value shiftLeft(int64_t value, mlir::Value bits);
  mlir::Value slotOf(mlir::Value group, mlir::Value place);

  mlir::Value memory;
};

} // namespace gensyn::gpu

#endif
