// Exchanges between the lanes of a warp.

// The sum of 256 integers a block, by shuffles and one word a warp.
extern "C" __global__ void block_sum(const int *x, int *sums) {
  __shared__ int partial[8];
  int value = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xFFFFFFFF, value, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 8) {
    value = partial[threadIdx.x];
    for (int offset = 4; offset > 0; offset /= 2)
      value += __shfl_xor_sync(0xFF, value, offset, 8);
    if (threadIdx.x == 0)
      sums[blockIdx.x] = value;
  }
}

// Moves the positive elements of each warp to the front of its 32 places.
extern "C" __global__ void compact(const float *x, float *out, int *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float value = x[i];
  unsigned keep = __ballot_sync(0xFFFFFFFF, value > 0);
  int place = __popc(keep & ((1u << lane) - 1));
  if (value > 0)
    out[i - lane + place] = value;
  if (lane == 0)
    counts[i / 32] = __popc(keep);
  bool all = __all_sync(0xFFFFFFFF, value == value);
  if (!all && lane == 0)
    counts[i / 32] = -1;
}

// An inclusive scan with the predicate of shfl.up.
extern "C" __global__ void warp_scan(const int *x, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = x[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_up_sync(0xFFFFFFFF, value, offset);
    if (lane >= offset)
      value += other;
  }
  out[i] = value;
}
