// How ranks divide a microbatch.
#ifndef GENSYN_RUNTIME_RANKS_PARALLELRANKS_H
#define GENSYN_RUNTIME_RANKS_PARALLELRANKS_H

#include "gensyn/Executable/PipelineStages.h"

#include <cstdint>

namespace gensyn::runtime {

/// A microbatch is run by a group of `stages` times `tensors` ranks: a model is
/// cut into stages (train-cut-stages), each of `interleave` chunks, and ops of
/// a stage into tiles (train-cut-tensors).
struct ParallelRanks {
  int64_t stages = 1;
  int64_t tensors = 1;
  int64_t interleave = 1;

  int64_t count() const { return stages * tensors; }
  PipelineStages pipeline() const { return {stages, interleave}; }
};

/// Throws a Failure (usage) if chunks are interleaved in a single stage.
void requirePipeline(const ParallelRanks &parallel);

/// The same, and throws one (usage) unless so many ranks are that many groups
/// (0: any number of them).
void requireGroups(const ParallelRanks &parallel, int64_t groups, int ranks);

} // namespace gensyn::runtime

#endif
