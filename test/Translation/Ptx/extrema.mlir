// Minima and maxima of narrow integers are computed in 32 bits. So are
// comparisons, in which the back end could find one. In 16 bits the assembler
// can be wrong, and the auditor refuses them.
// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s --implicit-check-not=min.s16 --implicit-check-not=max.s16
gpu.module @kernels {
  // CHECK-LABEL: .entry intrinsics(
  llvm.func @intrinsics(%x: !llvm.ptr<1>, %a: i16, %b: i16, %c: i8) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i16) : i16
    // CHECK: min.s32
    %0 = llvm.intr.smin(%a, %zero) : (i16, i16) -> i16
    llvm.store volatile %0, %x : i16, !llvm.ptr<1>
    // CHECK: max.u32
    %1 = llvm.intr.umax(%a, %b) : (i16, i16) -> i16
    llvm.store volatile %1, %x : i16, !llvm.ptr<1>
    // CHECK: max.s32
    %byte = llvm.mlir.constant(7 : i8) : i8
    %2 = llvm.intr.smax(%c, %byte) : (i8, i8) -> i8
    llvm.store volatile %2, %x : i8, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: .entry selects(
  llvm.func @selects(%x: !llvm.ptr<1>, %a: i16, %b: i16, %v: vector<2xi16>, %w: vector<2xi16>) attributes {gpu.kernel, nvvm.kernel} {
    // CHECK: setp.lt.s32
    %less = llvm.icmp "slt" %a, %b : i16
    %0 = llvm.select %less, %a, %b : i1, i16
    llvm.store volatile %0, %x : i16, !llvm.ptr<1>
    // CHECK-COUNT-2: setp.gt.s32
    %greater = llvm.icmp "sgt" %v, %w : vector<2xi16>
    %1 = llvm.select %greater, %v, %w : vector<2xi1>, vector<2xi16>
    llvm.store volatile %1, %x : vector<2xi16>, !llvm.ptr<1>
    // CHECK: setp.gt.s32
    %larger = llvm.icmp "sgt" %a, %b : i16
    %same = llvm.icmp "eq" %a, %b : i16
    %either = llvm.or %larger, %same : i1
    %2 = llvm.select %either, %a, %b : i1, i16
    llvm.store volatile %2, %x : i16, !llvm.ptr<1>
    llvm.return
  }
}
