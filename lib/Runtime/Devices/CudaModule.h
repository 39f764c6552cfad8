// Code of a program on a GPU.
#ifndef GENSYN_LIB_RUNTIME_CUDAMODULE_H
#define GENSYN_LIB_RUNTIME_CUDAMODULE_H

#include "CudaContext.h"
#include "gensyn/Executable/plan.pb.h"

#include <vector>

namespace gensyn::cuda {

/// Returns the code that may run on a GPU of a compute capability, best first:
/// that of the latest architecture that is not newer, machine code before PTX,
/// up to the first PTX. Machine code runs on devices of its major version from
/// its own minor one on. Empty if there is none.
std::vector<const plan::Code *> chooseCode(const plan::Executable &executable,
                                           int capability);

/// The loaded kernels of a plan's launches.
class LoadedModule {
public:
  /// Loads the first code that the driver accepts; PTX is the fallback for
  /// drivers that do not support the machine code of a newer ptxas. Throws a
  /// Failure: unsupported if there is no code for the GPU or the driver is too
  /// old for it or rejects it, bad input if a kernel is missing.
  LoadedModule(std::shared_ptr<DeviceContext> context,
               const plan::Executable &executable);
  ~LoadedModule();
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;

  /// Returns the kernel of a launch.
  Function function(int launch) const { return functions[size_t(launch)]; }

  /// The local memory of a thread, of the kernel that has the most.
  uint64_t localBytes() const { return mostLocalBytes; }

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
  uint64_t mostLocalBytes = 0;
};

/// Returns "kernel 'gemm' (model.onnx: node 'fc' (Gemm))".
std::string describeKernel(const plan::Launch &launch);

} // namespace gensyn::cuda

#endif
