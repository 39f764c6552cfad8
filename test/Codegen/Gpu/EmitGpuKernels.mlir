// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-gpu-kernels{sm=80})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-gpu-kernels{baseline})' | FileCheck %s --check-prefix=BASE

// A schedule's entry takes pointers to aligned memory that nobody else writes;
// but for what may be written in place, as here.
// CHECK: gpu.module @kernels
// CHECK: llvm.func @add(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64}, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64})
// CHECK-SAME: gensyn.grid = array<i64: {{[0-9, ]*}}>
// CHECK-SAME: gensyn.index_bits = 32 : i32
// CHECK-SAME: gensyn.schedule = "pointwise"
// CHECK-SAME: nvvm.kernel, nvvm.reqntid
// CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
// CHECK: arith.addf
// CHECK: llvm.return

// BASE: func.func @add(%{{.*}}: memref<1000xf32>, %{{.*}}: memref<1000xf32>)
// BASE: linalg.generic
// BASE-NOT: llvm.func
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %y = repro.kernel "add" (%a = %x : tensor<1000xf32>) -> tensor<1000xf32> {
    %s = repro.add %a, %a : tensor<1000xf32>
    repro.yield %s : tensor<1000xf32>
  }
  return %y : tensor<1000xf32>
}
