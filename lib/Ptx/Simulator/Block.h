// A block of threads: its warps, its shared memory, its barriers.

#ifndef GENSYN_PTX_BLOCK_H
#define GENSYN_PTX_BLOCK_H

#include "../Machine/Kernel.h"
#include "Races.h"

#include <atomic>
#include <memory>

namespace gensyn::ptx {

/// Cache-line aligned memory, not initialised.
class AlignedBytes {
public:
  void resize(size_t bytes);
  std::byte *data() { return start.get(); }

private:
  struct Free {
    void operator()(std::byte *pointer) const;
  };
  std::unique_ptr<std::byte, Free> start;
  size_t size = 0;
};

/// Threads of a warp that run together until block `reconverge`.
struct StackEntry {
  uint32_t block = 0;
  uint32_t reconverge = noBlock;
  uint32_t mask = 0;
  bool atBranch = false; ///< only the branch at the end is left
};

/// A cp.async of a warp that is not visible yet. Groups are counted per lane:
/// the one a lane is filling has the number of those it has committed.
struct PendingCopy {
  uint32_t mask = 0;
  unsigned bytes = 0;
  const Code *code = nullptr;
  uint32_t number = 0; ///< for the race detector
  uint64_t dest[warpSize], source[warpSize];
  uint32_t readBytes[warpSize], group[warpSize];
};

enum class WarpPhase : uint8_t { Ready, Waiting, Done };

/// The part of a warp's state that only control flow needs.
struct WarpControl {
  WarpPhase phase = WarpPhase::Ready;
  uint32_t resume = noBlock; ///< code to go on with inside the block, or none
  const Code *barrier = nullptr; ///< where it waits
  std::vector<StackEntry> stack;
  std::vector<PendingCopy> copies;
  uint32_t committed[warpSize] = {};
};

struct BlockBarrier {
  uint32_t arrived = 0;  ///< warps
  uint32_t expected = 0; ///< threads; 0: all of the block
  uint32_t count = 0;    ///< lanes whose predicate holds, for bar.red
  bool all = true;
  std::vector<uint32_t> waiting;
};

/// State that all blocks of a launch share.
struct LaunchContext {
  const Kernel *kernel = nullptr;
  std::array<uint32_t, 3> gridSize = {1, 1, 1}, blockSize = {1, 1, 1};
  uint64_t sharedBytes = 0, dynamicSharedBytes = 0;
  const std::byte *parameters = nullptr;
  const Region *regions = nullptr;
  uint64_t regionCount = 0;
  uint64_t maxInstructions = 0;
  std::atomic<uint64_t> *issued = nullptr; ///< instructions, as far as reported
  bool findRaces = false;
};

/// Instructions that the start of a block counts.
uint64_t costOfStart(const LaunchContext &context);

/// A worker keeps one of these and runs one block after another in it.
struct Block {
  /// `detector` may be null.
  Block(const LaunchContext &context, RaceDetector *detector);
  /// Runs the block of this number. False: `warps[faulty].fault` is set.
  bool run(uint64_t number);

  /// Called by the barrier instruction. Returns the warp's next action.
  Status arrive(Warp &warp, const Code &code, uint32_t id, uint32_t expected,
                uint32_t holds);

  const LaunchContext &context;
  std::array<uint32_t, 3> blockId = {};
  std::vector<Warp> warps;
  std::vector<WarpControl> controls;
  uint32_t faulty = 0;
  uint64_t threadInstructions = 0;

private:
  void start(uint64_t number);
  Status runWarp(Warp &warp, WarpControl &control);
  Status runCodes(Warp &warp, WarpControl &control, const BasicBlock &block);
  Status follow(Warp &warp, WarpControl &control, const BasicBlock &block);
  Status followIndexed(Warp &warp, WarpControl &control,
                       const BasicBlock &block, uint32_t mask);
  bool settle(Warp &warp, WarpControl &control);
  void diverge(Warp &warp, WarpControl &control, const BasicBlock &block,
               uint32_t taken, uint32_t target, uint32_t other);
  void open(BlockBarrier &barrier);
  bool isComplete(const BlockBarrier &barrier) const;
  void warpEnded();
  bool reportDeadlock();
  /// Counts instructions of a warp. Returns false if all warps of the launch
  /// have exceeded the limit.
  bool spend(uint64_t instructions) {
    unreported += instructions;
    return unreported < slack || reportIssued();
  }
  bool reportIssued();

  AlignedBytes registers, constants, shared, local;
  std::array<BlockBarrier, 16> barriers;
  uint32_t runningWarps = 0;
  uint64_t unreported = 0; ///< instructions that other blocks do not know of
  uint64_t slack = 0;      ///< what need not be reported
  RaceDetector *races;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_BLOCK_H
