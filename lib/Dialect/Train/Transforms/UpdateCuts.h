// Who computes which elements of an update that several ranks divide.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_UPDATECUTS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_UPDATECUTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace gensyn::train {

/// Elements [begin, begin + count) of a tensor in row-major order.
struct ElementRange {
  int64_t begin = 0, count = 0;
};

/// Tensors whose elements are computed from each other, so that they lie at the
/// same places.
struct CutGroup {
  enum class Kind {
    /// Computed by every rank.
    Everywhere,
    /// Each element is computed from those at its place, and sums are over
    /// blocks: each rank has a range.
    Cut,
    /// Computed by one rank.
    Owned,
  };
  Kind kind = Kind::Cut;
  /// The elements of each of its tensors, if it is cut.
  int64_t elements = 0;
  /// Where a range may begin.
  int64_t unit = 1;
  /// What a rank keeps of the arguments of the update.
  int64_t bytes = 0;
  /// True if a sum of microbatches is in it.
  bool hasSum = false;
  /// If it is cut: the range of each rank, in the order of ranks, so that
  /// those of adjacent ranks are a range together.
  llvm::SmallVector<ElementRange> ranges;
  int64_t owner = -1;

  bool isWith(int64_t rank) const {
    return kind == Kind::Everywhere || owner == rank ||
           (kind == Kind::Cut && ranges[size_t(rank)].count > 0);
  }
};

/// A number that is computed from tensors which lie at several ranks: each
/// sends its blocks' results (repro::buildRowBlocks), or the owner sends it.
struct ExchangedValue {
  mlir::Value value;
  const CutGroup *group;
  /// The results of blocks; an owner sends the value itself (0).
  int64_t blocks = 0;
  /// The elements of a block.
  int64_t block = 1;

  mlir::RankedTensorType getType() const;
  /// Of the results of blocks; of the value's only element at an owner.
  ElementRange getRange(int64_t rank) const;
};

class UpdateCuts {
public:
  /// Divides `update`, the function of train-split-step, over `ranks`.
  UpdateCuts(mlir::func::FuncOp update, int64_t ranks);

  /// Null for a value of one element that every rank computes or gets.
  const CutGroup *groupOf(mlir::Value value) const;
  /// In the order of the program.
  llvm::ArrayRef<ExchangedValue> exchanged() const { return exchanges; }
  /// Null for a value that is not exchanged.
  const ExchangedValue *exchangeOf(mlir::Value value) const;
  /// How many exchanges a value has to wait for. An exchanged value counts its
  /// own.
  int64_t levelOf(mlir::Value value) const { return levels.lookup(value); }
  /// The levels of what is exchanged in one go, from 1 on.
  int64_t levelCount() const { return mostLevel; }

private:
  void group(mlir::func::FuncOp update);
  void assign(int64_t ranks);
  void findLevels(mlir::func::FuncOp update);

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::SmallVector<CutGroup> groups;
  llvm::SmallVector<ExchangedValue> exchanges;
  llvm::DenseMap<mlir::Value, size_t> exchangeNumbers;
  llvm::DenseMap<mlir::Value, int64_t> levels;
  int64_t mostLevel = 0;
};

} // namespace gensyn::train

#endif
