// Leaves out waits that the order of queues implies.

#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

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
    const bool isCompute = isa<task::ComputeOp>(task.getOperation());
    Operation *last = nullptr;
    for (OpOperand &after : task.getAfterMutable()) {
      Operation *other = after.get().getDefiningOp();
      if (isa<task::ComputeOp>(other) != isCompute &&
          (!last || positions.lookup(last) < positions.lookup(other)))
        last = other;
    }
    MutableOperandRange after = task.getAfterMutable();
    if (last)
      after.assign(cast<task::TaskOpInterface>(last).getEnd());
    else
      after.clear();
  }
};
} // namespace
} // namespace gensyn::mapping
