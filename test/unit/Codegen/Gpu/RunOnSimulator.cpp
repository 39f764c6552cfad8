#include "RunOnSimulator.h"

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Translation/Ptx/Ptx.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace mlir;

namespace gensyn::gpu::testing {

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
                    memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  const Target target{sm};
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
  auto text = ptx::translateToPtx(
      **compiled, *ptx::parseGpuTarget("sm_" + std::to_string(sm)));
  if (failed(text)) {
    ADD_FAILURE() << "is no PTX";
    return;
  }
  ptx = *text;
}

namespace {
/// Runs the launches of a plan one after another.
class Runner {
public:
  Runner(const plan::Plan &plan, const ptx::Module &module)
      : plan(plan), module(module) {}

  std::vector<uint64_t> run(std::vector<Tensor> &inputs,
                            std::vector<Tensor> &outputs, std::string &error) {
    runtime::FaultWords words(plan);
    std::vector<uint8_t> memory(plan.arena_bytes() + 64, 0xA5);
    uint8_t *arena = reinterpret_cast<uint8_t *>(
        (reinterpret_cast<uintptr_t>(memory.data()) + 63) / 64 * 64);
    std::vector<runtime::Place> places;
    auto add = [&](const void *begin, uint64_t bytes, bool writable) {
      places.push_back(
          {static_cast<uint8_t *>(const_cast<void *>(begin)), bytes, writable});
    };
    for (const plan::Buffer &buffer : plan.buffers())
      switch (buffer.place_case()) {
      case plan::Buffer::kInput:
        add(inputs[buffer.input()].data(), buffer.bytes(), false);
        break;
      case plan::Buffer::kOutput:
        add(outputs[buffer.output()].data(), buffer.bytes(), true);
        break;
      case plan::Buffer::kConstant:
        add(plan.constants(static_cast<int>(buffer.constant())).data(),
            buffer.bytes(), false);
        break;
      case plan::Buffer::kFault:
        add(words.word(buffer.fault()), buffer.bytes(), true);
        break;
      default:
        add(arena + buffer.arena(), buffer.bytes(), true);
      }
    runtime::runSteps(plan, places, words, [&](int number) {
      if (error.empty())
        error = launch(plan.launches(number), places);
    });
    std::vector<uint64_t> faults = words.getPositions();
    std::erase(faults, ~uint64_t{0});
    std::sort(faults.begin(), faults.end());
    return faults;
  }

private:
  template <class Extents>
  static ptx::Dimensions toDimensions(const Extents &e) {
    return {e.size() > 0 ? e[0] : 1, e.size() > 1 ? e[1] : 1,
            e.size() > 2 ? e[2] : 1};
  }

  std::string launch(const plan::Launch &source,
                     const std::vector<runtime::Place> &places) {
    ptx::Memory memory;
    std::vector<uint64_t> addresses;
    std::set<const uint8_t *> added;
    for (uint32_t index : source.buffers()) {
      const runtime::Place &place = places[index];
      addresses.push_back(reinterpret_cast<uint64_t>(place.begin));
      if (place.bytes == 0 || !added.insert(place.begin).second)
        continue;
      if (place.writable)
        memory.add(place.begin, place.bytes);
      else
        memory.addReadOnly(place.begin, place.bytes);
    }
    ptx::Launch launch;
    launch.kernel = source.kernel();
    launch.grid = toDimensions(source.grid());
    launch.block = toDimensions(source.block());
    launch.dynamicSharedBytes = source.shared_bytes();
    launch.parameters = std::as_bytes(std::span(addresses));
    launch.findRaces = true;
    auto fault = module.launch(launch, memory);
    return fault ? source.kernel() + ": " + fault->message : "";
  }

  const plan::Plan &plan;
  const ptx::Module &module;
};
} // namespace

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
    std::memset(outputs.back().data(), 0xC3,
                static_cast<size_t>(outputs.back().byteSize()));
  }
  FloatEnvironment environment;
  std::vector<Tensor> copies = inputs;
  std::string error;
  faults = Runner(plan, *module).run(copies, outputs, error);
  if (!error.empty()) {
    ADD_FAILURE() << error;
    return {};
  }
  return outputs;
}

} // namespace gensyn::gpu::testing
