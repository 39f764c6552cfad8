// Leaves out waits that the order of queues implies.

#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKREDUCEWAITSPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {
class TaskReduceWaits final
    : public impl::TaskReduceWaitsPassBase<TaskReduceWaits> {
public:
  using TaskReduceWaitsPassBase::TaskReduceWaitsPassBase;

  void runOnOperation() override {
    getOperation().walk([](task::CoreOp core) {
      DenseMap<Operation *, unsigned> positions;
      for (auto [position, op] : llvm::enumerate(core.getBody().front()))
        positions[&op] = unsigned(position);
      for (Operation &op : core.getBody().front())
        if (auto task = dyn_cast<task::TaskOpInterface>(op))
          reduce(task, positions);
    });
  }

private:
  static void reduce(task::TaskOpInterface task,
                     const DenseMap<Operation *, unsigned> &positions) {
    std::map<uint32_t, task::TaskOpInterface> last; // of each other queue
    for (OpOperand &after : task.getAfterMutable()) {
      auto other = cast<task::TaskOpInterface>(after.get().getDefiningOp());
      if (other.getQueue() == task.getQueue())
        continue;
      task::TaskOpInterface &known = last[other.getQueue()];
      if (!known || positions.lookup(known) < positions.lookup(other))
        known = other;
    }
    SmallVector<Value> kept;
    for (auto &[queue, other] : last)
      kept.push_back(other.getEnd());
    task.getAfterMutable().assign(kept);
  }
};
} // namespace
} // namespace gensyn::mapping
