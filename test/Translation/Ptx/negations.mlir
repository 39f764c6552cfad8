// The assembler forgets that the negative of the least integer is that integer, in narrow negations that are extended
// and in absolute values, which the back end finds in selects.
// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s --implicit-check-not=neg.s16 --implicit-check-not=abs.
gpu.module @kernels {
  // CHECK-LABEL: .entry narrow(
  // CHECK: neg.s32 [[N:%r[0-9]+]]
  // CHECK: cvt.s32.s16 {{.*}}, [[N]]
  llvm.func @narrow(%x: !llvm.ptr<1>, %a: i16) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i16) : i16
    %0 = llvm.sub %zero, %a : i16
    %1 = llvm.sext %0 : i16 to i32
    llvm.store %1, %x : i32, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: .entry lanes(
  // CHECK-COUNT-2: neg.s32
  // CHECK: st.global
  llvm.func @lanes(%x: !llvm.ptr<1>, %v: vector<2xi16>) attributes {gpu.kernel, nvvm.kernel} {
    %zeros = llvm.mlir.constant(dense<0> : vector<2xi16>) : vector<2xi16>
    %0 = llvm.sub %zeros, %v : vector<2xi16>
    llvm.store %0, %x : vector<2xi16>, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: .entry byte(
  // CHECK: neg.s32
  llvm.func @byte(%x: !llvm.ptr<1>, %a: i8) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i8) : i8
    %0 = llvm.sub %zero, %a : i8
    llvm.store %0, %x : i8, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: .entry absolute(
  // CHECK-DAG: neg.s32 [[N:%r[0-9]+]]
  // CHECK-DAG: selp.b32 {{.*}}, [[N]]
  // CHECK-DAG: neg.s64 [[L:%rd[0-9]+]]
  // CHECK-DAG: selp.b64 {{.*}}, [[L]]
  // CHECK: ret
  llvm.func @absolute(%x: !llvm.ptr<1>, %a: i32, %b: i64) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %0 = llvm.sub %zero, %a : i32
    %less = llvm.icmp "slt" %a, %zero : i32
    %1 = llvm.select %less, %0, %a : i1, i32
    llvm.store volatile %1, %x : i32, !llvm.ptr<1>
    %2 = "llvm.intr.abs"(%b) <{is_int_min_poison = false}> : (i64) -> i64
    llvm.store volatile %2, %x : i64, !llvm.ptr<1>
    %3 = "llvm.intr.abs"(%a) <{is_int_min_poison = false}> : (i32) -> i32
    llvm.store volatile %3, %x : i32, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: .entry others(
  // CHECK: sub.s16 {{.*}}, 7
  // CHECK: neg.s32 %r{{[0-9]+}}, %r
  llvm.func @others(%x: !llvm.ptr<1>, %a: i16, %b: i32) attributes {gpu.kernel, nvvm.kernel} {
    %seven = llvm.mlir.constant(7 : i16) : i16
    %0 = llvm.sub %seven, %a : i16
    llvm.store volatile %0, %x : i16, !llvm.ptr<1>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %1 = llvm.sub %zero, %b : i32
    llvm.store volatile %1, %x : i32, !llvm.ptr<1>
    llvm.return
  }
}
