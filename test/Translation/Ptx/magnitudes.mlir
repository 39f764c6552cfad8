// An ordered comparison that all magnitudes pass, and that a NaN does not: the assembler forgets the NaN, so it is
// asked for on its own. The auditor refuses the other form.
// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s
gpu.module @kernels {
  // What the back end knows of a magnitude is gone.
  // CHECK-LABEL: .entry magnitude(
  // CHECK-NOT: setp.{{[gl][et]}}.
  // CHECK: setp.num.f32 [[P:%p[0-9]+]], [[A:%r[0-9]+]], [[A]]
  // CHECK: selp.f32 {{.*}}, [[P]]
  // CHECK-NOT: setp.{{[gl][et]}}.
  // CHECK: setp.num.f32
  // CHECK-NOT: setp.{{[gl][et]}}.
  // CHECK: ret
  llvm.func @magnitude(%x: !llvm.ptr<1>, %a: f32, %b: f32) attributes {gpu.kernel, nvvm.kernel} {
    %c = llvm.mlir.constant(-1.0 : f32) : f32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %m = llvm.intr.fabs(%a) : (f32) -> f32
    %0 = llvm.fcmp "oge" %m, %c : f32
    %1 = llvm.select %0, %b, %c : i1, f32
    llvm.store volatile %1, %x : f32, !llvm.ptr<1>
    %n = llvm.fneg %m : f32
    %2 = llvm.fcmp "ole" %n, %zero : f32
    %3 = llvm.select %2, %b, %c : i1, f32
    llvm.store volatile %3, %x : f32, !llvm.ptr<1>
    llvm.return
  }
  // Bits without the sign become an absolute value.
  // CHECK-LABEL: .entry bits(
  // CHECK-NOT: setp.g
  // CHECK: setp.num.f32
  llvm.func @bits(%x: !llvm.ptr<1>, %a: i32, %b: f32) attributes {gpu.kernel, nvvm.kernel} {
    %c = llvm.mlir.constant(-1.0 : f32) : f32
    %mask = llvm.mlir.constant(0x7FFFFFFF : i32) : i32
    %word = llvm.and %a, %mask : i32
    %m = llvm.bitcast %word : i32 to f32
    %0 = llvm.fcmp "ogt" %m, %c : f32
    %1 = llvm.select %0, %b, %c : i1, f32
    llvm.store %1, %x : f32, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: .entry selected(
  // CHECK-DAG: setp.num.f32
  // CHECK-DAG: setp.leu.f32
  // CHECK-NOT: setp.{{[gl]}}e.
  // CHECK: ret
  llvm.func @selected(%x: !llvm.ptr<1>, %a: f32, %b: f32, %s: i1) attributes {gpu.kernel, nvvm.kernel} {
    %c = llvm.mlir.constant(1.0 : f32) : f32
    %m = llvm.intr.fabs(%a) : (f32) -> f32
    %n = llvm.fneg %m : f32
    %either = llvm.select %s, %n, %b : i1, f32
    %0 = llvm.fcmp "ole" %either, %c : f32
    %1 = llvm.select %0, %b, %c : i1, f32
    llvm.store %1, %x : f32, !llvm.ptr<1>
    llvm.return
  }
  // Numbers may miss the bound, a NaN passes, or nothing is known.
  // CHECK-LABEL: .entry others(
  // CHECK-NOT: setp.num
  llvm.func @others(%x: !llvm.ptr<1>, %a: f32, %b: f32) attributes {gpu.kernel, nvvm.kernel} {
    %c = llvm.mlir.constant(-1.0 : f32) : f32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %m = llvm.intr.fabs(%a) : (f32) -> f32
    %0 = llvm.fcmp "ogt" %m, %zero : f32
    %1 = llvm.select %0, %b, %c : i1, f32
    llvm.store volatile %1, %x : f32, !llvm.ptr<1>
    %2 = llvm.fcmp "ole" %m, %one : f32
    %3 = llvm.select %2, %b, %c : i1, f32
    llvm.store volatile %3, %x : f32, !llvm.ptr<1>
    %4 = llvm.fcmp "oge" %a, %c : f32
    %5 = llvm.select %4, %b, %c : i1, f32
    llvm.store volatile %5, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}
