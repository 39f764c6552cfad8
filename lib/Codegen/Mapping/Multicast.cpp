// Fetches that cores of a chip have in common become one copy to all of them.

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKMULTICASTPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// What fetches have in common that become one: the chip, the launch, how many
/// tiles of the launch their core computes before, and the bytes.
using Key = SmallVector<int64_t, 16>;

class SegmentShares {
public:
  SegmentShares(task::SegmentOp segment, const machine::Description &machine)
      : segment(segment), machine(machine) {}

  LogicalResult run() {
    for (auto core : segment.getBody().getOps<task::CoreOp>()) {
      if (core.getCore() >= machine.cores.size())
        return core.emitOpError("is core ")
               << core.getCore() << " of " << machine.name << ", which has "
               << machine.cores.size();
      addCore(core);
    }
    int32_t number = 0;
    for (auto &[key, fetches] : groups)
      if (fetches.size() > 1)
        share(fetches, number++);
    return success();
  }

private:
  void addCore(task::CoreOp core) {
    DenseMap<uint32_t, int64_t> computed; // tiles of each launch
    for (Operation &op : core.getBody().front()) {
      if (auto compute = dyn_cast<task::ComputeOp>(op))
        ++computed[compute.getLaunch()];
      auto fetch = dyn_cast<task::FetchOp>(op);
      if (!fetch || !fetch.getSignals().empty())
        continue;
      Key key = {
          machine.cores[core.getCore()].chip, fetch.getLaunch(),
          computed.lookup(fetch.getLaunch()), fetch.getShared(),
          int64_t(fetch.getOffset()),         int64_t(fetch.getRowBytes())};
      llvm::append_range(key, fetch.getCounts());
      llvm::append_range(key, fetch.getStrides());
      SmallVector<task::FetchOp> &others = groups[key];
      if (others.empty() || others.back()->getBlock() != fetch->getBlock())
        others.push_back(fetch);
    }
  }

  /// Cores take turns to fetch for all. Tasks that waited for their own core's
  /// fetch wait for the counter, which the copy increments.
  void share(ArrayRef<task::FetchOp> fetches, int32_t number) {
    const int32_t counter = segment.getCounters();
    segment.setCounters(counter + 1);
    task::FetchOp leader = fetches[size_t(number) % fetches.size()];
    OpBuilder builder(leader);
    auto multicast = task::MulticastOp::create(
        builder, leader.getLoc(), number, leader.getShared(),
        leader.getOffset(), leader.getCounts(), leader.getStrides(),
        leader.getRowBytes(), leader.getPathAttr(), leader.getChannel(),
        leader.getAfter(), leader.getLaunch(), leader.getAwaits(),
        ArrayRef<int32_t>(counter));
    for (task::FetchOp fetch : fetches) {
      fetch.getBuffer().getDefiningOp<task::BufferOp>().setMulticast(number);
      if (fetch == leader)
        fetch.getEnd().replaceAllUsesWith(multicast.getEnd());
      else
        await(fetch.getEnd(), counter);
      fetch.erase();
    }
  }

  static void await(Value end, int32_t counter) {
    for (Operation *user : llvm::to_vector(end.getUsers())) {
      auto task = cast<task::TaskOpInterface>(user);
      MutableOperandRange after = task.getAfterMutable();
      SmallVector<Value> others;
      for (OpOperand &other : after)
        if (other.get() != end)
          others.push_back(other.get());
      after.assign(others);
      SmallVector<int32_t> awaits(task.getAwaits());
      awaits.append({counter, 1});
      task.setAwaits(awaits);
    }
  }

  task::SegmentOp segment;
  const machine::Description &machine;
  llvm::MapVector<Key, SmallVector<task::FetchOp>, std::map<Key, unsigned>>
      groups;
};

class TaskMulticast final : public impl::TaskMulticastPassBase<TaskMulticast> {
public:
  using TaskMulticastPassBase::TaskMulticastPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    if (!described->network.hasMulticast)
      return;
    for (auto segment : getOperation().getOps<task::SegmentOp>())
      if (failed(SegmentShares(segment, *described).run()))
        return signalPassFailure();
  }
};
} // namespace
} // namespace gensyn::mapping
