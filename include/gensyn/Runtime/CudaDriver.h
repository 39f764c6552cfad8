// NVIDIA's driver, opened when it is needed.
#ifndef GENSYN_RUNTIME_CUDADRIVER_H
#define GENSYN_RUNTIME_CUDADRIVER_H

#include "gensyn/Runtime/CudaApi.h"

#include <string>
#include <string_view>

namespace gensyn::cuda {

/// The functions of the driver. It is opened once and stays open.
class Driver {
public:
  /// Opens libcuda.so.1 and initialises it. Throws a Failure (unsupported)
  /// where there is none, it is too old, or it sees no GPU.
  static const Driver &get();

#define GENSYN_CUDA_MEMBER(name, parameters) Result(*name) parameters = nullptr;
  GENSYN_CUDA_FUNCTIONS(GENSYN_CUDA_MEMBER)
#undef GENSYN_CUDA_MEMBER

  /// As cuDriverGetVersion gives it: 12080 is CUDA 12.8.
  int version = 0;

  /// "out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
  std::string describe(Result error) const;
  /// Throws a Failure unless `error` is Success: out of resources for memory, a
  /// bug for everything else, with what was tried in front.
  void check(Result error, std::string_view tried) const;

private:
  Driver();
};

/// "12.8" for 12080.
std::string versionText(int version);

/// The oldest driver that loads PTX of that version ("8.7"): 12080. 0 for a
/// text that is no version. Source: the release notes of PTX ISA 9.0.
int driverOfPtx(std::string_view ptxVersion);

} // namespace gensyn::cuda

#endif
