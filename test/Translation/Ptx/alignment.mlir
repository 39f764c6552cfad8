// An access that states no alignment has that of its type, so 8 bytes are one
// access. In halves, the low one of a sum would be a store that the assembler
// misreads, which the auditor refuses.
// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s
// CHECK: ld.global.b64
// CHECK: add.rn.f64
// CHECK: st.global.b64
// CHECK-NOT: b32
// RUN: sed 's/llvm.store %d, %x/& {alignment = 4 : i64}/' %s > %t.mlir
// RUN: not gensyn-translate --mlir-to-ptx --sm=90 %t.mlir 2>&1 | FileCheck %s --check-prefix=HALVES
// HALVES: error: its PTX can give other bits: narrowed-float: 'st.global.b32'
gpu.module @kernels {
  llvm.func @twice(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr<1> -> i64
    %b = llvm.bitcast %a : i64 to f64
    %c = llvm.fadd %b, %b : f64
    %d = llvm.bitcast %c : f64 to i64
    llvm.store %d, %x : i64, !llvm.ptr<1>
    llvm.return
  }
}
