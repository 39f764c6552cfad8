// Finds blocks of kernels that repeat.

#include "Repetitions.h"
#include "Segments.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKREPEATPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {
class TaskRepeat final : public impl::TaskRepeatPassBase<TaskRepeat> {
public:
  using TaskRepeatPassBase::TaskRepeatPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    SmallVector<KernelOp> kernels;
    plan::Plan plan;
    if (failed(buildPlan(main, plan)) ||
        failed(findKernels(main, plan, kernels)))
      return signalPassFailure();
    // Those that were given by hand stay, and are not mixed with others.
    if (llvm::any_of(kernels, [](KernelOp kernel) {
          return kernel->hasAttr(task::kRepetitionAttr);
        }))
      return;
    Builder builder(&getContext());
    int32_t number = 0;
    for (const std::vector<unsigned> &launches : listSegments(plan))
      for (const LaunchBlock &block :
           RepetitionFinder(plan, kernels, launches).find(least)) {
        int32_t repetition = 0;
        auto mark = [&](ArrayRef<unsigned> all) {
          for (unsigned launch : all)
            kernels[launch]->setAttr(
                task::kRepetitionAttr,
                builder.getDenseI32ArrayAttr({number, repetition}));
          ++repetition;
        };
        mark(block.launches);
        for (const std::vector<unsigned> &other : block.others)
          mark(other);
        ++number;
      }
  }
};
} // namespace
} // namespace gensyn::mapping
