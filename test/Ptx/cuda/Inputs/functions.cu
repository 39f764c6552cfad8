// Device functions that stay functions.
struct Pair {
  double low, high;
};

__device__ __noinline__ Pair widen(Pair pair, double value) {
  if (value < pair.low)
    pair.low = value;
  if (value > pair.high)
    pair.high = value;
  return pair;
}

__device__ __noinline__ int gcd(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__device__ __noinline__ int lcm(int a, int b) {
  if (a == 0 || b == 0)
    return 0;
  return a / gcd(a, b) * b;
}

__device__ __noinline__ void store(long long *out, int i, long long value) {
  if (i % 2 == 0)
    return;
  out[i] = value;
}

extern "C" __global__ void bounds(const double *x, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair pair = {x[i], x[i]};
  for (int k = 1; k < n; ++k)
    pair = widen(pair, x[i + k]);
  out[2 * i] = pair.low;
  out[2 * i + 1] = pair.high;
}

extern "C" __global__ void multiples(const int *x, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = lcm(x[i], i + 1);
  if (i % 3 == 0)
    value = gcd(value, 360);
  store(out, i, value);
}
