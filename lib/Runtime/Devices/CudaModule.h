// Code of a program on a GPU.
#ifndef GENSYN_LIB_RUNTIME_CUDAMODULE_H
#define GENSYN_LIB_RUNTIME_CUDAMODULE_H

#include "CudaContext.h"
#include "gensyn/Executable/plan.pb.h"

#include <vector>

namespace gensyn::cuda {

/// The code that runs on a GPU of a compute capability, the best first: machine
/// code for exactly this generation, then the PTX of the latest generation that
/// is not after it. Empty where there is none.
std::vector<const plan::Code *> chooseCode(const plan::Executable &executable,
                                           int capability);

/// The kernels of a plan's launches, loaded.
class LoadedModule {
public:
  /// Loads the first code that the driver takes: PTX is there for drivers that
  /// do not know the machine code of a later ptxas. Throws a Failure:
  /// unsupported where there is no code for the GPU, the driver is too old for
  /// it or refuses it, bad input where a kernel is missing.
  LoadedModule(std::shared_ptr<DeviceContext> context,
               const plan::Executable &executable);
  ~LoadedModule();
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;

  /// Of the launch with that number.
  Function function(int launch) const { return functions[size_t(launch)]; }

private:
  void load(const plan::Executable &executable);
  Result loadMachineCode(const plan::Code &code);
  void loadPtx(const plan::Code &code);
  Function find(const plan::Launch &launch);

  std::shared_ptr<DeviceContext> context;
  Module module = nullptr;
  std::map<std::string, Function> byName;
  std::map<std::string, uint32_t> sharedOfName;
  std::vector<Function> functions;
};

/// "kernel 'gemm' (model.onnx: node 'fc' (Gemm))".
std::string describeKernel(const plan::Launch &launch);

} // namespace gensyn::cuda

#endif
