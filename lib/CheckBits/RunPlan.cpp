// Runs plans in this process and returns errors instead of throwing them.

#include "gensyn/CheckBits/RunPlan.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/PoisonedRun.h"
#include "gensyn/Runtime/Devices/PtxLaunch.h"

#include "llvm/ADT/STLExtras.h"

namespace gensyn::checkbits {

template <class F>
static auto caught(F &&run) -> llvm::Expected<decltype(run())> {
  try {
    return run();
  } catch (const Failure &failure) {
    return llvm::createStringError(failure.what());
  }
}

llvm::Expected<runtime::SharedObject> loadCode(llvm::StringRef object) {
  return caught(
      [&] { return runtime::SharedObject(std::string_view(object)); });
}

llvm::Expected<std::vector<uint64_t>>
runOnCpu(const plan::Plan &plan, const runtime::SharedObject &code,
         llvm::ArrayRef<Tensor> inputs, llvm::MutableArrayRef<Tensor> outputs,
         int64_t pieces) {
  return caught([&] {
    return runtime::runPoisoned(plan, code, inputs, outputs, pieces);
  });
}

llvm::Expected<std::vector<uint64_t>>
runOnPtxSim(const plan::Plan &plan, const ptx::Module &code,
            llvm::ArrayRef<Tensor> inputs,
            llvm::MutableArrayRef<Tensor> outputs, bool findRaces) {
  return caught([&] {
    return runtime::runPoisoned(
        plan, inputs, outputs,
        [&](int number, std::span<const Place> places, FaultWords &) {
          const plan::Launch &source = plan.launches(number);
          runtime::PtxLaunch prepared(source, places);
          prepared.launch.findRaces = findRaces;
          if (auto fault = code.launch(prepared.launch, prepared.memory))
            failBadInput("kernel " + source.kernel() + ": " + fault->message);
        });
  });
}

llvm::Expected<std::unique_ptr<runtime::MachineRun>>
loadOnMachine(const plan::Executable &executable) {
  return caught([&] {
    return std::make_unique<runtime::MachineRun>(executable, executable.code(0),
                                                 /*isPackaged=*/false);
  });
}

llvm::Expected<std::vector<uint64_t>>
runOnMachine(const plan::Plan &plan, runtime::MachineRun &program,
             llvm::ArrayRef<Tensor> inputs,
             llvm::MutableArrayRef<Tensor> outputs) {
  return caught([&] {
    return runtime::runPoisoned(
        plan, inputs, outputs,
        [&](int number, std::span<const Place> places, FaultWords &faults) {
          program.launch(number, places, faults);
        });
  });
}

llvm::Error findGpu(llvm::StringRef architecture) {
  auto found = caught([] { return runtime::cudaArchitectures(0); });
  if (!found)
    return found.takeError();
  if (!llvm::is_contained(*found, architecture))
    return llvm::createStringError("GPU 0 does not run PTX for '" +
                                   architecture + "'");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<cuda::CudaRun>>
loadOnGpu(std::shared_ptr<const plan::Executable> executable) {
  return caught(
      [&] { return std::make_unique<cuda::CudaRun>(std::move(executable)); });
}

llvm::Expected<std::vector<uint64_t>>
runOnGpu(cuda::CudaRun &program, llvm::ArrayRef<Tensor> inputs,
         llvm::MutableArrayRef<Tensor> outputs) {
  return caught([&] { return program.run(inputs, outputs); });
}

std::vector<uint64_t> faultsOf(std::vector<uint64_t> positions) {
  std::erase(positions, kNoFault);
  llvm::sort(positions);
  return positions;
}

} // namespace gensyn::checkbits
