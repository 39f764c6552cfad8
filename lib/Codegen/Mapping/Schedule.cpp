// Lists the tasks of cores.

#include "SegmentBuilder.h"
#include "Segments.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKSCHEDULEPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

LogicalResult buildPlan(func::FuncOp function, plan::Plan &plan,
                        const codegen::PlanOptions &options) {
  auto launchesOf = [](KernelOp kernel) -> FailureOr<codegen::KernelLaunches> {
    codegen::KernelLaunches launches;
    plan::Launch &launch = launches.launches.emplace_back();
    launch.set_kernel(kernel.getSym().str());
    launch.set_schedule("tasks");
    return launches;
  };
  if (failed(codegen::buildPlan(function, launchesOf, plan, options)))
    return failure();
  // An output may lie where the input does that it replaces.
  if (auto donated =
          function->getParentOfType<ModuleOp>()
              ->getAttrOfType<DenseI64ArrayAttr>(program::kDonatedAttr))
    for (int64_t input : donated.asArrayRef())
      plan.add_donated(int32_t(input));
  return success();
}

namespace {
class TaskSchedule final : public impl::TaskSchedulePassBase<TaskSchedule> {
public:
  using TaskSchedulePassBase::TaskSchedulePassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    SmallVector<KernelOp> kernels;
    plan::Plan plan;
    if (failed(checkKernels(main)) || failed(buildPlan(main, plan)) ||
        failed(findKernels(main, plan, kernels)))
      return signalPassFailure();
    PieceTable pieces(getOperation());
    for (const std::vector<unsigned> &launches : listSegments(plan)) {
      FailureOr<std::vector<LaunchBlock>> blocks =
          listBlocks(plan, kernels, launches);
      if (failed(blocks))
        return signalPassFailure();
      for (const LaunchBlock &block : *blocks)
        if (failed(SegmentBuilder(getOperation(), plan, kernels, pieces)
                       .build(block)))
          return signalPassFailure();
    }
  }

private:
  static LogicalResult checkKernels(func::FuncOp main) {
    WalkResult result = main.walk([](KernelOp kernel) {
      if (kernel->hasAttr(task::kCoresAttr))
        return WalkResult::advance();
      kernel.emitOpError("'" + kernel.getSym() + "' has no '")
          << task::kCoresAttr << "': task-assign sets it";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
} // namespace gensyn::mapping
