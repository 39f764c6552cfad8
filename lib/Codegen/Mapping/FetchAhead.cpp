// Lets repetitions fetch for the next one.

#include "MemoryUsers.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKFETCHAHEADPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// Buffers of the plan that nothing writes during a run.
class ReadOnlyBuffers {
public:
  explicit ReadOnlyBuffers(const plan::Plan &plan) : plan(plan) {
    for (auto [output, isInPlace] : llvm::enumerate(plan.in_place()))
      if (isInPlace)
        replaced.insert(plan.donated(int(output)));
  }

  bool contains(int32_t number) const {
    if (number < 0 || number >= plan.buffers_size())
      return false;
    const plan::Buffer &buffer = plan.buffers(number);
    return buffer.place_case() == plan::Buffer::kConstant ||
           (buffer.place_case() == plan::Buffer::kInput &&
            !replaced.contains(int32_t(buffer.input())));
  }

private:
  const plan::Plan &plan;
  DenseSet<int32_t> replaced; ///< inputs
};

class SegmentAhead {
public:
  SegmentAhead(task::SegmentOp segment, const ReadOnlyBuffers &readOnly)
      : segment(segment), launches(segment.getLaunches()), readOnly(readOnly) {}

  void run() {
    findChanged();
    countBytes();
    for (auto core : segment.getBody().getOps<task::CoreOp>())
      run(core.getBody().front());
  }

private:
  /// Buffers of the segment that are written in some repetition.
  void findChanged() {
    for (auto [place, buffer] : llvm::enumerate(segment.getBuffers()))
      for (auto repetition :
           segment.getRepetitions().getAsRange<task::RepetitionAttr>())
        if (!readOnly.contains(repetition.getBuffers()[place]))
          changed.insert(buffer);
  }

  size_t placeOf(uint32_t launch) const {
    return size_t(llvm::lower_bound(launches, int32_t(launch)) -
                  launches.begin());
  }

  /// Bytes that are copied for the launches before each one.
  void countBytes() {
    bytesBefore.assign(launches.size() + 1, 0);
    segment.walk([&](task::TaskOpInterface op) {
      auto add = [&](auto copy) {
        int64_t bytes = int64_t(copy.getRowBytes());
        for (int64_t count : copy.getCounts())
          bytes *= count;
        bytesBefore[placeOf(op.getLaunch()) + 1] += bytes;
      };
      llvm::TypeSwitch<Operation *>(op)
          .Case<task::FetchOp, task::StoreOp, task::MulticastOp>(add);
    });
    for (size_t i = 1; i < bytesBefore.size(); ++i)
      bytesBefore[i] += bytesBefore[i - 1];
  }

  /// What a fetch waits for when it is ahead: the last task of each queue that
  /// uses its memory.
  SmallVector<Operation *> findUsers(ArrayRef<task::BufferOp> buffers,
                                     task::BufferOp own) const {
    const int64_t begin = int64_t(*own.getAddress());
    const int64_t end = begin + alignedBytes(int64_t(own.getBytes()));
    std::map<uint32_t, Operation *> last;
    for (task::BufferOp buffer : buffers) {
      const int64_t other = int64_t(*buffer.getAddress());
      if (other >= end ||
          other + alignedBytes(int64_t(buffer.getBytes())) <= begin)
        continue;
      for (Operation *user : buffer->getUsers()) {
        Operation *&known = last[cast<task::TaskOpInterface>(user).getQueue()];
        if (!known || positions.lookup(known) < positions.lookup(user))
          known = user;
      }
    }
    return llvm::to_vector(llvm::make_second_range(last));
  }

  bool canBeAhead(task::FetchOp fetch) const {
    return fetch.getAfter().empty() && fetch.getAwaits().empty() &&
           fetch.getSignals().empty() &&
           readOnly.contains(int32_t(fetch.getShared())) &&
           !changed.contains(int32_t(fetch.getShared()));
  }

  /// Ahead a fetch has the time from when its memory is free to the end of a
  /// repetition, else that from the beginning to its launch, by the bytes that
  /// others copy meanwhile. The first counts twice: at the beginning it would
  /// delay what the first launches fetch.
  bool isWorthwhile(task::FetchOp fetch, ArrayRef<Operation *> users) const {
    size_t last = 0;
    for (Operation *user : users)
      last = std::max(
          last, placeOf(cast<task::TaskOpInterface>(user).getLaunch()) + 1);
    return 2 * (bytesBefore.back() - bytesBefore[last]) >
           bytesBefore[placeOf(fetch.getLaunch())];
  }

  void run(Block &block) {
    auto all = block.getOps<task::BufferOp>();
    const SmallVector<task::BufferOp> buffers(all.begin(), all.end());
    positions.clear();
    for (auto [position, op] : llvm::enumerate(block))
      positions[&op] = unsigned(position);
    SmallVector<std::pair<task::FetchOp, SmallVector<Operation *>>> found;
    for (auto fetch : block.getOps<task::FetchOp>()) {
      if (!canBeAhead(fetch))
        continue;
      SmallVector<Operation *> users =
          findUsers(buffers, fetch.getBuffer().getDefiningOp<task::BufferOp>());
      if (isWorthwhile(fetch, users))
        found.emplace_back(fetch, std::move(users));
    }
    DenseSet<Operation *> moved;
    for (auto &[fetch, users] : found)
      moved.insert(fetch);
    for (auto &[fetch, users] : found) {
      for (Operation *user : llvm::to_vector(fetch.getEnd().getUsers())) {
        auto task = cast<task::TaskOpInterface>(user);
        SmallVector<Value> others;
        for (OpOperand &other : task.getAfterMutable())
          if (other.get() != fetch.getEnd())
            others.push_back(other.get());
        task.getAfterMutable().assign(others);
      }
      fetch->moveBefore(&block, block.end());
      fetch.setAhead(true);
      for (Operation *user : users)
        if (!moved.contains(user))
          cast<task::TaskOpInterface>(fetch.getOperation())
              .addAfter(cast<task::TaskOpInterface>(user).getEnd());
    }
  }

  task::SegmentOp segment;
  ArrayRef<int32_t> launches;
  const ReadOnlyBuffers &readOnly;
  DenseSet<int32_t> changed;
  /// For each launch, and of all.
  SmallVector<int64_t> bytesBefore;
  DenseMap<Operation *, unsigned> positions;
};

class TaskFetchAhead final
    : public impl::TaskFetchAheadPassBase<TaskFetchAhead> {
public:
  using TaskFetchAheadPassBase::TaskFetchAheadPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    auto segments = getOperation().getOps<task::SegmentOp>();
    if (!main || llvm::all_of(segments, [](task::SegmentOp segment) {
          return segment.getRepetitions().empty();
        }))
      return;
    plan::Plan plan;
    if (failed(buildPlan(main, plan)))
      return signalPassFailure();
    const ReadOnlyBuffers readOnly(plan);
    for (task::SegmentOp segment : segments)
      if (!segment.getRepetitions().empty())
        SegmentAhead(segment, readOnly).run();
  }
};
} // namespace
} // namespace gensyn::mapping
