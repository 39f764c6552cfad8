// Gives the buffers of cores their addresses.

#include "MemoryUsers.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKPLANPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// Where buffers of a core lie.
enum class Strategy {
  /// From where the last one ended, around: the memory there has been unused
  /// for the longest time, so copies into it have the least to wait for.
  Around,
  /// What several tiles read from the end, the rest from the beginning: less of
  /// the memory is in pieces.
  FromBothEnds,
};
constexpr Strategy strategies[] = {Strategy::Around, Strategy::FromBothEnds};

/// The memory of one core while its tasks are read in the order of the text.
class CoreMemory {
public:
  /// `taken` of the bytes, the first ones, are not for buffers.
  CoreMemory(int64_t bytes, int64_t taken, Strategy strategy)
      : bytes(bytes), strategy(strategy), cursor(taken) {
    if (taken)
      live[0] = taken;
  }

  struct Request {
    int64_t size;
    bool isKept; ///< by the next tiles too
  };

  /// Finds memory for buffers that are used together. Returns false if no gap
  /// is large enough.
  bool allocate(ArrayRef<Request> requests, MutableArrayRef<int64_t> begins) {
    int64_t sum = 0;
    for (const Request &request : requests)
      sum += alignedBytes(request.size);
    if (strategy == Strategy::Around)
      if (std::optional<int64_t> begin = findGapAround(sum)) {
        for (auto [request, place] : llvm::zip_equal(requests, begins)) {
          place = *begin;
          live[place] = *begin += alignedBytes(request.size);
        }
        return true;
      }
    for (auto [request, place] : llvm::zip_equal(requests, begins)) {
      const int64_t size = alignedBytes(request.size);
      const std::optional<int64_t> begin =
          strategy == Strategy::Around ? findGapAround(size)
          : request.isKept             ? findLastGap(size)
                                       : findGap(0, bytes, size);
      if (!begin)
        return false;
      place = *begin;
      live[place] = *begin + size;
    }
    return true;
  }

  void release(int64_t begin) { live.erase(begin); }

  int64_t getLive() const {
    int64_t sum = 0;
    for (auto [begin, end] : live)
      sum += end - begin;
    return sum;
  }

private:
  std::optional<int64_t> findGapAround(int64_t size) {
    std::optional<int64_t> begin = findGap(cursor, bytes, size);
    if (!begin)
      begin = findGap(0, std::min(cursor + size, bytes), size);
    if (begin)
      cursor = *begin + size;
    return begin;
  }

  std::optional<int64_t> findGap(int64_t from, int64_t to, int64_t size) const {
    auto next = live.upper_bound(from);
    if (next != live.begin())
      from = std::max(from, std::prev(next)->second);
    for (; next != live.end() && next->first < from + size; ++next)
      from = next->second;
    return from + size <= to ? std::optional(from) : std::nullopt;
  }

  std::optional<int64_t> findLastGap(int64_t size) const {
    int64_t end = bytes;
    for (auto [begin, after] : llvm::reverse(live)) {
      if (end - after >= size)
        break;
      end = begin;
    }
    return end >= size ? std::optional(end - size) : std::nullopt;
  }

  int64_t bytes;
  Strategy strategy;
  int64_t cursor;
  std::map<int64_t, int64_t> live; ///< begin and end
};

class TaskPlan final : public impl::TaskPlanPassBase<TaskPlan> {
public:
  using TaskPlanPassBase::TaskPlanPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    const ResidentEnds residents = findResidentEnds(getOperation());
    for (auto segment : getOperation().getOps<task::SegmentOp>())
      if (failed(plan(segment, *described, residents)))
        return signalPassFailure();
  }

