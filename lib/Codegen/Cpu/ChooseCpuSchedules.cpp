// A pass that gives kernels the schedules of a file.

#include "gensyn/Codegen/Cpu/Passes.h"
#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Schedule/Alternatives.h"

using namespace mlir;

namespace gensyn::cpu {
#define GEN_PASS_DEF_CHOOSECPUSCHEDULESPASS
#include "gensyn/Codegen/Cpu/Passes.h.inc"

namespace {
struct ChooseCpuSchedules final
    : impl::ChooseCpuSchedulesPassBase<ChooseCpuSchedules> {
  using ChooseCpuSchedulesPassBase::ChooseCpuSchedulesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *machine = machine::findCpu(target);
    if (!machine) {
      module.emitError("unknown target '") << target << "'";
      return signalPassFailure();
    }
    const auto chosen =
        codegen::readSchedules(schedules, "cpu:" + target, module);
    if (failed(chosen))
      return signalPassFailure();
    codegen::setSchedules(
        module, codegen::listScheduledKernels(module, getSchedules(), *machine),
        *chosen);
  }
};
} // namespace
} // namespace gensyn::cpu
