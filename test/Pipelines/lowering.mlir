// RUN: gensyn-opt %s --gensyn-cpu-pipeline=target=x86-64-v3 | FileCheck %s --check-prefix=CPU
// RUN: gensyn-opt %s --gensyn-gpu-pipeline=sm=80 | FileCheck %s --check-prefix=GPU
// RUN: not gensyn-opt %s --gensyn-cpu-pipeline=target=x 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Kernels to the dialects that are translated to LLVM IR.
// CPU-NOT: repro.
// CPU: llvm.func @sums
// CPU-NOT: memref
// CPU: llvm.return
// GPU-NOT: repro.
// GPU: gpu.module @kernels
// GPU: llvm.func @sums
// GPU: nvvm.read.ptx.sreg.tid.x
// UNKNOWN: unknown target 'x'
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = repro.kernel "sums" (%a = %x : tensor<64xf32>, %b = %y : tensor<64xf32>) -> (tensor<64xf32>) {
    %s = repro.add %a, %b : tensor<64xf32>
    repro.yield %s : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}
