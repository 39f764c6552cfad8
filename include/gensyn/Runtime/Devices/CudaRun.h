// Runs a plan for comparisons of bits, on a GPU.

#ifndef GENSYN_RUNTIME_DEVICES_CUDARUN_H
#define GENSYN_RUNTIME_DEVICES_CUDARUN_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gensyn::cuda {

class CudaProgram;

/// A program on GPU 0, whose faults are results too. The first one makes the
/// GPU's context, which lives as long as the process: it must not fork
/// afterwards.
class CudaRun {
public:
  /// Throws a Failure as runtime::makeCudaDevice does, and the device's `load`.
  explicit CudaRun(std::shared_ptr<const plan::Executable> executable);
  ~CudaRun();
  CudaRun(const CudaRun &) = delete;
  CudaRun &operator=(const CudaRun &) = delete;

  /// Runs the program and returns the positions of its fault slots (g7). Throws
  /// a Failure if the GPU fails; then the context may be of no further use.
  std::vector<uint64_t> run(std::span<const Tensor> inputs,
                            std::span<Tensor> outputs);

private:
  std::unique_ptr<CudaProgram> program;
};

} // namespace gensyn::cuda

#endif
