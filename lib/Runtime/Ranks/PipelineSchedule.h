// The order in which the rank of a pipeline stage runs its segments.
#ifndef GENSYN_LIB_RUNTIME_RANKS_PIPELINESCHEDULE_H
#define GENSYN_LIB_RUNTIME_RANKS_PIPELINESCHEDULE_H

#include "StepTree.h"
#include "gensyn/Executable/PipelineStages.h"

#include <cstdint>
#include <vector>

namespace gensyn::runtime {

/// A run of segment `segment` on the values of a microbatch.
struct SegmentRun {
  int64_t segment = 0;
  int64_t microbatch = 0;

  bool operator==(const SegmentRun &) const = default;
};

/// Returns the runs of stage `stage` over a range of microbatches, one forward
/// and one backward at a time (1F1B), of interleaved stages chunk by chunk.
///
/// Microbatches go through a stage's chunks in rounds, of at least as many
/// microbatches as there are stages if there are so many: all forward runs of
/// the first chunk, then those of the second, and so on, and backward runs from
/// the last chunk to the first. How these two orders mix is found by a
/// simulation of all stages, in which a backward run takes twice as long as a
/// forward run. A stage that may keep one more value runs forward and backward
/// in turn where it can do either, and otherwise what it can. So
///
/// - if each run begins as soon as its stage is free and its values have
///   arrived, all of them end (no deadlock), since in the simulation they did;
/// - a stage keeps the values of at most mostKept() forward runs at a time;
/// - each segment runs over the microbatches in order, so that its stage adds
///   to its sums in order, too.
std::vector<SegmentRun> scheduleStage(int64_t stage, PipelineStages pipeline,
                                      MicrobatchRange range);

/// The most forward runs of `stage` whose values wait for their backward runs:
/// S - s without interleaved chunks; each further one adds those of a round.
int64_t mostKept(int64_t stage, PipelineStages pipeline, int64_t microbatches);

} // namespace gensyn::runtime

#endif
