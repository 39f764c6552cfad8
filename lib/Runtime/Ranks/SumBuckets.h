// The order in which the sums of a step are complete, and who adds what of
// them.
#ifndef GENSYN_LIB_RUNTIME_RANKS_SUMBUCKETS_H
#define GENSYN_LIB_RUNTIME_RANKS_SUMBUCKETS_H

#include "StepLayout.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Runtime/Ranks/Islands.h"
#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// All sums, those of each place in the order in which a rank there completes
/// them. `own` has those of this rank, as far as they are known; others come
/// last, by number. All ranks call it and get the same. Throws a Failure (bad
/// input) if a rank has other sums.
std::vector<size_t> agreeOnOrder(const StepLayout &layout,
                                 const std::vector<size_t> &own,
                                 communication::Communicator &ranks);

/// How many bytes of sums that are complete one after another are cut as one. A
/// small bucket is on its way early. In a large one each of many ranks has a
/// range for which a message pays.
int64_t bucketBytes(int ranks);

/// Cuts tensors in buckets of at least that many bytes, but for the last, so
/// that each rank gets about the same of a bucket.
std::vector<Cut> cutInBuckets(std::span<const Port> tensors, int ranks,
                              int64_t bytes);

/// Who adds what of the sums of a step.
struct SumCuts {
  std::vector<Cut> cuts;
  /// For each sum, whether all ranks get the whole of it.
  std::vector<bool> shared;
  Islands islands;
  /// If there are islands: what the rank at each place of an island adds for
  /// it. Ranks at this place in other islands add ranges of it.
  std::vector<Cut> parts;

  /// Sums that have a cut in `known`, and others, in the order in which they
  /// are complete, in buckets. Throws a Failure (bad input) if what the ranks
  /// of a place add is no range.
  SumCuts(const StepLayout &layout, std::span<const size_t> order,
          const TensorCuts &known, Islands islands, int64_t bucket);
};

} // namespace gensyn::runtime

#endif