private:
  static LogicalResult plan(task::SegmentOp segment,
                            const machine::Description &machine,
                            const ResidentEnds &residents) {
    MulticastWaits multicasts(segment);
    for (auto core : segment.getBody().getOps<task::CoreOp>()) {
      const uint32_t number = core.getCore();
      if (number >= machine.cores.size())
        return core.emitOpError("is core ")
               << number << " of " << machine.name << ", which has "
               << machine.cores.size();
      const machine::MemoryKind &memory = machine.memoryOf(number);
      if (failed(plan(core, memory.size.value - memory.reserved.value,
                      residents.lookup(number), multicasts)))
        return failure();
    }
    multicasts.setAwaits();
    return success();
  }

  static LogicalResult plan(task::CoreOp core, int64_t bytes, int64_t residents,
                            MulticastWaits &multicasts) {
    Block &block = core.getBody().front();
    // The last task that names each buffer.
    DenseMap<Value, Operation *> last;
    for (Operation &op : block)
      if (isa<task::TaskOpInterface>(op))
        for (Value buffer : buffersOf(&op))
          last[buffer] = &op;
    // What did not fit with the last strategy.
    std::optional<Misfit> misfit;
    for (Strategy strategy : strategies) {
      misfit = place(core, CoreMemory(bytes, residents, strategy), last);
      if (!misfit)
        break;
    }
    if (misfit)
      return misfit->first->emitOpError("of core ")
             << core.getCore() << ": buffers of " << misfit->bytes
             << " bytes do not fit beside " << misfit->live
             << " bytes in use of " << bytes;
    addWaits(block, last, multicasts);
    return success();
  }

  static int64_t sizeOf(Value buffer) {
    return int64_t(buffer.getDefiningOp<task::BufferOp>().getBytes());
  }

  static int64_t addressOf(Value buffer) {
    return int64_t(*buffer.getDefiningOp<task::BufferOp>().getAddress());
  }

  static SmallVector<Value> buffersOf(Operation *op) {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands())
      if (operand.getDefiningOp<task::BufferOp>() &&
          !llvm::is_contained(buffers, operand))
        buffers.push_back(operand);
    return buffers;
  }

  /// The first of the tasks whose buffers find no room.
  struct Misfit {
    Operation *first;
    int64_t bytes, live;
  };

  /// Gives addresses to all buffers of a core.
  static std::optional<Misfit> place(task::CoreOp core, CoreMemory memory,
                                     const DenseMap<Value, Operation *> &last) {
    DenseSet<Value> placed;
    for (Operation &op : core.getBody().front()) {
      if (!isa<task::TaskOpInterface>(op))
        continue;
      const SmallVector<Value> buffers = buffersOf(&op);
      if (llvm::any_of(buffers,
                       [&](Value buffer) { return !placed.contains(buffer); }))
        if (std::optional<Misfit> misfit = placeNext(&op, memory, last, placed))
          return misfit;
      for (Value buffer : buffers)
        if (last.lookup(buffer) == &op)
          memory.release(addressOf(buffer));
    }
    return std::nullopt;
  }

  /// Gives addresses to the buffers of the tasks from `first` to the next
  /// computation: the operands and results of a tile.
  static std::optional<Misfit>
  placeNext(Operation *first, CoreMemory &memory,
            const DenseMap<Value, Operation *> &last, DenseSet<Value> &placed) {
    SmallVector<Value> buffers;
    Operation *op = first;
    for (; op; op = op->getNextNode()) {
      if (isa<task::TaskOpInterface>(op))
        for (Value buffer : buffersOf(op))
          if (placed.insert(buffer).second)
            buffers.push_back(buffer);
      if (isa<task::ComputeOp>(op))
        break;
    }
    SmallVector<CoreMemory::Request> requests;
    int64_t sum = 0;
    for (Value buffer : buffers) {
      Operation *user = last.lookup(buffer);
      requests.push_back({sizeOf(buffer), isa<task::ComputeOp>(user) && op &&
                                              op->isBeforeInBlock(user)});
      sum += sizeOf(buffer);
    }
    SmallVector<int64_t> begins(buffers.size());
    const int64_t live = memory.getLive();
    if (!memory.allocate(requests, begins))
      return Misfit{first, sum, live};
    for (auto [buffer, begin] : llvm::zip_equal(buffers, begins))
      buffer.getDefiningOp<task::BufferOp>().setAddress(begin);
    return std::nullopt;
  }

  /// The first task of a buffer waits for those that used its memory before.
  static void addWaits(Block &block, const DenseMap<Value, Operation *> &last,
                       MulticastWaits &multicasts) {
    FormerUsers former;
    DenseSet<Value> begun;
    for (Operation &op : block) {
      auto task = dyn_cast<task::TaskOpInterface>(op);
      if (!task)
        continue;
      const SmallVector<Value> buffers = buffersOf(&op);
      for (Value buffer : buffers) {
        if (!begun.insert(buffer).second)
          continue;
        const std::optional<uint32_t> multicast =
            buffer.getDefiningOp<task::BufferOp>().getMulticast();
        for (Operation *user : former.take(addressOf(buffer), sizeOf(buffer)))
          if (multicast)
            multicasts.addFormerUser(*multicast,
                                     cast<task::TaskOpInterface>(user));
          else
            task.addAfter(cast<task::TaskOpInterface>(user).getEnd());
      }
      for (Value buffer : buffers)
        if (last.lookup(buffer) == &op)
          former.add(addressOf(buffer), sizeOf(buffer), usersOf(buffer));
    }
  }

  /// The tasks that name a buffer and after which the others have ended: a
  /// computation follows the fetch of what it reads, a store that of what it
  /// writes.
  static SmallVector<Operation *> usersOf(Value buffer) {
    Operation *copy = nullptr, *compute = nullptr;
    for (Operation *user : buffer.getUsers()) {
      Operation *&last = isa<task::ComputeOp>(user) ? compute : copy;
      if (!last || last->isBeforeInBlock(user))
        last = user;
    }
    if (copy && compute)
      return {isa<task::FetchOp>(copy) ? compute : copy};
    return {copy ? copy : compute};
  }
};

} // namespace
} // namespace gensyn::mapping
