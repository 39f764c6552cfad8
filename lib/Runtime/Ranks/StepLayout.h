// Which rank runs which part of a step.
#ifndef GENSYN_LIB_RUNTIME_RANKS_STEPLAYOUT_H
#define GENSYN_LIB_RUNTIME_RANKS_STEPLAYOUT_H

#include "StepTree.h"
#include "gensyn/Executable/Signature.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// Ranks in groups of one rank for each pipeline stage. A group runs adjacent
/// microbatches.
struct RankGrid {
  int64_t stages = 1;
  int ranks = 1;
  int rank = 0;

  int groups() const { return ranks / int(stages); }
  int group() const { return rank / int(stages); }
  int64_t stage() const { return rank % stages; }
  int rankOf(int group, int64_t stage) const {
    return group * int(stages) + int(stage);
  }
};

/// What the segments of a microbatch read and make, and where.
struct StepLayout {
  /// `segments` are the signatures of all segments in order. Throws a Failure
  /// (bad input) if they are none of a step with these inputs.
  StepLayout(const Signature &step, std::span<const Signature> segments,
             RankGrid grid, int64_t microbatches);

  int64_t stageOfSegment(size_t segment) const;
  MicrobatchRange rangeOfGroup(int group) const {
    return rangeOf(group, grid.groups(), microbatches);
  }
  MicrobatchRange range() const { return rangeOfGroup(grid.group()); }

  RankGrid grid;
  int64_t microbatches;
  /// A value that a stage makes.
  struct Made {
    Port port;
    int64_t stage = -1;
  };
  std::vector<Made> sums, contributions;
  /// A value that a segment passes on, with the stages and the segments that
  /// read it.
  struct CutValue : Made {
    std::vector<int64_t> readers;
    std::vector<size_t> segments;
  };
  std::vector<CutValue> cuts;
  /// For each input of the step: true if a segment reads it.
  std::vector<bool> isRead;
};

} // namespace gensyn::runtime

#endif
