// Gives the buffers of cores their addresses.

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

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

  /// Returns the address of a buffer, and adds the tasks that used its memory
  /// before to `former`. None if no gap is large enough.
  std::optional<int64_t> allocate(int64_t size,
                                  llvm::SetVector<Operation *> &former) {
    size = llvm::alignTo(std::max<int64_t>(size, 1), kAlignment);
    // From where the last buffer ended, around: the memory there has been
    // unused for the longest time.
    std::optional<int64_t> begin = findGap(cursor, bytes, size);
    if (!begin)
      begin = findGap(0, std::min(cursor + size, bytes), size);
    if (!begin)
      return std::nullopt;
    cursor = *begin + size;
    live[*begin] = cursor;
    collectUsers(*begin, cursor, former);
    return begin;
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

  std::optional<int64_t> findGap(int64_t from, int64_t to, int64_t size) const {
    auto next = live.upper_bound(from);
    if (next != live.begin())
      from = std::max(from, std::prev(next)->second);
    for (; next != live.end() && next->first < from + size; ++next)
      from = next->second;
    return from + size <= to ? std::optional(from) : std::nullopt;
  }

  void collectUsers(int64_t begin, int64_t end,
                    llvm::SetVector<Operation *> &former) {
    SmallVector<Past> kept;
    for (Past &block : past) {
      if (block.end <= begin || end <= block.begin) {
        kept.push_back(std::move(block));
        continue;
      }
      former.insert_range(block.users);
      if (block.begin < begin)
        kept.push_back({block.begin, begin, block.users});
      if (end < block.end)
        kept.push_back({end, block.end, block.users});
    }
    past = std::move(kept);
  }

  int64_t bytes;
  int64_t cursor = 0;
  std::map<int64_t, int64_t> live; ///< begin and end
  SmallVector<Past> past;
};

class TaskPlan final : public impl::TaskPlanPassBase<TaskPlan> {
public:
  using TaskPlanPassBase::TaskPlanPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    WalkResult result = getOperation().walk([&](task::CoreOp core) {
      const uint32_t number = core.getCore();
      if (number >= described->cores.size()) {
        core.emitOpError("is core ")
            << number << " of " << described->name << ", which has "
            << described->cores.size();
        return WalkResult::interrupt();
      }
      const machine::MemoryKind &memory = described->memoryOf(number);
      return failed(plan(core, memory.size.value - memory.reserved.value))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static LogicalResult plan(task::CoreOp core, int64_t bytes) {
    Block &block = core.getBody().front();
    // The last task that names each buffer.
    DenseMap<Value, Operation *> last;
    for (Operation &op : block)
      if (auto task = dyn_cast<task::TaskOpInterface>(op))
        for (Value operand : op.getOperands())
          if (isa<task::BufferType>(operand.getType()))
            last[operand] = &op;
    CoreMemory memory(bytes);
    for (Operation &op : block) {
      auto task = dyn_cast<task::TaskOpInterface>(op);
      if (!task)
        continue;
      SmallVector<Value> buffers;
      for (Value operand : op.getOperands())
        if (isa<task::BufferType>(operand.getType()) &&
            !llvm::is_contained(buffers, operand))
          buffers.push_back(operand);
      llvm::SetVector<Operation *> former;
      for (Value buffer : buffers) {
        auto made = buffer.getDefiningOp<task::BufferOp>();
        if (made.getAddress())
          continue;
        std::optional<int64_t> address =
            memory.allocate(int64_t(made.getBytes()), former);
        if (!address)
          return op.emitOpError("of core ")
                 << core.getCore() << ": a buffer of " << made.getBytes()
                 << " bytes does not fit beside " << memory.getLive()
                 << " bytes in use of " << bytes;
        made.setAddress(*address);
      }
      for (Operation *user : former)
        task.addAfter(cast<task::TaskOpInterface>(user).getEnd());
      for (Value buffer : buffers)
        if (last.lookup(buffer) == &op)
          memory.release(
              int64_t(*buffer.getDefiningOp<task::BufferOp>().getAddress()),
              usersOf(buffer));
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
