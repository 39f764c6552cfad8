// Builds the tasks of one segment.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_SEGMENTBUILDER_H
#define GENSYN_LIB_CODEGEN_MAPPING_SEGMENTBUILDER_H

#include "Conflicts.h"
#include "Pieces.h"
#include "Repetitions.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

namespace gensyn::mapping {

class SegmentBuilder {
public:
  /// `kernels` has the kernel of each launch of the plan.
  SegmentBuilder(mlir::ModuleOp module, const plan::Plan &plan,
                 llvm::ArrayRef<repro::KernelOp> kernels, PieceTable &pieces)
      : module(module), plan(plan), kernels(kernels), pieces(pieces),
        builder(module.getContext()) {}

  mlir::LogicalResult build(const LaunchBlock &block);

private:
  /// An operand's tile in a core's memory.
  struct Fetched {
    repro::Tile tile;
    mlir::Value buffer, end; ///< `end` is null if nothing was copied
  };
  struct CoreState {
    mlir::Block *block = nullptr;
    /// Launches of the segment that a task of this queue has waited for, and
    /// the end of that task.
    llvm::DenseMap<unsigned, mlir::Value> copyAwaited, computeAwaited;
  };
  /// A launch of the segment.
  struct LaunchState {
    unsigned number = 0;
    repro::KernelOp kernel;
    llvm::SmallVector<bool> inPlace; ///< of operands, then results
    /// Of operands: true if the launch writes over it, in some repetition.
    llvm::SmallVector<bool> overwritten;
    /// For each operand, then each result: launches to wait for.
    llvm::SmallVector<llvm::SmallVector<unsigned>> awaits;
    /// Of operands: true if a tile reads it, and so waits.
    llvm::SmallVector<bool> waits;
    /// All launches that end before it ends.
    llvm::DenseSet<unsigned> ancestors;
    /// The last task of each of its cores.
    llvm::SmallVector<task::TaskOpInterface> last;
    std::optional<int32_t> counter;
  };

  void addCores(task::SegmentOp segment, llvm::ArrayRef<unsigned> launches);
  void bindRepetitions(task::SegmentOp segment, const LaunchBlock &block);
  void findAwaits(LaunchState &launch, const LaunchBlock &block);
  void findInPlace(LaunchState &launch);
  mlir::LogicalResult addLaunch(LaunchState &launch, const LaunchBlock &block);
  /// What the computation of a tile names and waits for.
  struct TileTasks {
    llvm::SmallVector<mlir::Value> local, ends;
    llvm::SmallVector<int32_t> inPlace;
    llvm::SmallVector<unsigned> awaits; ///< launches
  };
  /// The tiles that a core has of the operands of a launch.
  using FetchedTiles = llvm::SmallVector<std::optional<Fetched>>;

  mlir::LogicalResult addTile(LaunchState &launch, CoreState &core,
                              llvm::ArrayRef<repro::IndexRange> tile,
                              FetchedTiles &fetched,
                              task::TaskOpInterface &last);
  void addOperand(LaunchState &launch, CoreState &core, unsigned operand,
                  const repro::Tile &tile, std::optional<Fetched> &before,
                  TileTasks &tasks);
  mlir::Value makeBuffer(mlir::Value tensor,
                         llvm::ArrayRef<repro::IndexRange> tile);
  /// Makes a task wait for launches: for their counters, or for the task of its
  /// queue that did so before, which it must not pass then.
  void await(llvm::ArrayRef<unsigned> launches,
             llvm::DenseMap<unsigned, mlir::Value> &awaited,
             task::TaskOpInterface task);
  void awaitUnread(LaunchState &launch);
  uint32_t bufferOf(const LaunchState &launch, size_t argument) const;

  mlir::ModuleOp module;
  const plan::Plan &plan;
  llvm::ArrayRef<repro::KernelOp> kernels;
  PieceTable &pieces;
  /// Of each repetition.
  std::vector<Conflicts> conflicts;
  mlir::OpBuilder builder;
  std::map<int32_t, CoreState> cores;
  std::vector<LaunchState> states;
  int32_t counters = 0;
};

} // namespace gensyn::mapping

#endif
