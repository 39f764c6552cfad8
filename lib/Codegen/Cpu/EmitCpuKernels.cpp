// A pass that emits the functions of kernels by their schedules, for
// inspection.

#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Codegen/Cpu/Passes.h"
#include "gensyn/Codegen/Schedule/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gensyn-emit-cpu-kernels"

using namespace mlir;

namespace gensyn::cpu {
#define GEN_PASS_DEF_EMITCPUKERNELSPASS
#include "gensyn/Codegen/Cpu/Passes.h.inc"

namespace {
struct EmitCpuKernels final : impl::EmitCpuKernelsPassBase<EmitCpuKernels> {
  using EmitCpuKernelsPassBase::EmitCpuKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *machine = machine::findCpu(target);
    if (!machine) {
      module.emitError("unknown target '") << target << "'";
      return signalPassFailure();
    }
    Schedules only;
    only.push_back(createBaselineSchedule());
    const Schedules &schedules = baseline ? only : getSchedules();
    SmallVector<repro::KernelOp> kernels;
    module.walk([&](repro::KernelOp kernel) { kernels.push_back(kernel); });
    llvm::SetVector<Operation *> holders;
    for (repro::KernelOp kernel : kernels) {
      holders.insert(kernel->getParentOfType<func::FuncOp>());
      auto names =
          emitFunctions(kernel, kernel.getSym(), *machine, schedules, module);
      if (failed(names))
        return signalPassFailure();
      ScheduleChoice choice = chooseSchedule(schedules, kernel, *machine);
      LDBG() << kernel.getSym() << ": " << choice.schedule->getName();
      codegen::remarkSchedule(kernel, choice.schedule->getName(),
                              /*isBaseline=*/choice.schedule ==
                                  schedules.back().get(),
                              codegen::namesBefore(schedules, choice.schedule));
      for (auto [name, launch] : llvm::zip_equal(*names, choice.plan.launches))
        module.lookupSymbol(name)->setAttr(
            kTilesAttr, Builder(module).getI64IntegerAttr(launch.tiles));
    }
    for (Operation *holder : holders)
      holder->erase();
  }
};
} // namespace
} // namespace gensyn::cpu

#undef DEBUG_TYPE
