// The order in which the rank of a pipeline stage runs its segments.
#ifndef GENSYN_LIB_RUNTIME_RANKS_PIPELINESCHEDULE_H
#define GENSYN_LIB_RUNTIME_RANKS_PIPELINESCHEDULE_H

#include "StepTree.h"

#include <cstdint>
#include <vector>

namespace gensyn::runtime {

/// A run of segment `segment` on the values of a microbatch. Of S stages,
/// segments k and 2S-2-k belong to stage k.
struct SegmentRun {
  int64_t segment = 0;
  int64_t microbatch = 0;

  bool operator==(const SegmentRun &) const = default;
};

/// Returns the runs of stage `stage` over a range of microbatches, one forward
/// and one backward at a time (1F1B): a stage begins with as many forward runs
/// as there are stages behind it, and from then on each backward run makes
/// room for the next forward run. So
///
/// - if each run begins as soon as its stage is free and its values have
///   arrived, all of them end (no deadlock);
/// - stage k keeps the values of at most S - k microbatches at a time;
/// - each segment runs over the microbatches in order, so that its stage adds
///   to its sums in order, too.
std::vector<SegmentRun> scheduleStage(int64_t stage, int64_t stages,
                                      MicrobatchRange range);

} // namespace gensyn::runtime

#endif
