// Gives copies their ways through the network.

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Executable/Support/Failure.h"

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKROUTEPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {
class TaskRoute final : public impl::TaskRoutePassBase<TaskRoute> {
public:
  using TaskRoutePassBase::TaskRoutePassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    Builder builder(&getContext());
    WalkResult result = getOperation().walk([&](task::CoreOp core) {
      FailureOr<Ways> ways = findWays(core, *described);
      if (failed(ways))
        return WalkResult::interrupt();
      auto in = builder.getDenseI32ArrayAttr(ways->in);
      auto out = builder.getDenseI32ArrayAttr(ways->out);
      for (Operation &op : core.getBody().front()) {
        if (auto fetch = dyn_cast<task::FetchOp>(op))
          fetch.setPathAttr(in);
        if (auto store = dyn_cast<task::StoreOp>(op))
          store.setPathAttr(out);
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  struct Ways {
    SmallVector<int32_t> in, out; ///< links
  };

  /// The shortest ways between a core and a port of shared memory.
  static FailureOr<Ways> findWays(task::CoreOp core,
                                  const machine::Description &machine) {
    const uint32_t node = machine.cores[core.getCore()].node;
    const uint32_t memory = machine.sharedMemories().front();
    std::optional<Ways> best;
    std::string problem;
    for (uint32_t port : machine.memories[memory].nodes) {
      try {
        const std::vector<uint32_t> in = machine.route(port, node);
        if (best && best->in.size() <= in.size())
          continue;
        const std::vector<uint32_t> out = machine.route(node, port);
        best = {{in.begin(), in.end()}, {out.begin(), out.end()}};
      } catch (const Failure &failure) {
        problem = failure.what();
      }
    }
    if (best)
      return std::move(*best);
    return core.emitOpError("is core ")
           << core.getCore() << ", which no way leads to: " << problem;
  }
};
} // namespace
} // namespace gensyn::mapping
