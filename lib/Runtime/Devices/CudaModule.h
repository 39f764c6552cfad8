// Code of a program on a GPU.
#ifndef GENSYN_LIB_RUNTIME_CUDAMODULE_H
#define GENSYN_LIB_RUNTIME_CUDAMODULE_H

#include "CudaContext.h"
#include "gensyn/Executable/plan.pb.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::cuda {

/// Returns the code that may run on a GPU of a compute capability, best first:
/// that of the latest architecture that is not newer, machine code before PTX,
/// up to the first PTX. Machine code runs on devices of its major version from
/// its own minor one on. Empty if there is none.
std::vector<const plan::Code *> chooseCode(const plan::Executable &executable,
                                           int capability);

/// Loaded code. The programs of a context whose code is the same bytes share
/// one; the last of them unloads it.
class CodeModule {
public:
  /// Returns that of the first code that the driver accepts; PTX is the
  /// fallback for drivers that do not support the machine code of a newer
  /// ptxas. Throws a Failure (unsupported) if there is no code for the GPU or
  /// the driver is too old for it or rejects it.
  static std::shared_ptr<CodeModule>
  of(const std::shared_ptr<DeviceContext> &context,
     const plan::Executable &executable);
  ~CodeModule();
  CodeModule(const CodeModule &) = delete;
  CodeModule &operator=(const CodeModule &) = delete;

  struct Kernel {
    Function function = nullptr;
    /// Of a thread, and of a block without what launches ask for.
    uint64_t localBytes = 0, sharedBytes = 0;
    /// The most shared memory that a launch may ask for.
    uint32_t asked = 0;
  };
  /// Returns the kernel of a launch, which may have its shared memory. Throws a
  /// Failure: bad input if it is missing, unsupported if it needs more shared
  /// memory than there is.
  const Kernel &find(const plan::Launch &launch);

private:
  explicit CodeModule(std::shared_ptr<DeviceContext> owner)
      : context(std::move(owner)) {}
  Result load(const plan::Code &code);
  void loadPtx(const plan::Code &code);
  Kernel describe(const plan::Launch &launch) const;

  std::shared_ptr<DeviceContext> context;
  Module module = nullptr;
  std::map<std::string, Kernel> kernels;
};

/// The kernels of a plan's launches.
class LoadedKernels {
public:
  /// Throws a Failure as CodeModule does.
  LoadedKernels(const std::shared_ptr<DeviceContext> &context,
                const plan::Executable &executable);

  /// Returns the kernel of a launch.
  Function function(int launch) const { return functions[size_t(launch)]; }

  /// The local memory of a thread, of the kernel that has the most.
  uint64_t localBytes() const { return mostLocalBytes; }

private:
  std::shared_ptr<CodeModule> code;
  std::vector<Function> functions;
  uint64_t mostLocalBytes = 0;
};

/// Returns "kernel 'gemm' (model.onnx: node 'fc' (Gemm))".
std::string describeKernel(const plan::Launch &launch);

} // namespace gensyn::cuda

#endif
