// A pass that gives kernels the schedules of a file.

#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Codegen/Schedule/Alternatives.h"

using namespace mlir;

namespace gensyn::gpu {
#define GEN_PASS_DEF_CHOOSEGPUSCHEDULESPASS
#include "gensyn/Codegen/Gpu/Passes.h.inc"

namespace {
struct ChooseGpuSchedules final
    : impl::ChooseGpuSchedulesPassBase<ChooseGpuSchedules> {
  using ChooseGpuSchedulesPassBase::ChooseGpuSchedulesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const machine::Gpu *gpu = machine::findGpu(sm);
    if (!gpu) {
      module.emitError("no GPU generation is called 'sm_")
          << int64_t(sm) << "', known are " << machine::describeGpus();
      return signalPassFailure();
    }
    const auto chosen = codegen::readSchedules(
        schedules, "ptx:sm_" + std::to_string(sm), module);
    if (failed(chosen))
      return signalPassFailure();
    codegen::setSchedules(
        module,
        codegen::listScheduledKernels(module, getSchedules(), getTarget(*gpu)),
        *chosen);
  }
};
} // namespace
} // namespace gensyn::gpu
