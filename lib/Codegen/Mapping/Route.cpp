// Gives copies their ways through the network.

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

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
    auto memories =
        getOperation()->getAttrOfType<DenseI32ArrayAttr>(task::kMemoriesAttr);
    if (!memories) {
      getOperation().emitOpError("has no '")
          << task::kMemoriesAttr << "': task-place sets it";
      return signalPassFailure();
    }
    WalkResult result = getOperation().walk([&](task::CoreOp core) {
      return route(core, memories.asArrayRef(), *described);
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    getOperation()->setAttr(task::kMachineAttr,
                            StringAttr::get(&getContext(), machine));
  }

private:
  struct Ways {
    DenseI32ArrayAttr in, out; ///< links
  };

  static WalkResult route(task::CoreOp core, ArrayRef<int32_t> memories,
                          const machine::Description &machine) {
    const auto none = DenseI32ArrayAttr::get(core.getContext(), {});
    std::map<int32_t, Ways> known;
    auto waysTo = [&](uint32_t buffer) -> FailureOr<Ways> {
      if (buffer >= memories.size())
        return core.emitOpError("copies buffer ")
               << buffer << " of " << memories.size();
      auto [found, isNew] = known.try_emplace(memories[buffer]);
      if (isNew) {
        FailureOr<Ways> ways =
            findWays(core, uint32_t(memories[buffer]), machine);
        if (failed(ways))
          return failure();
        found->second = *ways;
      }
      return found->second;
    };
    for (Operation &op : core.getBody().front()) {
      auto fetch = dyn_cast<task::FetchOp>(op);
      auto store = dyn_cast<task::StoreOp>(op);
      if (auto compute = dyn_cast<task::ComputeOp>(op);
          compute && !compute.getInPlace().empty()) {
        SmallVector<Attribute> paths;
        const size_t operands = countOperands(compute);
        for (auto [argument, buffer] : llvm::enumerate(compute.getInPlace())) {
          FailureOr<Ways> ways = Ways{none, none};
          if (buffer >= 0)
            ways = waysTo(uint32_t(buffer));
          if (failed(ways))
            return WalkResult::interrupt();
          paths.push_back(argument < operands ? ways->in : ways->out);
        }
        compute.setPathsAttr(ArrayAttr::get(op.getContext(), paths));
      }
      if (!fetch && !store)
        continue;
      FailureOr<Ways> ways =
          waysTo(fetch ? fetch.getShared() : store.getShared());
      if (failed(ways))
        return WalkResult::interrupt();
      if (fetch)
        fetch.setPathAttr(ways->in);
      else
        store.setPathAttr(ways->out);
    }
    return WalkResult::advance();
  }

  static size_t countOperands(task::ComputeOp compute) {
    auto piece = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        compute->getParentOfType<ModuleOp>(), compute.getPieceAttr());
    return piece ? piece.getNumArguments() : compute.getInPlace().size();
  }

  /// The shortest ways between a core and a port of a memory.
  static FailureOr<Ways> findWays(task::CoreOp core, uint32_t memory,
                                  const machine::Description &machine) {
    const uint32_t node = machine.cores[core.getCore()].node;
    std::optional<std::pair<std::vector<uint32_t>, std::vector<uint32_t>>> best;
    std::string problem;
    for (uint32_t port : machine.memories[memory].nodes) {
      try {
        std::vector<uint32_t> in = machine.route(port, node);
        if (best && best->first.size() <= in.size())
          continue;
        best = {std::move(in), machine.route(node, port)};
      } catch (const Failure &failure) {
        problem = failure.what();
      }
    }
    if (!best)
      return core.emitOpError("is core ")
             << core.getCore() << ", which no way leads to: " << problem;
    Builder builder(core.getContext());
    auto list = [&](ArrayRef<uint32_t> links) {
      return builder.getDenseI32ArrayAttr(
          SmallVector<int32_t>(links.begin(), links.end()));
    };
    return Ways{list(best->first), list(best->second)};
  }
};
} // namespace
} // namespace gensyn::mapping
