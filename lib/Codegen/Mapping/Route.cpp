// Gives copies their ways through the network.

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKROUTEPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// The ways of multicasts: trees of shortest ways.
class Trees {
public:
  explicit Trees(const machine::Description &machine) : machine(machine) {}

  LogicalResult route(task::SegmentOp segment, ArrayRef<int32_t> memories) {
    std::map<uint32_t, std::vector<uint32_t>> nodes; // by number
    for (auto core : segment.getBody().getOps<task::CoreOp>())
      for (auto buffer : core.getBody().getOps<task::BufferOp>())
        if (std::optional<uint32_t> number = buffer.getMulticast())
          if (std::vector<uint32_t> &own = nodes[*number];
              own.empty() || own.back() != machine.cores[core.getCore()].node)
            own.push_back(machine.cores[core.getCore()].node);
    for (auto core : segment.getBody().getOps<task::CoreOp>())
      for (auto multicast : core.getBody().getOps<task::MulticastOp>()) {
        if (multicast.getShared() >= memories.size())
          return multicast.emitOpError("copies buffer ")
                 << multicast.getShared() << " of " << memories.size();
        const uint32_t memory = uint32_t(memories[multicast.getShared()]);
        try {
          multicast.setPath(find(memory, nodes[multicast.getNumber()]));
        } catch (const Failure &failure) {
          return multicast.emitOpError("has no way to all of its cores: ")
                 << failure.what();
        }
      }
    return success();
  }

private:
  /// From the port that is nearest to the first of the nodes.
  ArrayRef<int32_t> find(uint32_t memory, const std::vector<uint32_t> &nodes) {
    auto [found, isNew] = known.try_emplace({memory, nodes});
    if (!isNew)
      return found->second;
    const uint32_t root =
        machine.findNearest(machine.memories[memory].nodes, nodes.front());
    llvm::DenseSet<uint32_t> reached = {root};
    for (uint32_t node : nodes) {
      const std::vector<uint32_t> links = machine.route(root, node);
      // Ways that part may meet again: only what is after that is new.
      size_t next = links.size();
      while (next > 0 &&
             !reached.contains(machine.network.links[links[next - 1]].to))
        --next;
      for (uint32_t link : ArrayRef(links).drop_front(next)) {
        found->second.push_back(int32_t(link));
        reached.insert(machine.network.links[link].to);
      }
    }
    return found->second;
  }

  const machine::Description &machine;
  /// Links by memory and nodes.
  std::map<std::pair<uint32_t, std::vector<uint32_t>>, SmallVector<int32_t>>
      known;
};

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
    KnownWays known;
    WalkResult result = getOperation().walk([&](task::CoreOp core) {
      return route(core, memories.asArrayRef(), *described, known);
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    Trees trees(*described);
    for (auto segment : getOperation().getOps<task::SegmentOp>())
      if (failed(trees.route(segment, memories.asArrayRef())))
        return signalPassFailure();
    getOperation()->setAttr(task::kMachineAttr,
                            StringAttr::get(&getContext(), machine));
  }

private:
  struct Ways {
    DenseI32ArrayAttr in, out; ///< links
  };
  /// By node and memory.
  using KnownWays = std::map<std::pair<uint32_t, int32_t>, Ways>;

  static WalkResult route(task::CoreOp core, ArrayRef<int32_t> memories,
                          const machine::Description &machine,
                          KnownWays &known) {
    const auto none = DenseI32ArrayAttr::get(core.getContext(), {});
    if (core.getCore() >= machine.cores.size())
      return core.emitOpError("is core ")
             << core.getCore() << " of " << machine.name << ", which has "
             << machine.cores.size();
    const uint32_t node = machine.cores[core.getCore()].node;
    auto waysTo = [&](uint32_t buffer) -> FailureOr<Ways> {
      if (buffer >= memories.size())
        return core.emitOpError("copies buffer ")
               << buffer << " of " << memories.size();
      auto [found, isNew] = known.try_emplace({node, memories[buffer]});
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
      if (auto resident = dyn_cast<task::ResidentOp>(op)) {
        FailureOr<Ways> ways = waysTo(resident.getShared());
        if (failed(ways))
          return WalkResult::interrupt();
        resident.setPathAttr(ways->in);
      }
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
    std::vector<uint32_t> in, out;
    try {
      const uint32_t port =
          machine.findNearest(machine.memories[memory].nodes, node);
      in = machine.route(port, node);
      out = machine.route(node, port);
    } catch (const Failure &failure) {
      return core.emitOpError("is core ")
             << core.getCore() << ", which no way leads to: " << failure.what();
    }
    Builder builder(core.getContext());
    auto list = [&](ArrayRef<uint32_t> links) {
      return builder.getDenseI32ArrayAttr(
          SmallVector<int32_t>(links.begin(), links.end()));
    };
    return Ways{list(in), list(out)};
  }
};
} // namespace
} // namespace gensyn::mapping
