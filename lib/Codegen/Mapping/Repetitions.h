// Blocks of launches that repeat with other buffers, as the layers of a
// transformer do.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_REPETITIONS_H
#define GENSYN_LIB_CODEGEN_MAPPING_REPETITIONS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Executable/plan.pb.h"

#include <map>
#include <optional>
#include <vector>

namespace gensyn::mapping {

/// Launches that follow each other and are mapped together.
struct LaunchBlock {
  /// Of the first repetition, or of the only one.
  std::vector<unsigned> launches;
  /// Of each further one.
  std::vector<std::vector<unsigned>> others;
};

/// The kernel of each launch of a plan.
using Kernels = llvm::ArrayRef<repro::KernelOp>;

/// For each operand of a launch true if its results lie in the same memory.
llvm::SmallVector<bool> findOverwritten(const plan::Plan &plan, unsigned launch,
                                        repro::KernelOp kernel);

/// For each buffer of the plan that launches use the one that other launches
/// have in its place; none if that would be two, or one of another size.
std::optional<std::map<uint32_t, uint32_t>>
bindBuffers(const plan::Plan &plan, llvm::ArrayRef<unsigned> launches,
            llvm::ArrayRef<unsigned> others);

/// Finds blocks that repeat among launches that follow each other without a
/// decision in between: first the one that saves the most tiles, then others
/// beside it that save at least `leastPercent` of all tiles. Blocks that read
/// nothing of each other are none: they may run at the same time.
class RepetitionFinder {
public:
  RepetitionFinder(const plan::Plan &plan, Kernels kernels,
                   llvm::ArrayRef<unsigned> launches);

  std::vector<LaunchBlock> find(uint64_t leastPercent);

private:
  struct Choice {
    size_t begin = 0, period = 0, times = 0;
    uint64_t saved = 0; ///< tiles
  };

  Choice findBest(size_t begin, size_t end) const;
  /// Blocks of `period` launches from `begin` on whose buffers correspond, and
  /// that read what the one before has written.
  size_t countBlocks(size_t begin, size_t period, size_t end) const;
  bool isHandedOn(llvm::ArrayRef<unsigned> from,
                  llvm::ArrayRef<unsigned> to) const;
  void find(size_t begin, size_t end, uint64_t least,
            std::vector<LaunchBlock> &blocks) const;
  llvm::ArrayRef<unsigned> slice(size_t begin, size_t count) const {
    return launches.slice(begin, count);
  }

  const plan::Plan &plan;
  Kernels kernels;
  llvm::ArrayRef<unsigned> launches;
  /// Numbers that equal launches share, and the tiles of all launches before.
  std::vector<unsigned> forms;
  std::vector<uint64_t> tilesBefore = {0};
};

/// Divides launches that follow each other at the blocks that `task.repetition`
/// says. Fails after an error if the repetitions of a block are not equal.
mlir::FailureOr<std::vector<LaunchBlock>>
listBlocks(const plan::Plan &plan, Kernels kernels,
           llvm::ArrayRef<unsigned> launches);

} // namespace gensyn::mapping

#endif
