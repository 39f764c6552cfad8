// Allocates the buffers of a plan and runs its launches one after another.

#include "gensyn/CheckBits/RunPlan.h"

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Devices/PtxLaunch.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace gensyn::checkbits {

static llvm::Error failed(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

llvm::Expected<runtime::SharedObject> loadCode(llvm::StringRef object) {
  try {
    return runtime::SharedObject(std::string_view(object));
  } catch (const Failure &failure) {
    return failed(failure.what());
  }
}

/// Runs the steps of `plan`. `launch` runs one launch on buffers at these
/// addresses, and throws a Failure.
static llvm::Expected<std::vector<uint64_t>>
runPlan(const plan::Plan &plan, llvm::ArrayRef<Tensor> inputs,
        llvm::MutableArrayRef<Tensor> outputs,
        llvm::function_ref<void(const plan::Launch &, llvm::ArrayRef<Place>)>
            launch) {
  try {
    // Poison patterns that no correct program reads.
    PlanMemory memory(plan);
    memory.fillArena(0xA5);
    for (Tensor &output : outputs)
      std::fill_n(reinterpret_cast<uint8_t *>(output.data()), output.byteSize(),
                  0xC3);
    std::vector<const Tensor *> operands;
    for (const Tensor &input : inputs)
      operands.push_back(&input);
    FaultWords faults(plan);
    std::vector<Place> places = memory.place(plan, operands, outputs, faults);
    runSteps(plan, places, faults,
             [&](int number) { launch(plan.launches(number), places); });
    return faults.getPositions();
  } catch (const Failure &failure) {
    return failed(failure.what());
  }
}

llvm::Expected<std::vector<uint64_t>>
runOnCpu(const plan::Plan &plan, const runtime::SharedObject &code,
         llvm::ArrayRef<Tensor> inputs, llvm::MutableArrayRef<Tensor> outputs,
         int64_t pieces) {
  using Kernel = void (*)(uint8_t *const *, uint8_t *, int64_t, int64_t);
  return runPlan(
      plan, inputs, outputs,
      [&](const plan::Launch &launch, llvm::ArrayRef<Place> places) {
        auto kernel = reinterpret_cast<Kernel>(code.find(launch.kernel()));
        if (!kernel)
          failBadInput("there is no kernel " + launch.kernel());
        std::vector<uint8_t *> buffers;
        for (uint32_t number : launch.buffers())
          buffers.push_back(places[number].begin);
        auto scratch = allocateAligned(launch.scratch_bytes());
        std::memset(scratch.get(), 0x5A, launch.scratch_bytes());
        const int64_t tiles = launch.tiles();
        for (int64_t piece = pieces; piece-- > 0;)
          kernel(buffers.data(), scratch.get(), tiles * piece / pieces,
                 tiles * (piece + 1) / pieces);
      });
}

llvm::Expected<std::vector<uint64_t>>
runOnPtxSim(const plan::Plan &plan, const ptx::Module &code,
            llvm::ArrayRef<Tensor> inputs,
            llvm::MutableArrayRef<Tensor> outputs, bool findRaces) {
  return runPlan(
      plan, inputs, outputs,
      [&](const plan::Launch &source, llvm::ArrayRef<Place> places) {
        runtime::PtxLaunch prepared(source, places);
        prepared.launch.findRaces = findRaces;
        if (auto fault = code.launch(prepared.launch, prepared.memory))
          failBadInput("kernel " + source.kernel() + ": " + fault->message);
      });
}

std::vector<uint64_t> faultsOf(std::vector<uint64_t> positions) {
  std::erase(positions, kNoFault);
  llvm::sort(positions);
  return positions;
}

} // namespace gensyn::checkbits
