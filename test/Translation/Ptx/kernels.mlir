// RUN: gensyn-translate --mlir-to-ptx --sm=75 %s | FileCheck %s --check-prefixes=CHECK,SM75
// RUN: gensyn-translate --mlir-to-ptx --sm=120 %s | FileCheck %s --check-prefixes=CHECK,SM120
// RUN: not gensyn-translate --mlir-to-ptx --sm=42 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: gensyn-translate: error: no GPU generation is called 'sm_42'

// SM75: .version 6.5
// SM75: .target sm_75
// SM120: .version 8.7
// SM120: .target sm_120
// CHECK: .visible .entry root(
// CHECK-SAME: {{$}}
// CHECK: .maxntid 64
// CHECK: ld.global
// CHECK: fma.rn.f32
// CHECK: sqrt.rn.f32
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: st.global
// CHECK: ret;
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @root(%x: !llvm.ptr, %y: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %a = llvm.load %p : !llvm.ptr -> f32
      %b = llvm.intr.fma(%a, %a, %a) : (f32, f32, f32) -> f32
      %c = llvm.intr.sqrt(%b) : (f32) -> f32
      // Two operations are not contracted.
      %d = llvm.fmul %c, %a : f32
      %e = llvm.fadd %d, %c : f32
      llvm.store %e, %q : f32, !llvm.ptr
      llvm.return
    }
  }
}
