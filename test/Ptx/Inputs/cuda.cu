// A kernel for SamplesTest; cuda.ptx is made from it by nvcc -arch=sm_80 -ptx.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__constant__ float tab[4] = {1.f,2.f,3.f,4.f};
__device__ int gcount = 7;
__device__ int garr[3] = {1,2,3};
__device__ int *gp = &garr[1];
extern __shared__ float dyn[];
struct P { int a; float b[3]; double c; };
extern "C" __global__ void __launch_bounds__(128,2) k(float *x, const float * __restrict__ y, P p, int n, unsigned long long u) {
  __shared__ float s[128]; int loc[16];
  int t = threadIdx.x; int i = blockIdx.x*blockDim.x+t;
  for (int j=0;j<16;j++) loc[j]=y[j]*n;
  s[t] = i<n ? y[i] : 0.f; __syncthreads();
  for (int o=64;o>0;o>>=1) { if (t<o) s[t]+=s[t+o]; __syncthreads(); }
  float v = __shfl_xor_sync(0xffffffff, s[t], 3);
  switch (n&7) { case 0: v+=1; break; case 1: v*=2; break; case 2: v/=3; break; case 3: v=sqrtf(v); break; case 5: v=fminf(v,p.b[t%3]); break; case 6: v= -v;break; case 7: v=v-8;}
  if (__any_sync(0xffffffff, v>0)) atomicMin(&gcount, i);
  atomicAdd(gp, 1);
  unsigned bal = __ballot_sync(0xffffffff, v<1);
  dyn[t] = (float)p.c + tab[t&3] + loc[n&15] + __popc(bal) + __clz(n) + __brev(n) + u / 7 + (n % 3) + __half2float(__float2half(v)) + __bfloat162float(__float2bfloat16(v)) + rintf(v)+floorf(v)+(int)v+(long long)v + (unsigned char)v + exp2f(3.0);
  x[i] = dyn[t]; asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bra L1; L1: }"::"r"(n));
}
