// Chooses into how many parts a kernel is cut.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_SEARCH_PARTSEARCH_H
#define GENSYN_LIB_CODEGEN_MAPPING_SEARCH_PARTSEARCH_H

#include "TileSearch.h"

namespace gensyn::mapping {

/// The part of `whole` in the middle of parts of these sizes: it reads the most
/// where operands have borders. Appends how many there are along each
/// dimension.
repro::Tile findMiddlePart(llvm::ArrayRef<repro::IndexRange> whole,
                           llvm::ArrayRef<int64_t> sizes,
                           llvm::SmallVectorImpl<int64_t> &counts);

/// Finds the grid whose largest part takes the least time by the estimate, with
/// the tiles that a core's memory asks for. The kernel shares the cores evenly
/// with `share` - 1 others, which copy at the same time.
class PartSearch {
public:
  PartSearch(repro::KernelOp kernel, const machine::Description &machine,
             PieceCosts &costs, int64_t share = 1,
             TileSearch::Rules rules = {});

  /// Returns the size of a part along each split dimension.
  llvm::SmallVector<int64_t> run();
  /// Of the largest part, in picoseconds.
  int64_t getTime() const { return best.time; }
  /// Of all parts.
  int64_t getTiles() const { return best.tiles; }

private:
  /// A grid, and a lower bound of its time: that of parts that are one tile.
  struct Candidate {
    int64_t time;
    llvm::SmallVector<int64_t> sizes;
    int64_t rows = 0; ///< that a part copies, or fewer
    int64_t tiles = 0;
  };
  void visit(size_t dimension, int64_t parts);
  void addCandidate();

  repro::KernelOp kernel;
  const machine::Description &machine;
  PieceCosts &costs;
  const repro::Tile whole;
  const int64_t share, cores;
  const TileSearch::Rules rules;
  llvm::SmallVector<llvm::SmallVector<int64_t>> counts;
  llvm::SmallVector<int64_t> sizes;
  std::vector<Candidate> candidates;
  Candidate best{};
};

} // namespace gensyn::mapping

#endif
