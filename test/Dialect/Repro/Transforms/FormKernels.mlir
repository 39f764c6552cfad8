// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels))' --split-input-file | FileCheck %s

// A contraction is a kernel of its own; bias and activation share the next one.
// CHECK-LABEL: func.func @dense
// CHECK: %[[C:.+]] = repro.kernel "k0_contract" (%{{.+}} = %arg0 : tensor<4x6xf32>, %{{.+}} = %arg1 : tensor<6x5xf32>)
// CHECK: %[[Y:.+]] = repro.kernel "k1_max" (%{{.+}} = %[[C]] : tensor<4x5xf32>, %[[B:.+]] = %arg2 : tensor<5xf32>)
// CHECK-NEXT: repro.broadcast %[[B]]
// CHECK-NEXT: repro.add
// CHECK-NEXT: repro.constant
// CHECK-NEXT: repro.max
// CHECK-NOT: repro.kernel
// CHECK: return %[[Y]]
func.func @dense(%x: tensor<4x6xf32>, %w: tensor<6x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %c = repro.contract %x, %w domain <[4, 5, 6], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<4x6xf32>, tensor<6x5xf32> -> tensor<4x5xf32>
  %bb = repro.broadcast %b dims [1] : tensor<5xf32> to tensor<4x5xf32>
  %s = repro.add %c, %bb : tensor<4x5xf32>
  %zero = repro.constant dense<0.0> : tensor<4x5xf32>
  %y = repro.max %s, %zero : tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

// The operands of a contraction are in memory, even if they have one use only.
// CHECK-LABEL: func.func @plain_operands
// CHECK: %[[N:.+]] = repro.kernel "k0_neg"
// CHECK: repro.kernel "k1_contract" ({{.*}}%[[N]] : tensor<4x6xf32>
func.func @plain_operands(%x: tensor<4x6xf32>, %w: tensor<6x5xf32>) -> tensor<4x5xf32> {
  %n = repro.neg %x : tensor<4x6xf32>
  %c = repro.contract %n, %w domain <[4, 5, 6], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<4x6xf32>, tensor<6x5xf32> -> tensor<4x5xf32>
  return %c : tensor<4x5xf32>
}

// -----

// A row reduction takes in what it reads once; what a broadcast would compute
// for every copy is stored.
// CHECK-LABEL: func.func @rows
// CHECK: %[[S:.+]] = repro.kernel "k0_reduce"
// CHECK-NEXT: repro.exp
// CHECK-NEXT: repro.reduce sum
// CHECK: %[[Q:.+]] = repro.kernel "k1_sqrt" (%{{.+}} = %[[S]] : tensor<4xf32>)
// CHECK: repro.kernel "k2_div" (%{{.+}} = %arg0 : tensor<4x9xf32>, %{{.+}} = %[[Q]] : tensor<4xf32>)
func.func @rows(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %e = repro.exp %x : tensor<4x9xf32>
  %s = repro.reduce sum %e domain <[4, 9], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
    order sequential : tensor<4x9xf32> -> tensor<4xf32>
  %q = repro.sqrt %s : tensor<4xf32>
  %b = repro.broadcast %q dims [0] : tensor<4xf32> to tensor<4x9xf32>
  %y = repro.div %x, %b : tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}

// -----

// Overlapping windows read elements several times: a function is stored, a
// selection is not.
// CHECK-LABEL: func.func @windows
// CHECK: %[[E:.+]] = repro.kernel "k0_exp"
// CHECK: repro.kernel "k1_reduce"
// CHECK-NEXT: repro.select
// CHECK-NEXT: repro.reduce max
func.func @windows(%x: tensor<8xf32>, %p: tensor<8xi1>) -> tensor<6xf32> {
  %e = repro.exp %x : tensor<8xf32>
  %s = repro.select %p, %e, %x : tensor<8xf32>
  %y = repro.reduce max %s domain <[6, 3], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<8xf32> -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// What a window reads of a contraction alone is stored, for it may be computed
// before the contraction stores its result. If something else reads that, it is
// computed for each point.
// CHECK-LABEL: func.func @windows_of_contraction
// CHECK: repro.kernel "k0_contract"
// CHECK: %[[S:.+]] = repro.kernel "k1_select"
// CHECK-NEXT: repro.neg
// CHECK-NEXT: repro.select
// CHECK-NEXT: repro.yield
// CHECK: repro.kernel "k2_reduce" (%{{.+}} = %[[S]] : tensor<8xf32>)
// CHECK-NEXT: repro.reduce max
func.func @windows_of_contraction(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %p: tensor<8xi1>) -> tensor<6xf32> {
  %c = repro.contract %x, %w domain <[8, 4], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]
    bounds [in, in] order sequential : tensor<8x4xf32>, tensor<4xf32> -> tensor<8xf32>
  %n = repro.neg %c : tensor<8xf32>
  %s = repro.select %p, %n, %c : tensor<8xf32>
  %y = repro.reduce max %s domain <[6, 3], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<8xf32> -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// CHECK-LABEL: func.func @windows_of_contraction_with_readers
// CHECK: repro.kernel "k0_contract"
// CHECK: repro.kernel "k1_reduce"
// CHECK-NEXT: repro.neg
// CHECK-NEXT: repro.reduce max
func.func @windows_of_contraction_with_readers(%x: tensor<8x4xf32>, %w: tensor<4xf32>) -> (tensor<6xf32>, tensor<8xf32>) {
  %c = repro.contract %x, %w domain <[8, 4], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]
    bounds [in, in] order sequential : tensor<8x4xf32>, tensor<4xf32> -> tensor<8xf32>
  %n = repro.neg %c : tensor<8xf32>
  %y = repro.reduce max %n domain <[6, 3], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<8xf32> -> tensor<6xf32>
  return %y, %c : tensor<6xf32>, tensor<8xf32>
}

// -----

// A reshape of something in memory is another name for it, and stays outside.
// CHECK-LABEL: func.func @reshapes
// CHECK: %[[K:.+]] = repro.kernel "k0_neg"
// CHECK: %[[R:.+]] = repro.reshape %[[K]]
// CHECK: return %[[R]]
func.func @reshapes(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %n = repro.neg %x : tensor<2x6xf32>
  %r = repro.reshape %n : tensor<2x6xf32> to tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

// Each result has memory of its own: arguments, constants and second mentions
// are copied.
// CHECK-LABEL: func.func @copies
// CHECK: %[[N:.+]] = repro.kernel "k0_neg"
// CHECK: %[[A:.+]] = repro.kernel "k1_copy" (%{{.+}} = %arg0 : tensor<4xf32>)
// CHECK: %[[B:.+]] = repro.kernel "k2_copy" (%{{.+}} = %[[N]] : tensor<4xf32>)
// CHECK: %[[C:.+]] = repro.kernel "k3_copy"
// CHECK: return %[[N]], %[[A]], %[[B]], %[[C]]
func.func @copies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xi32>) {
  %n = repro.neg %x : tensor<4xf32>
  %c = repro.constant dense<[1, 2]> : tensor<2xi32>
  return %n, %x, %n, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xi32>
}

// -----

// A mask made of a draw is drawn again by each kernel that needs it: what a
// gradient takes from the forward pass is the key.
// CHECK-LABEL: func.func @drawn
// CHECK: repro.kernel "k0_select" ({{.*}}%arg0 : tensor<2xui32>
// CHECK: repro.random_bits
// CHECK: repro.kernel "k1_contract"
// CHECK: repro.kernel "k2_select" ({{.*}}%arg0 : tensor<2xui32>
// CHECK: repro.random_bits
// CHECK-NOT: repro.kernel
func.func @drawn(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %draw = repro.constant dense<0> : tensor<ui32>
  %bits = repro.random_bits %key, %step, %draw stream 1073741824 : tensor<4x4xui32>
  %p = repro.constant dense<7> : tensor<ui32>
  %pp = repro.broadcast %p dims [] : tensor<ui32> to tensor<4x4xui32>
  %mask = repro.compare ge %bits, %pp : tensor<4x4xui32>
  %zero = repro.constant dense<0.0> : tensor<4x4xf32>
  %d = repro.select %mask, %x, %zero : tensor<4x4xf32>
  %c = repro.contract %d, %w domain <[4, 4, 4], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %y = repro.select %mask, %c, %zero : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// A mask that a broadcast repeats is stored, a byte an element, and not the words.
// CHECK-LABEL: func.func @repeated
// CHECK: repro.kernel "k0_compare" {{.*}} -> (tensor<4xi1>)
// CHECK: repro.kernel "k1_select"
func.func @repeated(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %bits = repro.random_bits %key, %step, %step stream 1073741824 : tensor<4xui32>
  %p = repro.constant dense<7> : tensor<4xui32>
  %mask = repro.compare ge %bits, %p : tensor<4xui32>
  %all = repro.broadcast %mask dims [0] : tensor<4xi1> to tensor<4x100xi1>
  %zero = repro.constant dense<0.0> : tensor<4x100xf32>
  %y = repro.select %all, %x, %zero : tensor<4x100xf32>
  return %y : tensor<4x100xf32>
}

// -----

// A gather that may fault is computed as a whole: it joins what reads all of it,
// not what reads a part.
// CHECK-LABEL: func.func @whole
// CHECK: repro.kernel "k0_gather"
// CHECK-NEXT: repro.gather
// CHECK-NEXT: repro.yield
// CHECK: repro.kernel "k1_add"
// CHECK-NEXT: repro.gather
// CHECK-NEXT: repro.add
// CHECK: repro.kernel "k2_slice"
// CHECK-NOT: repro.gather
func.func @whole(%t: tensor<9x4xf32>, %i: tensor<6xi64>, %x: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<3x4xf32>) {
  %a = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
    bounds fault : tensor<9x4xf32>, tensor<6xi64> -> tensor<6x4xf32>
  %b = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
    bounds fault : tensor<9x4xf32>, tensor<6xi64> -> tensor<6x4xf32>
  %y = repro.add %b, %x : tensor<6x4xf32>
  %z = repro.slice %a start [0, 0] limit [3, 4] stride [1, 1] : tensor<6x4xf32> to tensor<3x4xf32>
  return %y, %z : tensor<6x4xf32>, tensor<3x4xf32>
}

// -----

// Columns end a kernel, with all their results; what they read once joins them.
// CHECK-LABEL: func.func @columns
// CHECK: repro.kernel "k0_sort" ({{.*}}) -> (tensor<2xf32>, tensor<2xi32>)
// CHECK-NEXT: repro.mul
// CHECK-NEXT: %[[V:.+]], %[[P:.+]] = repro.sort
// CHECK-NEXT: repro.yield %[[V]], %[[P]]
// CHECK: repro.kernel "k1_neg"
func.func @columns(%x: tensor<8xf32>) -> tensor<2xf32> {
  %m = repro.mul %x, %x : tensor<8xf32>
  %v, %p = repro.sort ascending %m dim 0 count 2 : tensor<8xf32> -> tensor<2xf32>, tensor<2xi32>
  %y = repro.neg %v : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// An op that may fault is computed even if all of its users are dead (g7).
// CHECK-LABEL: func.func @dead_users
// CHECK: repro.kernel "k0_gather"
// CHECK-NEXT: repro.gather
// CHECK-NEXT: repro.yield
// CHECK-NOT: repro.shl
func.func @dead_users(%t: tensor<9xi32>, %i: tensor<6xi64>, %x: tensor<6xi32>) -> tensor<6xi32> {
  %a = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
    bounds fault : tensor<9xi32>, tensor<6xi64> -> tensor<6xi32>
  %b = repro.or %a, %x : tensor<6xi32>
  %c = repro.shl %b, %a : tensor<6xi32>
  %y = repro.add %x, %x : tensor<6xi32>
  return %y : tensor<6xi32>
}

// -----

// A function that has kernels stays as it is.
// CHECK-LABEL: func.func @formed
// CHECK: repro.kernel "mine"
// CHECK-NOT: repro.kernel
// CHECK: return
func.func @formed(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %v, %p = repro.kernel "mine" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi32>) {
    %s, %q = repro.sort ascending %a dim 0 count 8 : tensor<8xf32> -> tensor<8xf32>, tensor<8xi32>
    repro.yield %s, %q : tensor<8xf32>, tensor<8xi32>
  }
  return %v, %p : tensor<8xf32>, tensor<8xi32>
}
