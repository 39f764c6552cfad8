// Chooses what a core computes at once of its part of a kernel.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_SEARCH_TILESEARCH_H
#define GENSYN_LIB_CODEGEN_MAPPING_SEARCH_TILESEARCH_H

#include "../Cost.h"

#include <optional>

namespace gensyn::mapping {

/// What an estimate does not tell apart: of choices that take so much longer
/// than the fastest one, that with the fewest tiles is taken.
inline int64_t aboutTheSame(int64_t time) { return time + time / 32; }

struct TileChoice {
  /// Of a tile along each split dimension.
  llvm::SmallVector<int64_t> sizes;
  /// The dimensions, that along which tiles follow each other last.
  llvm::SmallVector<int64_t> order;
  /// Of operands, then results.
  llvm::SmallVector<bool> inPlace;
  bool isWhole = false; ///< one part is all of the kernel
};

/// Makes tiles smaller until they fit twice into the memory of a core, or once
/// where that cannot be or takes less time, and looks for those that take the
/// least by the estimate: an operand's tile stays for the next tile if that
/// reads the same one. Of those that take about the same time, the largest.
class TileSearch {
public:
  /// What a search does by default.
  struct Rules {
    bool fitsTwice = true;
    /// Takes the fastest tiles by the estimate; else the longest dimension is
    /// halved until they fit.
    bool choosesTiles = true;
    /// Operands of later kernels wait while those of this one are copied.
    bool delaysCopies = true;
    /// As many kernels copy at the same time, on cores of their own.
    int64_t share = 1;
  };

  /// Operands, then results, and the tile of each.
  struct Argument {
    mlir::Value tensor;
    repro::Tile tile;
  };

  /// For parts of these sizes of which as many as possible, `cores` at most,
  /// are computed at the same time.
  TileSearch(repro::KernelOp kernel, const machine::Description &machine,
             PieceCosts &costs, llvm::ArrayRef<int64_t> parts, int64_t cores,
             Rules rules);

  /// Starts from the tiles and operands in place that the kernel has.
  void startFromKernel();

  /// Nothing if no tile fits. Looks at tiles in the middle of the kernel alone,
  /// unless others were added.
  std::optional<TileChoice> run();
  /// Looks for a tile of the choice that does not fit, as one of a concat that
  /// reads a larger operand than the others, and has the next run look at it
  /// too. Returns false if there is none among all of them, or among many.
  bool addTooLarge();
  /// Of the choice: all tiles of some parts of a core, in picoseconds.
  int64_t getTime(int64_t parts = 1) {
    return measure(choice.sizes).timeOf(parts);
  }
  /// Of the choice: how many tiles all parts have.
  int64_t getTiles() const;
  /// Bytes of the smallest piece that was tried last.
  uint64_t getBytes() { return measure(choice.sizes).bytes; }

private:
  struct Measure {
    uint64_t bytes = 0; ///< in the core's memory
    /// Of all tiles of the part, in picoseconds: in all, computing, copying,
    /// and what of that nothing is computed beside.
    int64_t time = 0, compute = 0, copy = 0, ends = 0;
    int64_t last = 0; ///< computing the last tile
    llvm::SmallVector<int64_t> order;
    /// Nothing is copied while something is computed.
    bool isInTurn = false;
    bool delaysCopies = true;
    /// Of several parts of a core.
    int64_t timeOf(int64_t parts) const {
      const int64_t all = parts * copy;
      if (isInTurn)
        return parts * compute + all + (delaysCopies ? 0 : preferFew(all));
      if (!delaysCopies)
        return std::max(ends + parts * compute, all + last) + preferFew(all);
      return ends + overlap(parts * compute, parts * copy - ends);
    }
  };

  repro::Tile tileAt(llvm::ArrayRef<int64_t> point,
                     llvm::ArrayRef<int64_t> sizes) const;
  uint64_t bytesOfTile(llvm::ArrayRef<repro::IndexRange> tile);
  Measure measure(llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> sizes);
  llvm::SmallVector<Argument>
  getArguments(llvm::ArrayRef<repro::IndexRange> tile);
  int64_t countAccesses(size_t number, const Argument &argument,
                        llvm::ArrayRef<repro::IndexRange> tile);
  int64_t countCopies(llvm::ArrayRef<bool> depends,
                      llvm::ArrayRef<int64_t> counts,
                      llvm::ArrayRef<int64_t> order) const;
  Measure measure(llvm::ArrayRef<int64_t> sizes);
  llvm::SmallVector<int64_t> listNeighbours(size_t dimension) const;
  void improve(uint64_t limit);
  void enlarge(uint64_t limit);
  bool shrink(uint64_t limit);
  void tryInTurn(const TileChoice &first, uint64_t memory);
  bool putInPlace();
  bool canReadInPlace();

  repro::KernelOp kernel;
  const machine::Description &machine;
  PieceCosts &costs;
  int64_t cores;
  const Rules rules;
  const repro::Tile whole;
  repro::Tile part;
  llvm::SmallVector<bool> canCut;
  /// Indices that the tiles contain which are looked at.
  llvm::SmallVector<llvm::SmallVector<int64_t>> points;
  /// Of a part along each split dimension, and how many there are.
  llvm::SmallVector<int64_t> partSizes, partCounts;
  /// `start` is where a run begins.
  TileChoice start, choice;
  bool isAddressable = false;
  /// Tiles fit once, so that they are copied and computed in turn.
  bool isInTurn = false;
  /// Operands of whose first tile a core waits for, and does nothing else.
  llvm::SmallVector<bool> exposed;
};

} // namespace gensyn::mapping

#endif
