// Runs a plan for comparisons of bits, in this thread and over memory with
// patterns that no correct program reads.

#ifndef GENSYN_RUNTIME_DEVICES_POISONEDRUN_H
#define GENSYN_RUNTIME_DEVICES_POISONEDRUN_H

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Runtime/Devices/SharedObject.h"

namespace gensyn::runtime {

/// Runs the steps of `plan` and returns the positions of its fault slots (g7).
/// `outputs` must have the right sizes; their contents are overwritten.
/// `launch` runs the launch of a number on buffers at these addresses. Throws a
/// Failure.
std::vector<uint64_t>
runPoisoned(const plan::Plan &plan, std::span<const Tensor> inputs,
            std::span<Tensor> outputs,
            const std::function<void(int, std::span<const Place>, FaultWords &)>
                &launch);

/// The same of kernels in machine code. The tiles of a launch are split into
/// `pieces` ranges, run last to first, which exposes a tile that reads the
/// output of another.
std::vector<uint64_t> runPoisoned(const plan::Plan &plan,
                                  const SharedObject &code,
                                  std::span<const Tensor> inputs,
                                  std::span<Tensor> outputs, int64_t pieces);

} // namespace gensyn::runtime

#endif
