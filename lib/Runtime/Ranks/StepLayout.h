// Which rank runs which part of a step.
#ifndef GENSYN_LIB_RUNTIME_RANKS_STEPLAYOUT_H
#define GENSYN_LIB_RUNTIME_RANKS_STEPLAYOUT_H

#include "StepTree.h"
#include "gensyn/Executable/Signature.h"
#include "gensyn/Runtime/Ranks/RankedProgram.h"
#include "gensyn/Runtime/Ranks/TensorTile.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// Ranks in groups that each run adjacent microbatches. A rank has a place in
/// its group: its pipeline stage, and its number among the ranks of the stage.
struct RankGrid {
  ParallelRanks parallel;
  int ranks = 1;
  int rank = 0;

  int places() const { return int(parallel.stages * parallel.tensors); }
  int groups() const { return ranks / places(); }
  int groupOf(int other) const { return other / places(); }
  int placeOf(int other) const { return other % places(); }
  int group() const { return groupOf(rank); }
  int place() const { return placeOf(rank); }
  int64_t stage() const { return place() / parallel.tensors; }
  int rankOf(int group, int place) const { return group * places() + place; }
};

/// What the phases of a microbatch read and make, and where.
struct StepLayout {
  /// Throws a Failure (bad input) if the phases are none of a step with these
  /// inputs.
  StepLayout(const Signature &step, std::span<const StepPhase> phases,
             RankGrid grid, int64_t microbatches);

  MicrobatchRange rangeOfGroup(int group) const {
    return rangeOf(group, grid.groups(), microbatches);
  }
  MicrobatchRange range() const { return rangeOfGroup(grid.group()); }
  /// The rank of a place in this rank's group.
  int rankAt(int place) const { return grid.rankOf(grid.group(), place); }

  RankGrid grid;
  int64_t microbatches;
  /// For each phase the place that runs it, and its segment.
  std::vector<int> placeOfPhase;
  std::vector<int64_t> segmentOfPhase;

  /// The elements of a sum that a place adds up.
  struct SumPart {
    int place;
    TensorTile tile;
  };
  struct Sum {
    /// Of the whole.
    Port port;
    std::vector<SumPart> parts;

    /// Null if the place has nothing of it.
    const SumPart *partOf(int place) const;
    bool isWhole() const { return parts.size() == 1; }
  };
  std::vector<Sum> sums;
  /// A value that a phase makes.
  struct Made {
    Port port;
    int place = -1;
  };
  std::vector<Made> contributions;
  /// A value that a phase passes on, with the places and the phases that read
  /// it.
  struct CutValue : Made {
    std::vector<int> readers;
    std::vector<size_t> phases;
  };
  std::vector<CutValue> cuts;
  /// For each input of the step: true if a phase reads it.
  std::vector<bool> isRead;

private:
  void addInputs(const StepPhase &phase, size_t number, const Signature &step);
  void addOutputs(const StepPhase &phase, size_t number);
  void addSum(const StepPhase &phase, size_t sum, const Port &port, int place);
  void checkSums() const;
};

} // namespace gensyn::runtime

#endif
