// NVIDIA's driver, opened on first use.
#ifndef GENSYN_RUNTIME_DEVICES_CUDADRIVER_H
#define GENSYN_RUNTIME_DEVICES_CUDADRIVER_H

#include "gensyn/Runtime/Devices/CudaApi.h"

#include <string>
#include <string_view>

namespace gensyn::cuda {

/// The functions of the driver. It is opened once and stays open.
class Driver {
public:
  /// Opens libcuda.so.1 and initializes it. Throws a Failure (unsupported) if
  /// the driver is missing, is too old, or sees no GPU.
  static const Driver &get();

#define GENSYN_CUDA_MEMBER(name, parameters) Result(*name) parameters = nullptr;
  GENSYN_CUDA_FUNCTIONS(GENSYN_CUDA_MEMBER)
#undef GENSYN_CUDA_MEMBER

  /// In the encoding of cuDriverGetVersion: 12080 is CUDA 12.8.
  int version = 0;

  /// Returns text such as "out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
  std::string describe(Result error) const;
  /// Throws a Failure unless `error` is Success: out of resources for memory
  /// errors, a bug for all others. The message begins with `tried`.
  void check(Result error, std::string_view tried) const;

private:
  Driver();
};

/// Returns "12.8" for 12080.
std::string versionText(int version);

/// Returns the oldest driver that loads PTX of that version: 12080 for "8.7"; 0
/// if the text is not a version. Source: the release notes of PTX ISA 9.0.
int driverOfPtx(std::string_view ptxVersion);

} // namespace gensyn::cuda

#endif
