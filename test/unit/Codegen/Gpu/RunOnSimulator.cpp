#include "RunOnSimulator.h"

#include "gensyn/CheckBits/RunPlan.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Translation/Ptx/Ptx.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::gpu::testing {

std::vector<int> allTargets() {
  std::vector<int> numbers;
  for (const machine::Gpu &gpu : machine::getGpus())
    numbers.push_back(gpu.sm);
  return numbers;
}

Compiled::Compiled(Program &program, int sm, const std::string &schedule,
                   const Schedules *schedules) {
  // A program may come with kernels.
  auto whole = program.getFunction()->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> module =
      whole.walk([](repro::KernelOp) {
             return WalkResult::interrupt();
           }).wasInterrupted()
          ? OwningOpRef<ModuleOp>(cast<ModuleOp>(whole->clone()))
          : program.formKernels();
  if (!module)
    return;
  module->getContext()
      ->loadDialect<arith::ArithDialect, mlir::gpu::GPUDialect,
                    linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  DialectRegistry registry;
  registerTargetDialects(registry);
  module->getContext()->appendDialectRegistry(registry);
  module->getContext()->loadAllAvailableDialects();
  const Target &target = getTarget(*machine::findGpu(sm));
  module->walk([&](repro::KernelOp kernel) {
    if (!schedule.empty())
      kernel.setScheduleAttr(parseAttribute(schedule, module->getContext()));
    ScheduleChoice choice =
        chooseSchedule(schedules ? *schedules : getSchedules(), kernel, target);
    takenBy.push_back(choice.schedule ? choice.schedule->getName().str() : "");
  });
  auto function = *module->getOps<func::FuncOp>().begin();
  results.assign(function.getResultTypes().begin(),
                 function.getResultTypes().end());
  auto compiled = compile(function, target, plan, schedules);
  if (failed(compiled)) {
    ADD_FAILURE() << "does not compile";
    return;
  }
  auto text = ptx::translateToPtx(**compiled, target);
  if (failed(text)) {
    ADD_FAILURE() << "is not PTX";
    return;
  }
  ptx = *text;
}

std::vector<Tensor> Compiled::run(const std::vector<Tensor> &inputs) {
  if (ptx.empty())
    return {};
  auto module = ptx::Module::parse(ptx);
  if (!module) {
    ADD_FAILURE() << "line " << module.error().line << ": "
                  << module.error().message;
    return {};
  }
  std::vector<Tensor> outputs;
  for (Type type : results) {
    auto tensor = cast<RankedTensorType>(type);
    outputs.emplace_back(*repro::getElementType(tensor.getElementType()),
                         std::vector<int64_t>(tensor.getShape()));
  }
  FloatEnvironment environment;
  auto positions = checkbits::runOnPtxSim(plan, *module, inputs, outputs,
                                          /*findRaces=*/true);
  if (!positions) {
    ADD_FAILURE() << llvm::toString(positions.takeError());
    return {};
  }
  faults = checkbits::faultsOf(*positions);
  return outputs;
}

void expectBits(Program &program, Compiled &compiled,
                const std::vector<Tensor> &inputs) {
  std::vector<Tensor> expected = program.interpret(inputs);
  std::vector<Tensor> actual = compiled.run(inputs);
  ASSERT_EQ(actual.size(), expected.size());
  EXPECT_EQ(compiled.faults, program.faults);
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(firstDifference(expected[i], actual[i]), "") << "result " << i;
}

} // namespace gensyn::gpu::testing
