// Cuts parts into tiles that fit into a core's memory.

#include "KeptWeights.h"
#include "Search/Followers.h"
#include "Search/TileSearch.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKTILEPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {
/// How often tiles are made smaller because some did not fit.
constexpr int kMostRounds = 32;

class TaskTile final : public impl::TaskTilePassBase<TaskTile> {
public:
  using TaskTilePassBase::TaskTilePassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    limitCoreMemories(*described, tileMemory);
    Builder builder(&getContext());
    std::map<bool, llvm::StringMap<TileChoice>> known;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      const std::string text = codegen::printKernel(kernel);
      // Blocks that repeat are equal, also the last one.
      const bool delays = delaysCopies(kernel) || known[true].contains(text);
      auto [found, isNew] = known[delays].try_emplace(text);
      if (isNew && failed(find(kernel, *described, delays, found->second)))
        return WalkResult::interrupt();
      if (found->second.isWhole)
        kernel->setAttr(task::kPartsAttr,
                        builder.getDenseI64ArrayAttr(found->second.sizes));
      kernel->setAttr(task::kTilesAttr,
                      builder.getDenseI64ArrayAttr(found->second.sizes));
      kernel->setAttr(task::kOrderAttr,
                      builder.getDenseI64ArrayAttr(found->second.order));
      kernel->setAttr(task::kInPlaceAttr,
                      builder.getDenseBoolArrayAttr(found->second.inPlace));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult find(KernelOp kernel, const machine::Description &machine,
                     bool delays, TileChoice &result) const {
    PieceCosts costs(kernel, machine);
    if (costs.getCores().empty()) {
      reportMissing(kernel, costs, machine.name);
      return failure();
    }
    SmallVector<int64_t> parts;
    if (auto given = kernel->getAttrOfType<DenseI64ArrayAttr>(task::kPartsAttr))
      parts.assign(given.asArrayRef().begin(), given.asArrayRef().end());
    else
      for (const IndexRange &range : getWholePiece(kernel))
        parts.push_back(std::max<int64_t>(range.size, 1));
    TileSearch search(
        kernel, machine, costs, parts, int64_t(costs.getCores().size()),
        {fitsTwice, choosesTiles, delays, delays ? 1 : shareOf(kernel)});
    search.startFromKernel();
    std::optional<TileChoice> choice = search.run();
    for (int round = 0; round < kMostRounds && choice && search.addTooLarge();
         ++round)
      choice = search.run();
    if (!choice)
      return kernel.emitOpError("'" + kernel.getSym() +
                                "': the smallest piece needs ")
             << search.getBytes()
             << " bytes in the memory of a core, which has "
             << costs.getMemory();
    result = std::move(*choice);
    return success();
  }
};

} // namespace
} // namespace gensyn::mapping
