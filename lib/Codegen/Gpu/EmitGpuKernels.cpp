// The pass gensyn-emit-gpu-kernels: emits all kernels by their schedules.

#include "EmitKernel.h"
#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Schedule/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gensyn-emit-gpu-kernels"

using namespace mlir;

namespace gensyn::gpu {
#define GEN_PASS_DEF_EMITGPUKERNELSPASS
#include "gensyn/Codegen/Gpu/Passes.h.inc"

namespace {
struct EmitGpuKernels final : impl::EmitGpuKernelsPassBase<EmitGpuKernels> {
  using EmitGpuKernelsPassBase::EmitGpuKernelsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    EmitGpuKernelsPassBase::getDependentDialects(registry);
    registerTargetDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const machine::Gpu *gpu = machine::findGpu(sm);
    if (!gpu) {
      module.emitError("no GPU generation is called 'sm_")
          << int64_t(sm) << "', known are " << machine::describeGpus();
      return signalPassFailure();
    }
    const Target &target = getTarget(*gpu);
    const Schedules none;
    SmallVector<repro::KernelOp> kernels;
    module.walk([&](repro::KernelOp kernel) { kernels.push_back(kernel); });
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto entries =
        mlir::gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    llvm::SetVector<Operation *> holders;
    for (repro::KernelOp kernel : kernels) {
      holders.insert(kernel->getParentOfType<func::FuncOp>());
      const Schedules &schedules = baseline ? none : getSchedules();
      ScheduleChoice choice = chooseSchedule(schedules, kernel, target);
      const StringRef name =
          choice.schedule ? choice.schedule->getName() : "baseline";
      LDBG() << kernel.getSym() << ": " << name;
      codegen::remarkSchedule(kernel, name, /*isBaseline=*/!choice.schedule,
                              codegen::namesBefore(schedules, choice.schedule),
                              [&] {
                                return codegen::explainRefusals(
                                    schedules, choice.schedule, kernel, target);
                              });
      if (failed(emitKernel(kernel, kernel.getSym(), choice, target, module,
                            entries)))
        return signalPassFailure();
      for (const LaunchPlan &launch : choice.plan.launches)
        describe(kernel, choice, launch, entries, builder);
    }
    for (Operation *holder : holders)
      holder->erase();
  }

private:
  /// Records the schedule of an entry and its launch as attributes.
  static void describe(repro::KernelOp kernel, const ScheduleChoice &choice,
                       const LaunchPlan &launch, mlir::gpu::GPUModuleOp entries,
                       OpBuilder &builder) {
    Operation *entry = entries.lookupSymbol(
        codegen::nameFunction(kernel.getSym(), launch.suffix));
    if (!entry)
      return;
    entry->setAttr("gensyn.schedule",
                   builder.getStringAttr(choice.schedule->getName()));
    entry->setAttr("gensyn.grid", builder.getDenseI64ArrayAttr(launch.grid));
    if (launch.sharedBytes > 0)
      entry->setAttr("gensyn.shared",
                     builder.getI64IntegerAttr(launch.sharedBytes));
  }
};
} // namespace
} // namespace gensyn::gpu

#undef DEBUG_TYPE
