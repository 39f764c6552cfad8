// Arithmetic on half, half2 and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void halves(const __half *x, const __half *y, __half *out,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half a = x[i], b = y[i];
  __half sum = __hadd_rn(a, b), product = __hmul_rn(a, b);
  __half fused = __hfma(a, b, sum);
  out[4 * i] = sum;
  out[4 * i + 1] = product;
  out[4 * i + 2] = __hgt(a, b) ? fused : __hneg(fused);
  out[4 * i + 3] = __hmax(__habs(a), b);
}

extern "C" __global__ void pairs(const __half2 *x, const __half2 *y,
                                 __half2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __hfma2(x[i], y[i], __hadd2_rn(x[i], y[i]));
}

extern "C" __global__ void brains(const __nv_bfloat16 *x, const float *y,
                                  __nv_bfloat16 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat16 b = __float2bfloat16_rn(y[i]);
  out[i] = __hfma(x[i], b, b);
}
