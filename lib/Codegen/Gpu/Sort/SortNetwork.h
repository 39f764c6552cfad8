// Sorts the items of groups of threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTNETWORK_H
#define GENSYN_LIB_CODEGEN_GPU_SORTNETWORK_H

#include "SortItems.h"

namespace gensyn::gpu {

/// The code of one thread of a block of sizes.threads(). All threads have to
/// reach it.
class SortNetwork {
public:
  /// A thread's items, sizes.perThread of them.
  using Items = llvm::SmallVector<SortItem>;
  /// The row and the chunk of a group.
  struct Chunk {
    mlir::Value row;     ///< index
    mlir::Value number;  ///< of the row's chunks, an i32
    mlir::Value isThere; ///< null: always; else it is the last one where not
  };

  /// `memory` has sizes.bytes() of shared memory.
  SortNetwork(KernelBuilder &builder, const SortSizes &sizes,
              mlir::Value memory);

  Chunk chunk();
  /// The items of the group's chunk, in any order: `make` has the row (index)
  /// and the position there (i32). What is missing behind the end of the row
  /// are items that come last.
  Items read(llvm::function_ref<SortItem(mlir::Value, mlir::Value)> make);
  /// The group's items in ascending order: each thread has neighbours.
  Items sort(Items x);

  /// Puts them into shared memory, for all threads of the block.
  void share(const Items &sorted);
  /// An item in shared memory, of any group (i32), by its place there (i32).
  SortItem shared(mlir::Value group, mlir::Value place);
  void setShared(const SortItem &item, mlir::Value group, mlir::Value place);

  /// x < end as i32; null, which always holds, where x < most <= end.
  mlir::Value isBefore(mlir::Value x, int64_t end, int64_t most) {
    return most <= end ? mlir::Value() : b.less(x, end);
  }

  KernelBuilder &b;
  const SortSizes &sizes;
  SortItems items;
  /// i32: this thread's number in the block and in its group, and the group's
  /// in the block; the block's is an index.
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
