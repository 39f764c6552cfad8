// The four functions of cuBLAS that the benchmarks call, on addresses of the
// driver without a GPU.

#include "Machine.h"

#include <cmath>

using gensyn::cuda::Address;
using gensyn::cuda::Stream;

#define GENSYN_FAKE_CUBLAS extern "C" __attribute__((visibility("default"))) int

static Stream current = nullptr;

GENSYN_FAKE_CUBLAS cublasCreate_v2(void **handle) {
  *handle = &current;
  return 0;
}

GENSYN_FAKE_CUBLAS cublasDestroy_v2(void *handle) { return 0; }

GENSYN_FAKE_CUBLAS cublasSetStream_v2(void *handle, Stream stream) {
  current = stream;
  return 0;
}

/// C = alpha A B + beta C, columns first; 7 (CUBLAS_STATUS_INVALID_VALUE) for
/// what it does not do.
GENSYN_FAKE_CUBLAS cublasSgemm_v2(void *handle, int transposedA,
                                  int transposedB, int m, int n, int k,
                                  const float *alpha, Address a, int lda,
                                  Address b, int ldb, const float *beta,
                                  Address c, int ldc) {
  if (transposedA || transposedB || lda < m || ldb < k || ldc < m)
    return 7;
  // Not in the stream, but after what is in it.
  if (gensyn::cuda::cuStreamSynchronize(current))
    return 14;
  const auto *left = reinterpret_cast<const float *>(a);
  const auto *right = reinterpret_cast<const float *>(b);
  auto *result = reinterpret_cast<float *>(c);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum = std::fma(left[row + i * lda], right[i + column * ldb], sum);
      float &element = result[row + column * ldc];
      element = *alpha * sum + (*beta == 0 ? 0 : *beta * element);
    }
  return 0;
}
