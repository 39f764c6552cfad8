// Evens out pipeline stages that have several chunks of a chain each.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_EVENSTAGES_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_EVENSTAGES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace gensyn::train {

/// Moves cuts of chooseCuts() while that makes stages more even. Chunk i of the
/// chain belongs to stage i modulo `stages`, and the cost of a stage is that of
/// its chunks: a link that cannot be divided makes one chunk large, and then
/// the other chunks of its stage can be smaller.
///
/// A cut moves between its neighbours, to a place that is crossed by no more,
/// if the larger one of the two stages on its sides becomes smaller.
void evenStages(llvm::ArrayRef<int64_t> costs, llvm::ArrayRef<int64_t> crossing,
                llvm::ArrayRef<unsigned> earliest, unsigned stages,
                llvm::MutableArrayRef<unsigned> cuts);

} // namespace gensyn::train

#endif
