// Gives the buffers of cores their addresses.

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>
#include <numeric>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKPLANPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// Copies of cores begin at multiples of it, as tensors do.
constexpr int64_t kAlignment = 64;

/// The memory of one core while its tasks are read in the order of the text.
class CoreMemory {
public:
  explicit CoreMemory(int64_t bytes) : bytes(bytes) {}

  /// Finds memory for buffers that are used together. Returns false if no gap
  /// is large enough.
  bool allocate(ArrayRef<int64_t> sizes, MutableArrayRef<int64_t> begins) {
    int64_t sum = 0;
    for (int64_t size : sizes)
      sum += aligned(size);
    if (std::optional<int64_t> begin = findGap(sum)) {
      for (auto [size, place] : llvm::zip_equal(sizes, begins)) {
        place = *begin;
        live[place] = *begin += aligned(size);
      }
      return true;
    }
    for (auto [size, place] : llvm::zip_equal(sizes, begins)) {
      std::optional<int64_t> begin = findGap(aligned(size));
      if (!begin)
        return false;
      place = *begin;
      live[place] = *begin + aligned(size);
    }
    return true;
  }

  /// Returns the tasks that used the memory of a buffer before.
  SmallVector<Operation *> takeUsers(int64_t begin, int64_t size) {
    return takeUsersOf(begin, begin + aligned(size));
  }

  /// Makes the memory available to others, which wait for `users`.
  void release(int64_t begin, ArrayRef<Operation *> users) {
    auto block = live.find(begin);
    past.push_back({begin, block->second, SmallVector<Operation *>(users)});
    live.erase(block);
  }

  int64_t getLive() const {
    int64_t sum = 0;
    for (auto [begin, end] : live)
      sum += end - begin;
    return sum;
  }

private:
  struct Past {
    int64_t begin, end;
    SmallVector<Operation *> users;
  };

  static int64_t aligned(int64_t size) {
    return int64_t(llvm::alignTo(std::max<int64_t>(size, 1), kAlignment));
  }

  /// From where the last one ended, around: the memory there has been unused
  /// for the longest time.
  std::optional<int64_t> findGap(int64_t size) {
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

  SmallVector<Operation *> takeUsersOf(int64_t begin, int64_t end) {
    llvm::SetVector<Operation *> users;
    SmallVector<Past> kept;
    for (Past &block : past) {
      if (block.end <= begin || end <= block.begin) {
        kept.push_back(std::move(block));
        continue;
      }
      users.insert_range(block.users);
      if (block.begin < begin)
        kept.push_back({block.begin, begin, block.users});
      if (end < block.end)
        kept.push_back({end, block.end, block.users});
    }
    past = std::move(kept);
    return users.takeVector();
  }

  int64_t bytes;
  int64_t cursor = 0;
  std::map<int64_t, int64_t> live; ///< begin and end
  SmallVector<Past> past;
};

/// What multicasts have to wait for: on their own core for the tasks, and on
/// others for a counter.
class Multicasts {
public:
  explicit Multicasts(task::SegmentOp segment) : segment(segment) {
    for (auto core : segment.getBody().getOps<task::CoreOp>())
      for (auto multicast : core.getBody().getOps<task::MulticastOp>())
        states[multicast.getNumber()].op = multicast;
  }

  void addFormerUser(uint32_t number, task::TaskOpInterface user) {
    State &state = states[number];
    if (state.op->getBlock() == user->getBlock()) {
      cast<task::TaskOpInterface>(state.op.getOperation())
          .addAfter(user.getEnd());
      return;
    }
    if (!state.counter) {
      state.counter = segment.getCounters();
      segment.setCounters(uint32_t(*state.counter) + 1);
    }
    SmallVector<int32_t> signals(user.getSignals());
    if (llvm::is_contained(signals, *state.counter))
      return;
    signals.push_back(*state.counter);
    user.setSignals(signals);
    ++state.users;
  }

  void setAwaits() {
    for (auto &[number, state] : states) {
      if (!state.counter)
        continue;
      SmallVector<int32_t> awaits(state.op.getAwaits());
      awaits.append({*state.counter, state.users});
      state.op.setAwaits(awaits);
    }
  }

private:
  struct State {
    task::MulticastOp op;
    std::optional<int32_t> counter;
    int32_t users = 0;
  };
  task::SegmentOp segment;
  std::map<uint32_t, State> states;
};

class TaskPlan final : public impl::TaskPlanPassBase<TaskPlan> {
public:
  using TaskPlanPassBase::TaskPlanPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    for (auto segment : getOperation().getOps<task::SegmentOp>())
      if (failed(plan(segment, *described)))
        return signalPassFailure();
  }

private:
  static LogicalResult plan(task::SegmentOp segment,
                            const machine::Description &machine) {
    Multicasts multicasts(segment);
    for (auto core : segment.getBody().getOps<task::CoreOp>()) {
      const uint32_t number = core.getCore();
      if (number >= machine.cores.size())
        return core.emitOpError("is core ")
               << number << " of " << machine.name << ", which has "
               << machine.cores.size();
      const machine::MemoryKind &memory = machine.memoryOf(number);
      if (failed(plan(core, memory.size.value - memory.reserved.value,
                      multicasts)))
        return failure();
    }
    multicasts.setAwaits();
    return success();
  }

