// Cuts each kernel into parts for cores.

#include "Cost.h"
#include "KindSearch.h"
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
    llvm::StringMap<PartChoice> known;
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
            chooseParts(kernel, *described, costs, share ? share.getInt() : 1,
                        {fitsTwice, choosesTiles});
      }
      const PartChoice &choice = found->second;
      kernel->setAttr(task::kPartsAttr,
                      builder.getDenseI64ArrayAttr(choice.sizes));
      SmallVector<int32_t> kinds;
      for (task::KindParts own : choice.kinds)
        kinds.append({int32_t(own.kind), int32_t(own.parts)});
      if (!kinds.empty())
        kernel->setAttr(task::kKindsAttr, builder.getDenseI32ArrayAttr(kinds));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace gensyn::mapping
