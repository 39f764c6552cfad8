// Dimensions of values that are cut alike.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_DIMENSIONCLASSES_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_DIMENSIONCLASSES_H

#include "TensorProgram.h"

namespace gensyn::train {

/// A cut of a value: `bounds[t]` is the first index of rank t's part along
/// `dim`, and the last bound is the extent. Without bounds each rank has the
/// whole.
struct TensorCut {
  unsigned dim = 0;
  llvm::SmallVector<int64_t, 0> bounds;
  /// Of the dimension, and of those that are cut where this one is.
  unsigned dimensionClass = 0;

  bool isWhole() const { return bounds.empty(); }
  /// The part of a tensor of this shape.
  repro::Tile part(llvm::ArrayRef<int64_t> shape, size_t rank) const;
};

/// Divides the dimensions of all nodes' results into classes. Two belong
/// together if a piece of the one reads exactly the same part of the other, as
/// far as there are at least `ranks` such parts: 12 heads of 64 elements and a
/// row of 768 are 12 parts.
class DimensionClasses {
public:
  DimensionClasses(const TensorProgram &program, int64_t ranks);

  /// The cuts of each node; the first is none.
  std::vector<llvm::SmallVector<TensorCut, 0>> cuts;
  /// For each node the first node of its group: nodes that reduce nothing,
  /// connected by dimensions that are cut alike.
  std::vector<unsigned> groups;

private:
  unsigned find(unsigned dimension);
  unsigned findGroup(unsigned node);
  void join(unsigned node, unsigned dim, unsigned source, unsigned sourceDim);
  void link(unsigned node);
  void linkDimension(unsigned node, unsigned dim);
  bool addsByTiles(unsigned node, const TensorCut &cut) const;
  llvm::SmallVector<TensorCut, 0> findCuts(unsigned node);

  const TensorProgram &program;
  int64_t ranks;
  /// For each node the number of its first dimension, and for each dimension
  /// the next one of its class, and the number of equal parts.
  std::vector<unsigned> first, parents;
  std::vector<int64_t> parts;
  std::vector<bool> reduces;
};

} // namespace gensyn::train

#endif
