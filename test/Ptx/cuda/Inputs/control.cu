// Loops, a switch, an early return, local arrays and constant tables.
__constant__ int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int calls[4] = {0, 10, 20, 30};

extern "C" __global__ void control(const int *x, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = x[i], steps = 0;
  while (value != 1 && steps < 100) {
    if (value % 2 == 0)
      value /= 2;
    else
      value = 3 * value + 1;
    ++steps;
  }
  int digits[10] = {};
  for (unsigned rest = static_cast<unsigned>(x[i]); rest != 0; rest /= 10)
    ++digits[rest % 10];
  int most = 0;
  for (int digit = 1; digit < 10; ++digit)
    if (digits[digit] > digits[most])
      most = digit;
  int result = 0;
  switch (steps % 7) {
  case 0:
    result = steps * weights[i % 8];
    break;
  case 1:
    result = most - steps;
    break;
  case 2:
    result = x[i] << most;
    break;
  case 3:
    result = x[i] ^ calls[i % 4];
    break;
  case 4:
    for (int k = 0; k <= most; ++k)
      result += k * weights[k % 8];
    break;
  case 5:
    result = -x[i];
    // falls through
  default:
    result += steps;
  }
  out[i] = result;
}
