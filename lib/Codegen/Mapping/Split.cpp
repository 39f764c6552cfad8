// Cuts each kernel into parts for cores.

#include "Cost.h"
#include "PartSearch.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKSPLITPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

class TaskSplit final : public impl::TaskSplitPassBase<TaskSplit> {
public:
  using TaskSplitPassBase::TaskSplitPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    Builder builder(&getContext());
    llvm::StringMap<SmallVector<int64_t>> known;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      if (kernel->hasAttr(task::kPartsAttr))
        return WalkResult::advance();
      auto [found, isNew] = known.try_emplace(codegen::printKernel(kernel));
      if (isNew) {
        PieceCosts costs(kernel, *described);
        if (costs.getCores().empty()) {
          reportMissing(kernel, costs, described->name);
          return WalkResult::interrupt();
        }
        auto share = kernel->getAttrOfType<IntegerAttr>(task::kShareAttr);
        found->second =
            PartSearch(kernel, *described, costs, share ? share.getInt() : 1,
                       {fitsTwice, choosesTiles})
                .run();
      }
      kernel->setAttr(task::kPartsAttr,
                      builder.getDenseI64ArrayAttr(found->second));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace gensyn::mapping
