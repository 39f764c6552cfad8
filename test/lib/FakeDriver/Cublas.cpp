// The four functions of cuBLAS that the benchmarks call, on addresses of the
// driver without a GPU.

#include "CublasApi.h"
#include "Machine.h"

#include <cmath>

namespace gensyn::cublas {

#define GENSYN_FAKE_CUBLAS extern "C" __attribute__((visibility("default"))) int
#define GENSYN_FAKE_DECLARE_CUBLAS(name, parameters)                           \
  GENSYN_FAKE_CUBLAS name parameters;
GENSYN_CUBLAS_FUNCTIONS(GENSYN_FAKE_DECLARE_CUBLAS)

static Stream current = nullptr;

GENSYN_FAKE_CUBLAS cublasCreate_v2(Handle *handle) {
  *handle = reinterpret_cast<Handle>(&current);
  return Success;
}

GENSYN_FAKE_CUBLAS cublasDestroy_v2(Handle handle) { return Success; }

GENSYN_FAKE_CUBLAS cublasSetStream_v2(Handle handle, Stream stream) {
  current = stream;
  return Success;
}

/// C = alpha A B + beta C, column-major.
GENSYN_FAKE_CUBLAS cublasSgemm_v2(Handle handle, Operation ofA, Operation ofB,
                                  int m, int n, int k, const float *alpha,
                                  const float *a, int lda, const float *b,
                                  int ldb, const float *beta, float *c,
                                  int ldc) {
  if (ofA != AsItIs || ofB != AsItIs || lda < m || ldb < k || ldc < m)
    return ErrorInvalidValue;
  // Not in the stream, but after the work in it.
  if (cuda::cuStreamSynchronize(current))
    return ErrorExecutionFailed;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum = std::fma(a[row + i * lda], b[i + column * ldb], sum);
      float &element = c[row + column * ldc];
      element = *alpha * sum + (*beta == 0 ? 0 : *beta * element);
    }
  return Success;
}

} // namespace gensyn::cublas
