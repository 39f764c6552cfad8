// A select between the two f32 that its condition compares, whose NaN something other than arithmetic sees, is made of
// bit operations: the assembler takes a `selp` for a maximum or minimum, which changes NaNs. The auditor refuses it.
// RUN: gensyn-translate --mlir-to-ptx --sm=90 %s | FileCheck %s
gpu.module @kernels {
  // CHECK-LABEL: .entry stored(
  llvm.func @stored(%x: !llvm.ptr<1>, %a: f32, %v: vector<2xf32>) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    // CHECK: setp.le.f32 [[P:%p[0-9]+]], [[A:%r[0-9]+]], 0f00000000
    // CHECK: selp.b32 [[MASK:%r[0-9]+]], -1, 0, [[P]]
    // CHECK: and.b32 [[PART:%r[0-9]+]], [[A]], [[MASK]]
    // CHECK: xor.b32 {{.*}}, [[A]]
    // CHECK-NOT: selp.f32
    %less = llvm.fcmp "ole" %a, %zero : f32
    %0 = llvm.select %less, %zero, %a : i1, f32
    llvm.store volatile %0, %x : f32, !llvm.ptr<1>
    // CHECK-COUNT-2: selp.b32 {{.*}}, -1, 0
    // CHECK-NOT: selp.f32
    // CHECK: st
    %ones = llvm.mlir.constant(dense<1.0> : vector<2xf32>) : vector<2xf32>
    %greater = llvm.fcmp "ugt" %v, %ones : vector<2xf32>
    %1 = llvm.select %greater, %v, %ones : vector<2xi1>, vector<2xf32>
    llvm.store volatile %1, %x : vector<2xf32>, !llvm.ptr<1>
    llvm.return
  }
  // The back end loads once what is loaded twice.
  // CHECK-LABEL: .entry loaded(
  // CHECK: selp.b32 {{.*}}, -1, 0
  // CHECK-NOT: selp.f32
  llvm.func @loaded(%x: !llvm.ptr<1>, %i: i64) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %a = llvm.load %p : !llvm.ptr<1> -> f32
    %b = llvm.load %q : !llvm.ptr<1> -> f32
    %less = llvm.fcmp "ole" %a, %zero : f32
    %0 = llvm.select %less, %zero, %b : i1, f32
    llvm.store %0, %x : f32, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: .entry words(
  // CHECK: selp.b32 {{.*}}, -1, 0
  // CHECK-NOT: selp.b32
  llvm.func @words(%x: !llvm.ptr<1>, %a: f32) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %bits = llvm.mlir.constant(0x3F800000 : i32) : i32
    %word = llvm.bitcast %a : f32 to i32
    %greater = llvm.fcmp "ugt" %a, %one : f32
    %0 = llvm.select %greater, %word, %bits : i1, i32
    llvm.store %0, %x : i32, !llvm.ptr<1>
    llvm.return
  }
  // The minimum of a value and its magnitude: the bits that both have are the magnitude's, so one select is left.
  // CHECK-LABEL: .entry magnitude(
  // CHECK: selp.b32 {{.*}}, -1, 0
  // CHECK-NOT: selp.f32
  llvm.func @magnitude(%x: !llvm.ptr<1>, %a: f32) attributes {gpu.kernel, nvvm.kernel} {
    %mask = llvm.mlir.constant(0x7FFFFFFF : i32) : i32
    %word = llvm.bitcast %a : f32 to i32
    %bits = llvm.and %word, %mask : i32
    %m = llvm.bitcast %bits : i32 to f32
    %both = llvm.and %word, %bits : i32
    %less = llvm.fcmp "olt" %a, %m : f32
    %greater = llvm.fcmp "ogt" %a, %m : f32
    %0 = llvm.select %greater, %bits, %both : i1, i32
    %1 = llvm.select %less, %word, %0 : i1, i32
    llvm.store %1, %x : i32, !llvm.ptr<1>
    llvm.return
  }
  // The same the other way: what both have is the value, of which one cast is the inverse of the other.
  // CHECK-LABEL: .entry value(
  // CHECK: selp.b32 {{.*}}, -1, 0
  // CHECK-NOT: selp.f32
  llvm.func @value(%x: !llvm.ptr<1>, %a: f32) attributes {gpu.kernel, nvvm.kernel} {
    %mask = llvm.mlir.constant(0x7FFFFFFF : i32) : i32
    %word = llvm.bitcast %a : f32 to i32
    %bits = llvm.and %word, %mask : i32
    %m = llvm.bitcast %bits : i32 to f32
    %back = llvm.bitcast %word : i32 to f32
    %less = llvm.fcmp "olt" %m, %a : f32
    %greater = llvm.fcmp "ogt" %m, %a : f32
    %0 = llvm.select %greater, %a, %back : i1, f32
    %1 = llvm.select %less, %m, %0 : i1, f32
    llvm.store %1, %x : f32, !llvm.ptr<1>
    llvm.return
  }
  // A number where the operand is a NaN, arithmetic, another value.
  // CHECK-LABEL: .entry others(
  // CHECK-NOT: -1, 0
  llvm.func @others(%x: !llvm.ptr<1>, %a: f32, %b: f32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %less = llvm.fcmp "ole" %a, %zero : f32
    %0 = llvm.select %less, %a, %zero : i1, f32
    llvm.store volatile %0, %x : f32, !llvm.ptr<1>
    %1 = llvm.select %less, %zero, %a : i1, f32
    %2 = llvm.fadd %1, %b : f32
    llvm.store volatile %2, %x : f32, !llvm.ptr<1>
    %3 = llvm.select %less, %zero, %b : i1, f32
    llvm.store volatile %3, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}
