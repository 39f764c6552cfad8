// What all libraries of collectives have, for comparison: a ring in which ranks
// add what they pass on.
#ifndef GENSYN_BENCHMARKS_SIMGRID_RING_H
#define GENSYN_BENCHMARKS_SIMGRID_RING_H

#include "Models.h"
#include "SimulatedRank.h"

namespace gensyn::simulation {

/// A part of the gradients that travels on its own.
struct Bucket {
  uint64_t bytes = 0;
  double readyAt = 0; ///< a date
};

/// Runs reduce-scatter and all-gather of the buckets, one after another, on all
/// ranks, and calls `done` with the date of the end. A rank passes a chunk on
/// when it has come and is added.
void runRing(Network &network, const Costs &costs, std::vector<Bucket> buckets,
             std::function<void(double)> done);

} // namespace gensyn::simulation

#endif
