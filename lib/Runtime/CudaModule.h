// Code of a program on a GPU.
#ifndef GENSYN_LIB_RUNTIME_CUDAMODULE_H
#define GENSYN_LIB_RUNTIME_CUDAMODULE_H

#include "CudaContext.h"
#include "gensyn/Runtime/plan.pb.h"

#include <vector>

namespace gensyn::cuda {

/// "90" of "sm_90"; 0 for every other text.
int numberOfArchitecture(std::string_view name);

/// The code that suits a GPU of a compute capability best, or null: PTX runs on
/// its generation and all later ones, machine code on its own and on minor
/// versions after it.
const plan::Code *chooseCode(const plan::Executable &executable,
                             int capability);

/// The kernels of a plan's launches, loaded.
class LoadedModule {
public:
  /// Throws a Failure: unsupported where the driver is too old for the code or
  /// refuses it, bad input where a kernel is missing.
  LoadedModule(std::shared_ptr<DeviceContext> context, const plan::Code &code,
               const plan::Plan &plan);
  ~LoadedModule();
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;

  /// Of the launch with that number.
  Function function(int launch) const { return functions[size_t(launch)]; }

private:
  void load(const plan::Code &code);
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
