// Cuts parts into tiles that fit into a core's memory.

#include "TileSearch.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKTILEPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

class TaskTile final : public impl::TaskTilePassBase<TaskTile> {
public:
  using TaskTilePassBase::TaskTilePassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    Builder builder(&getContext());
    llvm::StringMap<TileChoice> known;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      auto [found, isNew] = known.try_emplace(codegen::printKernel(kernel));
      if (isNew) {
        FailureOr<TileChoice> made = TileSearch(kernel, *described).run();
        if (failed(made))
          return WalkResult::interrupt();
        found->second = *made;
      }
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
};

} // namespace
} // namespace gensyn::mapping
