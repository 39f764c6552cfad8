// The schedule of contracted rows: attention without a matrix of scores.

#include "OperandLimits.h"
#include "StripEmitter.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

class ContractedRowsSchedule final : public Schedule {
public:
  StringRef getName() const override { return "contracted-rows"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (kernel.getScheduleAttr() ||
        repro::getKernelForm(kernel).kind != repro::KernelKind::ContractedRows)
      return std::nullopt;
    const StripLaunches strips(kernel, target);
    if (!strips.isSupported())
      return std::nullopt;
    KernelPlan plan;
    plan.workspaces = strips.workspaces;
    if (strips.hasMasks()) {
      LaunchPlan &limits = plan.launches.emplace_back();
      limits.suffix = "limits";
      limits.grid[0] = OperandLimits::kBlocks;
      limits.block[0] = OperandLimits::kThreads;
      limits.sharedBytes = OperandLimits::kSharedBytes;
    }
    for (const StripLayout &layout : strips.launches) {
      LaunchPlan &launch = plan.launches.emplace_back();
      if (strips.hasMasks() || strips.launches.size() > 1)
        launch.suffix = layout.side == StripSide::Rows ? "rows" : "columns";
      launch.grid[0] = layout.blocks();
      launch.block[0] = StripLayout::kThreads;
      launch.sharedBytes = layout.sharedBytes;
    }
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    const StripLaunches strips(kernel, target);
    if (strips.hasMasks() && launch == 0) {
      KernelBuilder k(builder, kernel.getLoc(), function.function, target);
      OperandLimits::emit(k, strips.listOperands(), function,
                          function.workspaces.front());
      return success();
    }
    launch -= strips.hasMasks();
    return StripEmitter(kernel, strips.form, strips.launches[launch], target,
                        function, builder)
        .emit();
  }
};

} // namespace

/// Accepts kernels of the form ContractedRows whose orders fit the tiles:
/// rows in 16 to 128 lanes, and blocks of whole tiles.
std::unique_ptr<Schedule> createContractedRowsSchedule() {
  return std::make_unique<ContractedRowsSchedule>();
}

} // namespace gensyn::gpu
