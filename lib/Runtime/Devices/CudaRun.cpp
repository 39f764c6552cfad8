// See CudaRun.h.

#include "gensyn/Runtime/Devices/CudaRun.h"

#include "CudaProgram.h"
#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/plan.pb.h"

namespace gensyn::cuda {

/// One context for all: making one takes longer than most programs.
static const std::shared_ptr<DeviceContext> &getContext() {
  static const auto context = std::make_shared<DeviceContext>(0);
  return context;
}

CudaRun::CudaRun(std::shared_ptr<const plan::Executable> executable)
    : program(
          std::make_unique<CudaProgram>(std::move(executable), getContext())) {}

CudaRun::~CudaRun() = default;

std::vector<uint64_t> CudaRun::run(std::span<const Tensor> inputs,
                                   std::span<Tensor> outputs) {
  std::vector<const Tensor *> operands;
  for (const Tensor &input : inputs)
    operands.push_back(&input);
  // A run keeps prepared values, and needs nothing else of one before it.
  const int times = hasPreparation(program->executable().plan()) ? 2 : 1;
  return program->runToFaults(operands, outputs, times).getPositions();
}

} // namespace gensyn::cuda
