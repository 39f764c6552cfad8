// Emits comparisons, exchanges and accesses of sort items: keys with positions.

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

  /// Returns the item of a key, an unsigned integer of item.keyBits, and a
  /// position (i32).
  SortItem make(mlir::Value key, mlir::Value position);
  /// Returns an item that comes after all others.
  SortItem last();
  /// Returns the position, an i32.
  mlir::Value position(const SortItem &x);

  /// Returns the predicate that x comes before y.
  mlir::Value isBefore(const SortItem &x, const SortItem &y);
  SortItem choose(mlir::Value p, const SortItem &x, const SortItem &y);
  /// Returns the item of the thread whose index in the warp is this one's xor
  /// `mask` (i32).
  SortItem exchange(const SortItem &x, mlir::Value mask);

  /// Access slots of shared memory, of which there are sizes.slots().
  void store(const SortItem &x, mlir::Value shared, mlir::Value slot);
  SortItem load(mlir::Value shared, mlir::Value slot);

  /// Access element `number` (of type index) of an array in global memory, with
  /// a buffer per word. The launch must not write items that it loads.
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
