// See PoisonedRun.h.

#include "gensyn/Runtime/Devices/PoisonedRun.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstring>

namespace gensyn::runtime {

std::vector<uint64_t>
runPoisoned(const plan::Plan &plan, std::span<const Tensor> inputs,
            std::span<Tensor> outputs,
            const std::function<void(int, std::span<const Place>, FaultWords &)>
                &launch) {
  PlanMemory memory(plan);
  memory.fillPrepared(0x99);
  std::vector<const Tensor *> operands;
  for (const Tensor &input : inputs)
    operands.push_back(&input);
  auto run = [&](bool prepares) {
    memory.fillArena(0xA5);
    for (Tensor &output : outputs)
      std::fill_n(reinterpret_cast<uint8_t *>(output.data()), output.byteSize(),
                  0xC3);
    FaultWords faults(plan);
    std::vector<Place> places = memory.place(plan, operands, outputs, faults);
    runSteps(
        plan, places, faults,
        [&](int number) { launch(number, places, faults); }, prepares);
    return faults.getPositions();
  };
  std::vector<uint64_t> positions = run(/*prepares=*/true);
  // A run keeps prepared values, and needs nothing else of one before it.
  return hasPreparation(plan) ? run(/*prepares=*/false) : positions;
}

std::vector<uint64_t> runPoisoned(const plan::Plan &plan,
                                  const SharedObject &code,
                                  std::span<const Tensor> inputs,
                                  std::span<Tensor> outputs, int64_t pieces) {
  using Kernel = void (*)(uint8_t *const *, uint8_t *, int64_t, int64_t);
  return runPoisoned(
      plan, inputs, outputs,
      [&](int index, std::span<const Place> places, FaultWords &) {
        const plan::Launch &launch = plan.launches(index);
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

} // namespace gensyn::runtime
