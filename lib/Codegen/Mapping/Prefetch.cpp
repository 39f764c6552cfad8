// Moves fetches before tasks of their queue that wait.

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>
#include <optional>
#include <tuple>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKPREFETCHPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// A task's place among all of its segment: launches one after another, their
/// tiles, and of a tile what is fetched, the computation, what is stored. What
/// a task waits for has a place before it.
using Position = std::tuple<uint32_t, unsigned, int>;

/// True for a fetch that may start as soon as tasks of its own core have ended.
bool isFree(Operation *op) {
  auto fetch = dyn_cast<task::FetchOp>(op);
  return fetch && fetch.getAwaits().empty() && fetch.getSignals().empty();
}

/// True for a multicast that waits for nothing: all of its bytes are there, and
/// the memory that it fills, since the segment began.
bool isFreeMulticast(Operation *op) {
  auto multicast = dyn_cast<task::MulticastOp>(op);
  return multicast && multicast.getAwaits().empty() &&
         multicast.getAfter().empty();
}

class SegmentPrefetch {
public:
  /// `channels` has those of each core's copy engine; without, one.
  SegmentPrefetch(task::SegmentOp segment, ArrayRef<int64_t> channels)
      : segment(segment), channels(channels) {}

  void run() {
    for (auto core : segment.getBody().getOps<task::CoreOp>()) {
      moveBuffers(core.getBody().front());
      findPositions(core.getBody().front());
      for (auto store : core.getBody().getOps<task::StoreOp>())
        stored.insert(store.getShared());
    }
    for (auto core : segment.getBody().getOps<task::CoreOp>())
      for (Operation &op : llvm::make_early_inc_range(core.getBody().front())) {
        const bool hasChannels =
            core.getCore() < channels.size() && channels[core.getCore()] > 1;
        if (isFree(&op)) {
          moveUp(&op, std::nullopt);
          auto fetch = cast<task::FetchOp>(op);
          // What the segment computes is awaited by a task of the core that the
          // fetch follows; weights do not wait behind it.
          if (hasChannels && !stored.contains(fetch.getShared()))
            fetch.setChannel(1);
        } else if (hasChannels && isFreeMulticast(&op)) {
          moveUp(&op, std::nullopt);
          cast<task::MulticastOp>(op).setChannel(1);
        } else if (auto multicast = dyn_cast<task::MulticastOp>(op)) {
          if (std::optional<Position> awaited = findAwaited(multicast))
            moveUp(&op, awaited);
        }
      }
  }

private:
  /// Buffers are not tasks, and stand in nobody's way.
  static void moveBuffers(Block &block) {
    Operation *firstTask = nullptr;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!isa<task::BufferOp, task::ResidentOp>(op)) {
        firstTask = firstTask ? firstTask : &op;
      } else if (firstTask) {
        op.moveBefore(firstTask);
      }
    }
  }

  void findPositions(Block &block) {
    DenseMap<uint32_t, unsigned> computed; // tiles of each launch
    for (Operation &op : block) {
      auto task = dyn_cast<task::TaskOpInterface>(op);
      if (!task)
        continue;
      unsigned &tiles = computed[task.getLaunch()];
      const bool isStore = isa<task::StoreOp>(op);
      const bool isCompute = isa<task::ComputeOp>(op);
      const Position position = {task.getLaunch(),
                                 isStore && tiles ? tiles - 1 : tiles,
                                 isStore     ? 2
                                 : isCompute ? 1
                                             : 0};
      positions[&op] = position;
      tiles += isCompute;
      for (int32_t counter : task.getSignals()) {
        Position &last = signalled.try_emplace(counter, position).first->second;
        last = std::max(last, position);
      }
    }
  }

  /// The last of the tasks on all cores that a multicast waits for.
  std::optional<Position> findAwaited(task::MulticastOp multicast) const {
    Position last = {0, 0, 0};
    for (ArrayRef<int32_t> pairs = multicast.getAwaits(); !pairs.empty();
         pairs = pairs.drop_front(2)) {
      auto found = signalled.find(pairs[0]);
      if (found == signalled.end())
        return std::nullopt;
      last = std::max(last, found->second);
    }
    return last;
  }

  /// True for a store that a launch between its own and the copy's may wait
  /// for: it does not wait behind the copy.
  static bool isAwaited(Operation *op, Operation *copy) {
    auto store = dyn_cast<task::StoreOp>(op);
    return store && !store.getSignals().empty() &&
           store.getLaunch() + 1 <
               cast<task::TaskOpInterface>(copy).getLaunch();
  }

  void moveUp(Operation *copy, std::optional<Position> awaited) {
    Operation *before = nullptr;
    for (Operation *op = copy->getPrevNode(); op; op = op->getPrevNode()) {
      if (isa<task::BufferOp, task::ResidentOp>(op) || isFree(op) ||
          isFreeMulticast(op) || dependsOn(copy, op) ||
          (awaited && (isa<task::MulticastOp>(op) || isAwaited(op, copy) ||
                       *awaited >= positions.at(op))))
        break;
      before = op;
    }
    if (before)
      copy->moveBefore(before);
  }

  static bool dependsOn(Operation *copy, Operation *op) {
    return llvm::any_of(copy->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() == op;
    });
  }

  task::SegmentOp segment;
  ArrayRef<int64_t> channels;
  DenseMap<Operation *, Position> positions;
  /// Buffers of the plan.
  DenseSet<uint32_t> stored;
  /// The last task that signals each counter.
  std::map<int32_t, Position> signalled;
};

class TaskPrefetch final : public impl::TaskPrefetchPassBase<TaskPrefetch> {
public:
  using TaskPrefetchPassBase::TaskPrefetchPassBase;

  void runOnOperation() override {
    SmallVector<int64_t> channels;
    if (!machine.empty()) {
      FailureOr<machine::Description> described =
          loadMachine(machine, getOperation().getLoc());
      if (failed(described))
        return signalPassFailure();
      for (const machine::Core &core : described->cores)
        channels.push_back(
            described->engines[described->coreKinds[core.kind].engine]
                .channels.value);
    }
    for (auto segment : getOperation().getOps<task::SegmentOp>())
      SegmentPrefetch(segment, channels).run();
  }
};
} // namespace
} // namespace gensyn::mapping
