// Divides a kernel of form ContractedRows into launches, blocks and tiles.
//
// A launch has one block of threads for each *strip* of a matrix of scores: a
// few of its rows and all columns, or a few columns and all rows. The side of
// which a strip has a few positions is fixed, the other one moves: the block
// walks over it tile by tile, and computes each tile's scores from tiles of
// their operands. No tile leaves the block.
//
// The launch of rows reduces the rows, in one walk for each phase of dependent
// reductions, and computes the contractions along rows. The launch of columns
// computes the contractions across rows, whose chains go from row to row; it
// reads the rows' numbers, which the first launch wrote. Both compute scores
// again where they need them.
//
// A thread has `tm` fixed positions, which are adjacent, and `tn` moving ones.
// The 16 threads of a fixed position share the lanes of the order, `lanes`
// adjacent ones each, so a thread's moving positions are such that every lane
// is a chain of its own.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_STRIPLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_STRIPLAYOUT_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

#include <vector>

namespace gensyn::gpu {

/// The side of the scores of which a strip has a few positions.
enum class StripSide { Rows, Columns };

/// A tensor of a contraction, in elements: the distance between neighbours in
/// the dimensions of groups, and between neighbouring rows or columns.
struct StripTensor {
  unsigned number = 0; ///< operand 0 or 1, or 2, the result
  llvm::SmallVector<int64_t> groupStrides;
  int64_t stride = 0;
};

/// A contraction of two arguments, whose result is a matrix of scores.
struct StripSource {
  repro::RowContraction contraction;
  llvm::SmallVector<int64_t> groupExtents;
  StripTensor kept, moved; ///< the operands of the fixed and the moving side
  int64_t points = 1, keptPointStride = 0, movedPointStride = 0;
};

/// A contraction over the moving side.
struct StripSum {
  /// A dimension of the operand that is no matrix of scores.
  struct Axis {
    int64_t extent, inFactor, inResult;
  };
  repro::RowContraction contraction;
  llvm::SmallVector<int64_t> groupExtents;
  StripTensor factor, result;
  llvm::SmallVector<Axis> axes; ///< outermost first
  int64_t width = 1;            ///< the product of their extents
  int64_t perThread = 4;        ///< adjacent positions of a thread: 1, 2 or 4
  int64_t panels = 1;           ///< of 16 * perThread positions
  int64_t blockTiles = 0;       ///< tiles of a block of the order; 0: one chain
  std::optional<unsigned> partial; ///< the workspace of finished blocks

  /// Positions in shared memory, whose copies take 128 threads.
  int64_t positions() const {
    return std::max<int64_t>(32, panels * 16 * perThread);
  }
};

/// A reduction of a row.
struct StripReduction {
  repro::ReduceOp getOp() const { return op; }

  repro::ReduceOp op;
  int64_t blockTiles = 0; ///< tiles of a block of the order; 0: no blocks
  int64_t blocks = 1;
  int64_t row = 0;   ///< bytes in shared memory: of the rows' results
  int64_t parts = 0; ///< and of those of the blocks
  /// The workspace of the results, if the other launch reads them.
  std::optional<unsigned> workspace;
};

/// What one walk over the moving side computes: numbers of the lists below.
struct StripWalk {
  llvm::SmallVector<unsigned> sources, reductions, sums;
  /// True if a tile may need no scores (MaskedElements.h).
  bool mayBeMasked = false;
};

struct StripLayout {
  static constexpr int64_t kThreads = 128, kShared = 16;
  /// Points of the tiles of operands in shared memory.
  static constexpr int64_t kPoints = 16;
  /// Elements between the points of a tile of so many positions: accesses of a
  /// warp to one position of adjacent points are to different banks.
  static int64_t pitch(int64_t positions) { return positions + 4; }

  /// `workspaces` are those of the kernel so far; this launch's are added.
  StripLayout(repro::KernelOp kernel, const repro::KernelForm &form,
              StripSide side, const Target &target,
              llvm::SmallVectorImpl<int64_t> &workspaces);

  int64_t fixed() const { return kThreads / kShared * tm; }
  int64_t moving() const { return kShared * tn; }
  int64_t strips() const { return llvm::divideCeil(fixedExtent, fixed()); }
  int64_t tiles() const { return llvm::divideCeil(movingExtent, moving()); }
  int64_t blocks() const { return groups * strips(); }

  StripSide side;
  int64_t tm = 8, tn = 4, lanes = 4;
  int64_t groups = 1, fixedExtent = 1, movingExtent = 1;
  std::vector<StripSource> sources;
  std::vector<StripSum> sums;
  /// Launch of rows: all. Launch of columns: those that it reads.
  std::vector<StripReduction> reductions;
  std::vector<StripWalk> walks;
  /// False if an order does not fit the tiles.
  bool isSupported = true;

  /// Bytes in shared memory: of the operands of the fixed side, two stages of
  /// a tile of the other one, and a tile that sums read.
  llvm::SmallVector<int64_t> kept;
  int64_t stage = 0, stageBytes = 0, tile = 0, votes = 0, sharedBytes = 0;

private:
  void addSource(const repro::RowContraction &contraction);
  void addSum(const repro::RowContraction &contraction);
  void addReduction(repro::ReduceOp op);
  void addWalks(repro::KernelOp kernel, const repro::KernelForm &form);
  void placeShared();
  /// Accumulators of a thread in the largest walk.
  int64_t registers() const;
};

/// The launches of a kernel: of rows, if it reduces rows or sums along them,
/// and of columns, if it sums across rows.
struct StripLaunches {
  StripLaunches(repro::KernelOp kernel, const Target &target);

  /// True if a walk may be masked: then the first launch finds the limits of
  /// operands, in the first workspace.
  bool hasMasks() const {
    return llvm::any_of(launches, [](const StripLayout &layout) {
      return llvm::any_of(
          layout.walks, [](const StripWalk &walk) { return walk.mayBeMasked; });
    });
  }
  /// The operands of all contractions that are arguments.
  llvm::SmallVector<mlir::BlockArgument> listOperands() const;

  bool isSupported() const {
    return llvm::all_of(launches, [](auto &one) { return one.isSupported; });
  }

  repro::KernelForm form;
  llvm::SmallVector<int64_t> workspaces; ///< bytes
  std::vector<StripLayout> launches;
};

} // namespace gensyn::gpu

#endif
