// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(gensyn-lower-gpu-to-nvvm))' | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.func @root(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>}
  // CHECK: nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.getelementptr inbounds|nuw
  // CHECK: llvm.intr.fma
  // CHECK: llvm.intr.sqrt
  // CHECK-NOT: llvm.call
  gpu.func @root(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<64xf32>
    %b = math.fma %a, %a, %a : f32
    %c = math.sqrt %b : f32
    memref.store %c, %y[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @library(%x: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<64xf32>
    // expected-error @+1 {{'math.exp' op has no exact instruction on the target}}
    %b = math.exp %a : f32
    memref.store %b, %x[%i] : memref<64xf32>
    gpu.return
  }
}
