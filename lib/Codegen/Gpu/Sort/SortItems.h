// Items of a sort: keys with positions, compared, exchanged and stored.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTITEMS_H
#define GENSYN_LIB_CODEGEN_GPU_SORTITEMS_H

#include "../Common/KernelBuilder.h"
#include "SortSizes.h"

namespace gensyn::gpu {

/// One or two words (ItemLayout).
using SortItem = llvm::SmallVector<mlir::Value, 2>;

class SortItems {
public:
  SortItems(KernelBuilder &builder, const SortSizes &sizes)
      : b(builder), item(sizes.item), slots(sizes.slots()) {}

  /// The item of a key, an integer of item.keyBits that is meant as an unsigned
  /// number, and a position (i32).
  SortItem make(mlir::Value key, mlir::Value position);
  /// An item that is behind all others.
  SortItem last();
  /// The position, an i32.
  mlir::Value position(const SortItem &x);

  /// True if x comes before y.
  mlir::Value isBefore(const SortItem &x, const SortItem &y);
  SortItem choose(mlir::Value p, const SortItem &x, const SortItem &y);
  /// The item of the thread whose number in the warp differs by `mask` (i32).
  SortItem exchange(const SortItem &x, mlir::Value mask);

  /// Slots of shared memory, of which there are sizes.slots().
  void store(const SortItem &x, mlir::Value shared, mlir::Value slot);
  SortItem load(mlir::Value shared, mlir::Value slot);

  /// An array in global memory: a buffer for each word; `number` is an index.
  /// Loaded items must not be written by the same launch.
  void store(const SortItem &x, mlir::ValueRange buffers, mlir::Value number);
  SortItem load(mlir::ValueRange buffers, mlir::Value number);

private:
  llvm::SmallVector<mlir::Type> types() const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      mlir::Value y);
  mlir::Value address(mlir::Value buffer, mlir::Value number, mlir::Type type);

  KernelBuilder &b;
  ItemLayout item;
  int64_t slots;
};

} // namespace gensyn::gpu

#endif
