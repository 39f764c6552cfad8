// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby})' --split-input-file | FileCheck %s

// A value, its sign and what is chosen by it: one walk, and the value itself is
// not stored, as nobody else reads it.
// CHECK-LABEL: func.func @relu
// CHECK: %[[K:.+]]:2 = repro.kernel "k2_select" ({{.*}}%arg0 : tensor<4xf32>{{.*}}) -> (tensor<4xi1>, tensor<4xf32>) {
// CHECK-NEXT: %[[S:.+]] = repro.add
// CHECK: %[[P:.+]] = repro.compare gt %[[S]]
// CHECK: %[[Y:.+]] = repro.select %[[P]], %[[S]]
// CHECK: repro.yield %[[P]], %[[Y]]
// CHECK-NOT: repro.kernel
// CHECK: return %[[K]]#0, %[[K]]#1
func.func @relu(%x: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>) {
  %s = repro.add %x, %b : tensor<4xf32>
  %zero = repro.constant dense<0.0> : tensor<4xf32>
  %p = repro.compare gt %s, %zero : tensor<4xf32>
  %y = repro.select %p, %s, %zero : tensor<4xf32>
  return %p, %y : tensor<4xi1>, tensor<4xf32>
}

// -----

// Other shapes, and what is read at another place, stay apart.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-3: = repro.kernel
// CHECK: return
func.func @apart(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>) {
  %n = repro.neg %x : tensor<4xf32>
  %r = repro.reverse %n dims [0] : tensor<4xf32>
  %h = repro.slice %n start [0] limit [2] stride [1] : tensor<4xf32> to tensor<2xf32>
  return %n, %r, %h : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
}

// -----

// A reduction stands between the exponential and the quotient: a pair around it
// would be a cycle.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[E:.+]] = repro.kernel "k0_exp"
// CHECK: %[[S:.+]] = repro.kernel "k1_reduce" ({{.+}} = %[[E]]
// CHECK: repro.kernel "k2_div" ({{.+}} = %[[E]] : tensor<4x9xf32>, {{.+}} = %[[S]]
func.func @softmax(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %e = repro.exp %x : tensor<4x9xf32>
  %s = repro.reduce sum %e domain <[4, 9], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
    order sequential : tensor<4x9xf32> -> tensor<4xf32>
  %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x9xf32>
  %y = repro.div %e, %b : tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}
