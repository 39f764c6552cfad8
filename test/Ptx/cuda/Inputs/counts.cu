// Histograms with atomics in shared and in global memory.
extern "C" __global__ void histogram(const unsigned char *x, unsigned *counts,
                                     int n) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[x[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i] != 0)
      atomicAdd(&counts[i], local[i]);
}

extern "C" __global__ void extremes(const int *x, int *out,
                                    unsigned long long *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicMin(&out[0], x[i]);
  atomicMax(&out[1], x[i]);
  atomicOr(&out[2], x[i]);
  atomicXor(&out[3], x[i]);
  atomicAdd(sum, static_cast<unsigned long long>(x[i] & 255));
}
