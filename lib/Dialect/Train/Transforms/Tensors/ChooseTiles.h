// Which ops of a microbatch ranks divide, and along which dimension.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_CHOOSETILES_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_CHOOSETILES_H

#include "DimensionClasses.h"

#include "gensyn/Dialect/Train/Transforms/Tensors.h"

namespace gensyn::train {

/// Returns the cut of each node.
///
/// Each cut costs, of all ranks together, the operations as if each had as many
/// as the one that has most, the bytes that they get of other ranks' results,
/// and the bytes of parameters that more than one reads. A greedy walk begins;
/// then dimensions of a class, groups and single nodes are cut otherwise where
/// that costs less, in a bounded number of sweeps.
std::vector<TensorCut> chooseTiles(const TensorProgram &program, int64_t ranks,
                                   int64_t exchangeBytes);

/// The cuts that `choose` chooses.
std::vector<TensorCut> chooseTiles(const TensorProgram &program, int64_t ranks,
                                   TensorChooser choose);

} // namespace gensyn::train

#endif
