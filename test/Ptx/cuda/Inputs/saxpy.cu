// y += a * x, as in every first lesson.
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = fmaf(a, x[i], y[i]);
}

// The same with a grid that strides over the array.
extern "C" __global__ void saxpy_strided(int n, float a, const float *x,
                                         float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]);
}
