// Tensors of which each rank has a range, on their way to all ranks.
#ifndef GENSYN_LIB_RUNTIME_RANKS_ARRIVINGRANGES_H
#define GENSYN_LIB_RUNTIME_RANKS_ARRIVINGRANGES_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Runtime/Devices/Value.h"
#include "gensyn/Runtime/Ranks/Islands.h"
#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include <memory>

namespace gensyn::runtime {

/// Begins to copy the ranges of all ranks to all ranks, and returns at once.
/// All ranks call it with the same cut and the same number, one that no other
/// tensor on its way has. With islands, a range goes to the rank at its place
/// of each island, which then passes on there what the ranks of this place have
/// together.
std::unique_ptr<ArrivingTensor>
beginToArrive(communication::Communicator &ranks, const Islands &islands,
              size_t number, Tensor tensor, const Cut &cut);

} // namespace gensyn::runtime

#endif
