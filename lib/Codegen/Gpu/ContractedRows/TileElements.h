// The elements of a thread in a tile of scores.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_TILEELEMENTS_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_TILEELEMENTS_H

#include "../Common/KernelBuilder.h"
#include "../Common/PointerEmitter.h"
#include "StripLayout.h"

#include <map>

namespace gensyn::gpu {

/// A block's group, and the indices that it has in shapes of groups, which are
/// emitted once.
class GroupIndices {
public:
  GroupIndices(KernelBuilder &k, repro::KernelOp kernel,
               const repro::KernelForm &form, mlir::Value group);

  /// Returns the indices, of type index, of row `row` of the group in a shape
  /// of all rows.
  llvm::SmallVector<mlir::Value> ofRow(KernelBuilder &k, mlir::Value row,
                                       llvm::ArrayRef<int64_t> shape) const;
  /// Returns the number of a row among all rows.
  mlir::Value number(KernelBuilder &k, mlir::Value row) const {
    return k.add(k.mul(group, form.groupRows), row);
  }

private:
  /// The shape of groups of a shape of rows, if its last dimension but those of
  /// extent 1 is that of a group's rows.
  std::optional<std::vector<int64_t>>
  groupsOf(llvm::ArrayRef<int64_t> shape) const;

  const repro::KernelForm &form;
  mlir::Value group;
  std::map<std::vector<int64_t>, llvm::SmallVector<mlir::Value>> known;
};

/// Emits elements of the kernel's values at rows and columns of the thread.
/// Every one is emitted once; a new region needs new TileElements.
class TileElements final : public PointerEmitter {
public:
  /// `rows` and `columns` are numbers in the group; all of them must exist.
  TileElements(KernelBuilder &k, repro::KernelOp kernel,
               const repro::KernelForm &form, const Target &target,
               const KernelFunction &function, const GroupIndices &groups,
               llvm::ArrayRef<mlir::Value> rows,
               llvm::ArrayRef<mlir::Value> columns);

  /// Defines, or emits, the element of a value at a row and a column, which are
  /// numbers of the lists. Returns null after an error.
  void define(mlir::Value tensor, size_t row, size_t column, mlir::Value value);
  mlir::Value at(mlir::Value tensor, size_t row, size_t column);

  mlir::Value element(mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> indices) override;

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

private:
  llvm::SmallVector<mlir::Value> indicesOf(mlir::Value tensor) const;

  KernelBuilder &k;
  const repro::KernelForm &form;
  KernelBuilder::Values rows, columns; ///< numbers among all rows; columns
  llvm::SmallVector<mlir::Value> columnIndices;
  mlir::Value zero; ///< of type index
  /// The indices of each row in each shape of rows.
  std::map<std::vector<int64_t>,
           llvm::SmallVector<llvm::SmallVector<mlir::Value>>>
      rowIndices;
  size_t row = 0, column = 0;
};

} // namespace gensyn::gpu

#endif
