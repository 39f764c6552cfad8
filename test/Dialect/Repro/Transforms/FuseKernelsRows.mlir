// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,rows})' --split-input-file | FileCheck %s

// Reductions over the last dimension and all work on the same rows: one kernel,
// whose only results are those that somebody reads.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[K:.+]] = repro.kernel "k3_div" (%{{.+}} = %arg0 : tensor<4x9xf32>) -> (tensor<4x9xf32>) {
// CHECK: %[[M:.+]] = repro.reduce max
// CHECK: repro.broadcast %[[M]]
// CHECK: repro.exp
// CHECK: %[[S:.+]] = repro.reduce sum {{.+}} order lanes<32>
// CHECK: repro.broadcast %[[S]]
// CHECK: %[[Y:.+]] = repro.div
// CHECK: repro.yield %[[Y]] : tensor<4x9xf32>
// CHECK-NOT: repro.kernel
// CHECK: return %[[K]]
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @softmax(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %m = repro.reduce max %x domain <[4, 9], reduce [1]> maps [#full, #row] : tensor<4x9xf32> -> tensor<4xf32>
  %n = repro.broadcast %m dims [0] : tensor<4xf32> to tensor<4x9xf32>
  %d = repro.sub %x, %n : tensor<4x9xf32>
  %e = repro.exp %d : tensor<4x9xf32>
  %s = repro.reduce sum %e domain <[4, 9], reduce [1]> maps [#full, #row] order lanes<32> : tensor<4x9xf32> -> tensor<4xf32>
  %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x9xf32>
  %y = repro.div %e, %b : tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}

// -----

// Keepdims, a scale and a shift per column, another shape of the same rows; the
// mean is a result of its own shape beside the rows.
// CHECK-LABEL: func.func @norm
// CHECK: %[[K:.+]]:2 = repro.kernel {{.+}} -> (tensor<2x3xf32>, tensor<6x8xf32>) {
// CHECK-COUNT-2: repro.reduce sum
// CHECK-NOT: repro.kernel
// CHECK: %[[M:.+]] = repro.reshape %[[K]]#0
// CHECK: return %[[M]], %[[K]]#1
#full = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @norm(%x: tensor<6x8xf32>, %g: tensor<8xf32>) -> (tensor<2x3x1xf32>, tensor<6x8xf32>) {
  %a = repro.reshape %x : tensor<6x8xf32> to tensor<2x3x8xf32>
  %s = repro.reduce sum %a domain <[2, 3, 8], reduce [2]> maps [#full, #row] order sequential : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %k = repro.reshape %s : tensor<2x3xf32> to tensor<2x3x1xf32>
  %n = repro.constant dense<8.0> : tensor<2x3x1xf32>
  %m = repro.div %k, %n : tensor<2x3x1xf32>
  %t = repro.reshape %m : tensor<2x3x1xf32> to tensor<2x3xf32>
  %b = repro.broadcast %t dims [0, 1] : tensor<2x3xf32> to tensor<2x3x8xf32>
  %c = repro.sub %a, %b : tensor<2x3x8xf32>
  %q = repro.mul %c, %c : tensor<2x3x8xf32>
  %v = repro.reduce sum %q domain <[2, 3, 8], reduce [2]> maps [#full, #row] order sequential : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %r = repro.sqrt %v : tensor<2x3xf32>
  %w = repro.broadcast %r dims [0, 1] : tensor<2x3xf32> to tensor<2x3x8xf32>
  %z = repro.div %c, %w : tensor<2x3x8xf32>
  %h = repro.broadcast %g dims [2] : tensor<8xf32> to tensor<2x3x8xf32>
  %y = repro.mul %z, %h : tensor<2x3x8xf32>
  %o = repro.reshape %y : tensor<2x3x8xf32> to tensor<6x8xf32>
  %u = repro.neg %o : tensor<6x8xf32>
  return %m, %u : tensor<2x3x1xf32>, tensor<6x8xf32>
}

// -----

// The sum over rows and the one over columns go over different spaces.
// CHECK-LABEL: func.func @across
// CHECK: repro.kernel "k0_reduce"
// CHECK: repro.reduce sum {{.+}} reduce [1]
// CHECK: repro.kernel "k1_reduce"
// CHECK: repro.reduce sum {{.+}} reduce [0]
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @across(%x: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = repro.reduce sum %x domain <[4, 4], reduce [1]> maps [#full, #row] order sequential : tensor<4x4xf32> -> tensor<4xf32>
  %c = repro.reduce sum %x domain <[4, 4], reduce [0]> maps [#full, #column] order sequential : tensor<4x4xf32> -> tensor<4xf32>
  return %r, %c : tensor<4xf32>, tensor<4xf32>
}

// -----

// The result of a row is read by another row, or by the columns: not rows.
// CHECK-LABEL: func.func @elsewhere
// CHECK: %[[R:.+]] = repro.kernel "k0_reduce"
// CHECK: repro.kernel {{.+}} = %[[R]]
// CHECK: return
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @elsewhere(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %r = repro.reduce max %x domain <[4, 4], reduce [1]> maps [#full, #row] : tensor<4x4xf32> -> tensor<4xf32>
  %v = repro.reverse %r dims [0] : tensor<4xf32>
  %b = repro.broadcast %v dims [0] : tensor<4xf32> to tensor<4x4xf32>
  %y = repro.sub %x, %b : tensor<4x4xf32>
  %t = repro.broadcast %r dims [1] : tensor<4xf32> to tensor<4x4xf32>
  %z = repro.mul %x, %t : tensor<4x4xf32>
  return %y, %z : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A lonely row that is too long for one block.
// CHECK-LABEL: func.func @long
// CHECK: repro.kernel "k0_reduce"
// CHECK: repro.kernel "k1_div"
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @long(%x: tensor<2x5000xf32>) -> tensor<2x5000xf32> {
  %s = repro.reduce sum %x domain <[2, 5000], reduce [1]> maps [#full, #row] order lanes<32> : tensor<2x5000xf32> -> tensor<2xf32>
  %b = repro.broadcast %s dims [0] : tensor<2xf32> to tensor<2x5000xf32>
  %y = repro.div %x, %b : tensor<2x5000xf32>
  return %y : tensor<2x5000xf32>
}

// -----

// A scan between two reductions of the same rows: joining them would be a
// cycle.
// CHECK-LABEL: func.func @cycle
// CHECK-COUNT-3: = repro.kernel
// CHECK-NOT: repro.kernel
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @cycle(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = repro.exp %x : tensor<4x8xf32>
  %s = repro.reduce sum %e domain <[4, 8], reduce [1]> maps [#full, #row] order sequential : tensor<4x8xf32> -> tensor<4xf32>
  %c = repro.scan sum %e dim 1 order sequential : tensor<4x8xf32>
  %p = repro.mul %c, %e : tensor<4x8xf32>
  %m = repro.reduce sum %p domain <[4, 8], reduce [1]> maps [#full, #row] order sequential : tensor<4x8xf32> -> tensor<4xf32>
  return %s, %m : tensor<4xf32>, tensor<4xf32>
}

// -----

// The gather faults at elements that the slice does not read (g7): it is stored
// whole, in a kernel of its own.
// CHECK-LABEL: func.func @faults
// CHECK: repro.kernel "k0_gather"
// CHECK: repro.kernel "k1_reduce"
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @faults(%t: tensor<100x8xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  %g = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds fault : tensor<100x8xf32>, tensor<4xi64> -> tensor<4x8xf32>
  %h = repro.slice %g start [0, 0] limit [4, 4] stride [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %s = repro.reduce sum %h domain <[4, 4], reduce [1]> maps [#full, #row] order sequential : tensor<4x4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// No schedule has an exact sum in a row: beside elementwise work it would be
// computed again for each element.
// CHECK-LABEL: func.func @exact
// CHECK: %[[S:.+]] = repro.kernel
// CHECK: repro.reduce sum {{.+}} order exact
// CHECK: repro.kernel {{.+}} = %[[S]]
// CHECK: repro.div
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @exact(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %s = repro.reduce sum %x domain <[4, 9], reduce [1]> maps [#full, #row] order exact : tensor<4x9xf32> -> tensor<4xf32>
  %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x9xf32>
  %y = repro.div %x, %b : tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}