  static LogicalResult plan(task::CoreOp core, int64_t bytes,
                            Multicasts &multicasts) {
    Block &block = core.getBody().front();
    // The last task that names each buffer.
    DenseMap<Value, Operation *> last;
    for (Operation &op : block)
      if (auto task = dyn_cast<task::TaskOpInterface>(op))
        for (Value operand : op.getOperands())
          if (isa<task::BufferType>(operand.getType()))
            last[operand] = &op;
    CoreMemory memory(bytes);
    // What the first task of a buffer has to wait for.
    DenseMap<Value, SmallVector<Operation *>> former;
    for (Operation &op : block) {
      auto task = dyn_cast<task::TaskOpInterface>(op);
      if (!task)
        continue;
      const SmallVector<Value> buffers = buffersOf(&op);
      if (llvm::any_of(buffers, isUnplaced) &&
          failed(placeNext(core, &op, bytes, memory, former)))
        return failure();
      for (Value buffer : buffers)
        if (auto users = former.find(buffer); users != former.end()) {
          const std::optional<uint32_t> multicast =
              buffer.getDefiningOp<task::BufferOp>().getMulticast();
          for (Operation *op : users->second) {
            auto user = cast<task::TaskOpInterface>(op);
            if (multicast)
              multicasts.addFormerUser(*multicast, user);
            else
              task.addAfter(user.getEnd());
          }
          former.erase(users);
        }
      for (Value buffer : buffers)
        if (last.lookup(buffer) == &op)
          memory.release(
              int64_t(*buffer.getDefiningOp<task::BufferOp>().getAddress()),
              usersOf(buffer));
    }
    return success();
  }

  static bool isUnplaced(Value buffer) {
    return !buffer.getDefiningOp<task::BufferOp>().getAddress();
  }

  static SmallVector<Value> buffersOf(Operation *op) {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands())
      if (isa<task::BufferType>(operand.getType()) &&
          !llvm::is_contained(buffers, operand))
        buffers.push_back(operand);
    return buffers;
  }

  /// Gives addresses to the buffers of the tasks from `first` to the next
  /// computation: the operands and results of a tile.
  static LogicalResult
  placeNext(task::CoreOp core, Operation *first, int64_t bytes,
            CoreMemory &memory,
            DenseMap<Value, SmallVector<Operation *>> &former) {
    SmallVector<Value> buffers;
    for (Operation *op = first; op; op = op->getNextNode()) {
      if (isa<task::TaskOpInterface>(op))
        for (Value buffer : buffersOf(op))
          if (isUnplaced(buffer) && !llvm::is_contained(buffers, buffer))
            buffers.push_back(buffer);
      if (isa<task::ComputeOp>(op))
        break;
    }
    const SmallVector<int64_t> sizes =
        llvm::map_to_vector(buffers, [](Value buffer) {
          return int64_t(buffer.getDefiningOp<task::BufferOp>().getBytes());
        });
    SmallVector<int64_t> begins(buffers.size());
    const int64_t before = memory.getLive();
    if (!memory.allocate(sizes, begins))
      return first->emitOpError("of core ")
             << core.getCore() << ": buffers of "
             << std::accumulate(sizes.begin(), sizes.end(), int64_t(0))
             << " bytes do not fit beside " << before << " bytes in use of "
             << bytes;
    for (auto [buffer, size, begin] : llvm::zip_equal(buffers, sizes, begins)) {
      buffer.getDefiningOp<task::BufferOp>().setAddress(begin);
      former[buffer] = memory.takeUsers(begin, size);
    }
    return success();
  }

  /// The last task of each queue that names a buffer: the others have ended
  /// when these have.
  static SmallVector<Operation *> usersOf(Value buffer) {
    Operation *copy = nullptr, *compute = nullptr;
    for (Operation *user : buffer.getUsers()) {
      Operation *&last = isa<task::ComputeOp>(user) ? compute : copy;
      if (!last || last->isBeforeInBlock(user))
        last = user;
    }
    SmallVector<Operation *> users;
    for (Operation *user : {copy, compute})
      if (user)
        users.push_back(user);
    return users;
  }
};

} // namespace
} // namespace gensyn::mapping
