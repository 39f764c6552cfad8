// The part of cuBLAS in use: types and signatures, so that no CUDA toolkit is
// needed to build. A test compares them with cublas_api.h.
#ifndef GENSYN_BENCHMARKS_CUBLASAPI_H
#define GENSYN_BENCHMARKS_CUBLASAPI_H

#include "gensyn/Runtime/Devices/CudaApi.h"

namespace gensyn::cublas {

/// cublasStatus_t; 0 is success.
using Status = int;
/// cublasOperation_t.
using Operation = int;
using Handle = struct HandleData *;
using cuda::Stream;

enum : Status {
  Success = 0,
  ErrorInvalidValue = 7,
  ErrorExecutionFailed = 13,
};
enum : Operation { AsItIs = 0 };

} // namespace gensyn::cublas

/// F(symbol, parameters) for each function; all give a Status. Matrices are in
/// the memory of the device.
#define GENSYN_CUBLAS_FUNCTIONS(F)                                             \
  F(cublasCreate_v2, (Handle * handle))                                        \
  F(cublasDestroy_v2, (Handle handle))                                         \
  F(cublasSetStream_v2, (Handle handle, Stream stream))                        \
  F(cublasSgemm_v2,                                                            \
    (Handle handle, Operation ofA, Operation ofB, int m, int n, int k,         \
     const float *alpha, const float *a, int lda, const float *b, int ldb,     \
     const float *beta, float *c, int ldc))

#endif
