// Gives buffers of cores other addresses, by when their tasks run.

#include "MemoryUsers.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Machine/Simulator.h"

#include <map>
#include <numeric>

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
  int64_t bytes;
  Span span;
  /// From when others must have left its memory.
  int64_t free;
  int64_t address = 0;
  bool isWith(const Placed &other) const {
    return free < other.span.end && other.free < span.end;
  }
};

/// How many buffers of a core are placed in the order of their sizes, which
/// takes the square of that.
constexpr size_t kMostSorted = 2000;

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
    SmallVector<Placed> blocks;
    for (auto buffer : core.getBody().getOps<task::BufferOp>()) {
      Placed block{buffer, alignedBytes(int64_t(buffer.getBytes())), {}, 0};
      for (Operation *user : buffer->getUsers())
        block.span.add(spans.lookup(user));
      block.free = block.span.begin;
      if (std::optional<uint32_t> number = buffer.getMulticast()) {
        auto &[op, span] = multicasts[*number];
        block.span.add(span);
        block.free = block.span.begin;
        // It waits for signals of other cores.
        if (op->getBlock() != buffer->getBlock())
          block.free -= signal;
      }
      if (block.span.end > block.span.begin)
        blocks.push_back(block);
    }
    llvm::stable_sort(blocks, [](const Placed &a, const Placed &b) {
      return a.span.begin < b.span.begin;
    });
    return blocks;
  }

  /// Places blocks in an order, each at the lowest address that is free while
  /// it lives, from `first` on. Returns the end of the last one.
  int64_t place(MutableArrayRef<Placed> blocks, ArrayRef<size_t> order,
                bool isByTime, int64_t first) const {
    int64_t peak = 0;
    SmallVector<size_t> placed;
    for (size_t number : order) {
      Placed &block = blocks[number];
      if (isByTime)
        llvm::erase_if(placed, [&](size_t other) {
          return blocks[other].span.end <= block.span.begin - signal;
        });
      SmallVector<std::pair<int64_t, int64_t>> taken;
      for (size_t other : placed)
        if (block.isWith(blocks[other]))
          taken.push_back({blocks[other].address,
                           blocks[other].address + blocks[other].bytes});
      llvm::sort(taken);
      block.address = first;
      for (auto [begin, end] : taken) {
        if (begin >= block.address + block.bytes)
          break;
        block.address = std::max(block.address, end);
      }
      placed.push_back(number);
      peak = std::max(peak, block.address + block.bytes);
    }
    return peak;
  }

  void compact(task::CoreOp core) {
    SmallVector<Placed> blocks = listBlocks(core);
    const int64_t residentEnd = residents.lookup(core.getCore());
    int64_t before = 0;
    for (Placed &block : blocks)
      before = std::max(before, int64_t(*block.op.getAddress()) + block.bytes);
    SmallVector<size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), size_t(0));
    int64_t peak = place(blocks, order, /*isByTime=*/true, residentEnd);
    if (blocks.size() <= kMostSorted) {
      SmallVector<Placed> others = blocks;
      llvm::stable_sort(order, [&](size_t a, size_t b) {
        return blocks[a].bytes > blocks[b].bytes;
      });
      if (const int64_t other =
              place(others, order, /*isByTime=*/false, residentEnd);
          other < peak) {
        peak = other;
        blocks = std::move(others);
      }
    }
    if (peak >= before)
      return;
    for (Placed &block : blocks)
      block.op.setAddress(block.address);
    sortTasks(core);
    addWaits(blocks);
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

  void addWaits(ArrayRef<Placed> blocks) {
    FormerUsers former;
    for (const Placed &block : blocks) {
      task::BufferOp op = block.op;
      const SmallVector<Operation *> users =
          former.take(block.address, block.bytes);
      if (std::optional<uint32_t> number = op.getMulticast()) {
        for (Operation *user : users)
          waits.addFormerUser(*number, cast<task::TaskOpInterface>(user));
      } else if (Operation *first = firstUser(op)) {
        for (Operation *user : users)
          cast<task::TaskOpInterface>(first).addAfter(
              cast<task::TaskOpInterface>(user).getEnd());
      }
      former.add(block.address, block.bytes, lastUsers(op));
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
