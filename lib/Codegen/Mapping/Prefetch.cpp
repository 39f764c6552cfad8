// Moves fetches before tasks of their queue that wait.

#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKPREFETCHPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// True for a fetch that may start as soon as tasks of its own core have ended.
bool isFree(Operation *op) {
  auto fetch = dyn_cast<task::FetchOp>(op);
  return fetch && fetch.getAwaits().empty() && fetch.getSignals().empty();
}

class TaskPrefetch final : public impl::TaskPrefetchPassBase<TaskPrefetch> {
public:
  using TaskPrefetchPassBase::TaskPrefetchPassBase;

  void runOnOperation() override {
    getOperation().walk([](task::CoreOp core) {
      Block &block = core.getBody().front();
      // Buffers are not tasks, and stand in nobody's way.
      Operation *firstTask = nullptr;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (!isa<task::BufferOp>(op)) {
          firstTask = firstTask ? firstTask : &op;
        } else if (firstTask) {
          op.moveBefore(firstTask);
        }
      }
      for (Operation &op : llvm::make_early_inc_range(block))
        if (isFree(&op))
          moveUp(&op);
    });
  }

private:
  static void moveUp(Operation *fetch) {
    Operation *before = nullptr;
    for (Operation *op = fetch->getPrevNode(); op; op = op->getPrevNode()) {
      if (isa<task::BufferOp>(op) || isFree(op) || dependsOn(fetch, op))
        break;
      before = op;
    }
    if (before)
      fetch->moveBefore(before);
  }

  static bool dependsOn(Operation *fetch, Operation *op) {
    return llvm::any_of(fetch->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() == op;
    });
  }
};

} // namespace
} // namespace gensyn::mapping
