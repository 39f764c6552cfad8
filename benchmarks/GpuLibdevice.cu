// The loops against which correctly rounded functions are measured: nvcc's own functions (not the
// fast ones), four elements a thread.

#define GENSYN_LOOP(name, function)                                            \
  extern "C" __global__ void name(const float4 *__restrict__ from,             \
                                  float4 *__restrict__ to,                     \
                                  unsigned long long count) {                  \
    unsigned long long i = blockIdx.x * 256ull + threadIdx.x;                  \
    if (i >= count / 4)                                                        \
      return;                                                                  \
    float4 x = from[i];                                                        \
    to[i] = make_float4(function(x.x), function(x.y), function(x.z),           \
                        function(x.w));                                        \
  }

GENSYN_LOOP(exp_loop, expf)
GENSYN_LOOP(tanh_loop, tanhf)
GENSYN_LOOP(erf_loop, erff)
