// Gives buffers of cores other addresses, by when their tasks run.

#include "Memory/Placement.h"
#include "MemoryUsers.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Machine/Simulator.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKCOMPACTPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// Picoseconds from the beginning of the run.
struct Span {
  int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;
  void add(Span other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
};

/// A buffer of a core.
struct Placed {
  task::BufferOp op;
  LiveBlock block;
  int64_t begin; ///< of its first task
};

class SegmentCompaction {
public:
  SegmentCompaction(task::SegmentOp segment, int64_t signal,
                    const ResidentEnds &residents)
      : segment(segment), signal(signal), residents(residents), waits(segment) {
  }

  /// The time of a task of a core, in the order of the text.
  void add(uint32_t core, uint32_t number, Span span) {
    times[core].try_emplace(number, span);
  }

  void run() {
    for (auto core : segment.getBody().getOps<task::CoreOp>()) {
      uint32_t number = 0;
      for (Operation &op : core.getBody().front())
        if (isa<task::TaskOpInterface>(op)) {
          auto &own = times[core.getCore()];
          auto found = own.find(number++);
          if (found == own.end())
            return; // it did not run
          spans[&op] = found->second;
          if (auto multicast = dyn_cast<task::MulticastOp>(op))
            multicasts[multicast.getNumber()] = {&op, found->second};
        }
    }
    for (auto core : segment.getBody().getOps<task::CoreOp>())
      compact(core);
    waits.setAwaits();
  }

private:
  SmallVector<Placed> listBlocks(task::CoreOp core) {
    SmallVector<Placed> placed;
    for (auto buffer : core.getBody().getOps<task::BufferOp>()) {
      Span span;
      for (Operation *user : buffer->getUsers())
        span.add(spans.lookup(user));
      // From when others must have left its memory.
      int64_t free = span.begin;
      if (std::optional<uint32_t> number = buffer.getMulticast()) {
        auto &[op, own] = multicasts[*number];
        span.add(own);
        free = span.begin;
        // It waits for signals of other cores.
        if (op->getBlock() != buffer->getBlock())
          free -= signal;
      }
      if (span.end > span.begin)
        placed.push_back(
            {buffer,
             {alignedBytes(int64_t(buffer.getBytes())), free, span.end},
             span.begin});
    }
    llvm::stable_sort(placed, [](const Placed &a, const Placed &b) {
      return a.begin < b.begin;
    });
    return placed;
  }

  void compact(task::CoreOp core) {
    SmallVector<Placed> placed = listBlocks(core);
    SmallVector<LiveBlock> blocks;
    int64_t before = 0;
    for (Placed &own : placed) {
      before =
          std::max(before, int64_t(*own.op.getAddress()) + own.block.bytes);
      blocks.push_back(own.block);
    }
    if (placeBlocks(blocks, residents.lookup(core.getCore())) >= before)
      return;
    for (auto [own, block] : llvm::zip_equal(placed, blocks))
      own.op.setAddress(block.address);
    sortTasks(core);
    addWaits(placed);
  }

  /// So that what a task waits for stands before it. The order of each queue is
  /// that of its tasks' starts.
  void sortTasks(task::CoreOp core) {
    SmallVector<Operation *> buffers, tasks;
    for (Operation &op : core.getBody().front())
      (isa<task::TaskOpInterface>(op) ? tasks : buffers).push_back(&op);
    llvm::stable_sort(tasks, [&](Operation *a, Operation *b) {
      return spans.lookup(a).begin < spans.lookup(b).begin;
    });
    for (Operation *op : llvm::concat<Operation *>(buffers, tasks))
      op->moveBefore(&core.getBody().front(), core.getBody().front().end());
  }

  void addWaits(ArrayRef<Placed> placed) {
    FormerUsers former;
    for (const Placed &own : placed) {
      task::BufferOp op = own.op;
      const auto address = int64_t(*op.getAddress());
      const SmallVector<Operation *> users =
          former.take(address, own.block.bytes);
      if (std::optional<uint32_t> number = op.getMulticast()) {
        for (Operation *user : users)
          waits.addFormerUser(*number, cast<task::TaskOpInterface>(user));
      } else if (Operation *first = firstUser(op)) {
        for (Operation *user : users)
          cast<task::TaskOpInterface>(first).addAfter(
              cast<task::TaskOpInterface>(user).getEnd());
      }
      former.add(address, own.block.bytes, lastUsers(op));
    }
  }

  static Operation *firstUser(task::BufferOp buffer) {
    Operation *first = nullptr;
    for (Operation *user : buffer->getUsers())
      if (!first || user->isBeforeInBlock(first))
        first = user;
    return first;
  }

  /// The last one of each queue.
  static SmallVector<Operation *> lastUsers(task::BufferOp buffer) {
    std::map<uint32_t, Operation *> last;
    for (Operation *user : buffer->getUsers()) {
      Operation *&known = last[cast<task::TaskOpInterface>(user).getQueue()];
      if (!known || known->isBeforeInBlock(user))
        known = user;
    }
    return llvm::to_vector(llvm::make_second_range(last));
  }

  task::SegmentOp segment;
  const int64_t signal;
  const ResidentEnds &residents;
  MulticastWaits waits;
  std::map<uint32_t, std::map<uint32_t, Span>> times;
  DenseMap<Operation *, Span> spans;
  std::map<uint32_t, std::pair<Operation *, Span>> multicasts;
};

class TaskCompact final : public impl::TaskCompactPassBase<TaskCompact> {
public:
  using TaskCompactPassBase::TaskCompactPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    uint64_t tasks = 0;
    getOperation().walk([&](task::TaskOpInterface) { ++tasks; });
    if (!main || tasks == 0 || tasks > most)
      return;
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    plan::Plan plan;
    Mapping mapping;
    if (failed(described) || failed(buildPlan(main, plan)) ||
        failed(exportMapping(getOperation(), *described, plan, {}, mapping)))
      return signalPassFailure();
    try {
      compact(*described, plan, mapping);
    } catch (const Failure &failure) {
      emitError(getOperation().getLoc(), failure.what());
      signalPassFailure();
    }
  }

private:
  void compact(const machine::Description &machine, const plan::Plan &plan,
               const Mapping &mapping) {
    machine::Simulator simulator(machine, plan, mapping);
    const ResidentEnds residents = findResidentEnds(getOperation());
    size_t number = 0;
    for (auto segment : getOperation().getOps<task::SegmentOp>()) {
      SegmentCompaction compaction(segment, machine.network.signal.value,
                                   residents);
      simulator.setTrace([&](const machine::TraceEvent &event) {
        compaction.add(event.core, event.number, {event.begin, event.end});
      });
      simulator.run(number++);
      compaction.run();
    }
  }
};
} // namespace
} // namespace gensyn::mapping
