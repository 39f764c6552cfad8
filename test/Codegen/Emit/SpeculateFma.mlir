// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-speculate-fma)' | FileCheck %s

// The values are tested by GensynCodegenCpuTests, on x86-64.

// CHECK-LABEL: func.func @sums
// CHECK: %[[SPAN:.+]] = arith.subi %arg3, %arg2 : i64
// CHECK: %[[LONG:.+]] = arith.cmpi sgt, %[[SPAN]], %{{.+}} : i64
// CHECK: %[[FIRST:.+]]:2 = scf.if %[[LONG]] -> (vector<4xf32>, i1) {
// CHECK: scf.for
// CHECK-NOT: math.fma
// CHECK: %[[S:.+]] = arith.addf %{{.+}} : vector<4xf64>
// CHECK: arith.truncf %[[S]] : vector<4xf64> to vector<4xf32>
// CHECK: arith.cmpi eq
// CHECK: arith.minui %{{.+}} : vector<16xi8>
// CHECK: } else {
// CHECK: scf.yield %arg1, %false
// CHECK: %[[LAST:.+]] = scf.if %[[FIRST]]#1 -> (vector<4xf32>) {
// CHECK: scf.yield %[[FIRST]]#0
// CHECK: } else {
// CHECK: scf.for
// CHECK: math.fma
// CHECK: return %[[LAST]]
func.func @sums(%p: !llvm.ptr, %z: vector<4xf32>, %begin: i64, %end: i64) -> vector<4xf32> {
  %one = arith.constant 1 : i64
  %r = scf.for %i = %begin to %end step %one iter_args(%s = %z) -> (vector<4xf32>) : i64 {
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %at : !llvm.ptr -> f32
    %xs = vector.broadcast %x : f32 to vector<4xf32>
    %y = llvm.load %at : !llvm.ptr -> vector<4xf32>
    %next = math.fma %xs, %y, %s : vector<4xf32>
    scf.yield %next : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// A loop that writes, or has scalars, is left alone.
// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: scf.if
// CHECK: return
func.func @left_alone(%p: !llvm.ptr, %x: vector<4xf32>, %y: f32, %begin: i64, %end: i64) -> f32 {
  %one = arith.constant 1 : i64
  scf.for %i = %begin to %end step %one : i64 {
    %r = math.fma %x, %x, %x : vector<4xf32>
    llvm.store %r, %p : vector<4xf32>, !llvm.ptr
  }
  %s = scf.for %i = %begin to %end step %one iter_args(%z = %y) -> (f32) : i64 {
    %next = math.fma %y, %y, %z : f32
    scf.yield %next : f32
  }
  return %s : f32
}
