// Ranks that are closer to each other than to others.
#ifndef GENSYN_RUNTIME_RANKS_ISLANDS_H
#define GENSYN_RUNTIME_RANKS_ISLANDS_H

#include "gensyn/Communication/Communicator.h"

namespace gensyn::runtime {

/// Adjacent ranks on one machine each, as many on all machines.
struct Islands {
  /// The ranks of an island; 1: there are none.
  int size = 1;
  int count = 1;

  int of(int rank) const { return rank / size; }
  int placeOf(int rank) const { return rank % size; }
  int rankOf(int island, int place) const { return island * size + place; }
  int ranks() const { return size * count; }
  /// Counts ranks so that those at the same place of their islands are
  /// adjacent. Ranges of tensors are in this order, so that what the ranks of a
  /// place have together is a range.
  int positionOf(int rank) const { return placeOf(rank) * count + of(rank); }
};

/// Finds the islands by the names of machines. There are none unless each has
/// several groups of `places` ranks, or one of several ranks, and all have as
/// many.
Islands findIslands(const communication::Communicator &ranks, int places);

} // namespace gensyn::runtime

#endif
