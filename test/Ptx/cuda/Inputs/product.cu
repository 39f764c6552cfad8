// A matrix product by tiles in shared memory, as a template.
template <int tile>
__device__ void multiply(const float *a, const float *b, float *c, int m, int n,
                         int k) {
  __shared__ float left[tile][tile], right[tile][tile + 1];
  int row = blockIdx.y * tile + threadIdx.y;
  int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < k; start += tile) {
    int i = start + threadIdx.x, j = start + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < m && i < k ? a[row * k + i] : 0;
    right[threadIdx.y][threadIdx.x] = column < n && j < k ? b[j * n + column] : 0;
    __syncthreads();
    for (int each = 0; each < tile; ++each)
      sum = fmaf(left[threadIdx.y][each], right[each][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

extern "C" __global__ void product16(const float *a, const float *b, float *c,
                                     int m, int n, int k) {
  multiply<16>(a, b, c, m, n, k);
}
extern "C" __global__ void product8(const float *a, const float *b, float *c,
                                    int m, int n, int k) {
  multiply<8>(a, b, c, m, n, k);
}
