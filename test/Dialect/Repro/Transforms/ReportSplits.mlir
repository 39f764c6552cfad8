// RUN: gensyn-opt %s --pass-pipeline='builtin.module(repro-report-splits)' -o %t.mlir | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(repro-report-splits{json=true})' -o %t.mlir | FileCheck %s --check-prefix=JSON

// Where each family of ops may be cut: results anywhere, reductions where their
// order permits.

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: contractions: 'fc': contract: 3 free, 5 free, reduces 40 chain
// CHECK-NEXT: contractions: contract: 3 free, 5 free, reduces 40 blocks<16>
// CHECK-NEXT: contractions: contract: 3 free, 5 free, reduces 40 lanes<8>
// CHECK-NEXT: contractions: contract: 3 free, 5 free, reduces 40 any
// CHECK-NEXT: contractions: contract: 3 free, 5 free, reduces 40 none
// CHECK-NEXT: contractions: contract: 3 free, 5 free, reduces 40 any
// JSON: {"dimensions":[{"extent":3,"reduced":false,"split":"free"},{"extent":5,"reduced":false,"split":"free"},{"extent":40,"reduced":true,"split":"chain"}],"function":"contractions","node":"fc","operation":"contract"}
func.func @contractions(%a: tensor<3x40xf32>, %b: tensor<40x5xf32>, %i: tensor<3x40xi8>, %j: tensor<40x5xi8>) {
  %0 = repro.contract %a, %b domain <[3, 5, 40], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      order sequential : tensor<3x40xf32>, tensor<40x5xf32> -> tensor<3x5xf32> loc("fc")
  %1 = repro.contract %a, %b domain <[3, 5, 40], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      order blocked<16, sequential, sequential> : tensor<3x40xf32>, tensor<40x5xf32> -> tensor<3x5xf32>
  %2 = repro.contract %a, %b domain <[3, 5, 40], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      order lanes<8> : tensor<3x40xf32>, tensor<40x5xf32> -> tensor<3x5xf32>
  %3 = repro.contract %a, %b domain <[3, 5, 40], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      order exact : tensor<3x40xf32>, tensor<40x5xf32> -> tensor<3x5xf32>
  // Without an order the bits of a float sum are not defined; integers need none.
  %4 = repro.contract %a, %b domain <[3, 5, 40], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<3x40xf32>, tensor<40x5xf32> -> tensor<3x5xf32>
  %5 = repro.contract %i, %j domain <[3, 5, 40], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<3x40xi8>, tensor<40x5xi8> -> tensor<3x5xi32>
  return
}

// A block is a number of input channels with all their taps; one that ends within
// a channel cannot be cut off.
// CHECK-NEXT: convolutions: contract: 1 free, 4 free, 6 free, 6 free, reduces 8 blocks<2>, 3 none, 3 none
// CHECK-NEXT: convolutions: contract: 1 free, 4 free, 6 free, 6 free, reduces 8 none, 3 none, 3 none
// CHECK-NEXT: convolutions: contract: 1 free, 4 free, 6 free, 6 free, reduces 8 chain, 3 none, 3 none
// CHECK-NEXT: convolutions: contract: 1 free, 4 free, 6 free, 6 free, reduces 8 none, 3 none, 3 none
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filter = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @convolutions(%x: tensor<1x8x8x8xf32>, %w: tensor<4x8x3x3xf32>) {
  %0 = repro.contract %x, %w domain <[1, 4, 6, 6, 8, 3, 3], reduce [4, 5, 6]> maps [#image, #filter, #result] bounds [in, in]
      order blocked<18, sequential, sequential> : tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32> -> tensor<1x4x6x6xf32>
  %1 = repro.contract %x, %w domain <[1, 4, 6, 6, 8, 3, 3], reduce [4, 5, 6]> maps [#image, #filter, #result] bounds [in, in]
      order blocked<16, sequential, sequential> : tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32> -> tensor<1x4x6x6xf32>
  %2 = repro.contract %x, %w domain <[1, 4, 6, 6, 8, 3, 3], reduce [4, 5, 6]> maps [#image, #filter, #result] bounds [in, in]
      order sequential : tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32> -> tensor<1x4x6x6xf32>
  %3 = repro.contract %x, %w domain <[1, 4, 6, 6, 8, 3, 3], reduce [4, 5, 6]> maps [#image, #filter, #result] bounds [in, in]
      order lanes<8> : tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32> -> tensor<1x4x6x6xf32>
  return
}

// Lanes of two dimensions are those of the inner one, if its rows keep them.
// CHECK-NEXT: reductions: reduce: reduces 3 none, 40 lanes<8>
// CHECK-NEXT: reductions: reduce: 3 free, reduces 40 any
// CHECK-NEXT: reductions: reduce: 3 free, reduces 40 blocks<16>
// CHECK-NEXT: reductions: arg_reduce: 3 free, reduces 40 none
func.func @reductions(%x: tensor<3x40xf32>) {
  %0 = repro.reduce sum %x domain <[3, 40], reduce [0, 1]> maps [#full, affine_map<(d0, d1) -> ()>]
      order lanes<32> : tensor<3x40xf32> -> tensor<f32>
  %1 = repro.reduce max %x domain <[3, 40], reduce [1]> maps [#full, #row] : tensor<3x40xf32> -> tensor<3xf32>
  %2 = repro.reduce product %x domain <[3, 40], reduce [1]> maps [#full, #row]
      order blocked<16, lanes<4>, lanes<2>> : tensor<3x40xf32> -> tensor<3xf32>
  %3 = repro.arg_reduce max %x domain <[3, 40], reduce [1]> maps [#full, #row] : tensor<3x40xf32> -> tensor<3xi32>
  return
}

// CHECK-NEXT: prefixes: scan: 3 free, 40 chain
// CHECK-NEXT: prefixes: scan: 3 free, 40 blocks<16>
// CHECK-NEXT: prefixes: scan: 3 free, 40 any
// CHECK-NEXT: prefixes: scan: 3 free, 40 none
// CHECK-NEXT: prefixes: sort: 3 free, 5 none
func.func @prefixes(%x: tensor<3x40xf32>) {
  %0 = repro.scan sum %x dim 1 order sequential : tensor<3x40xf32>
  %1 = repro.scan sum %x dim 1 order blocked<16, sequential, sequential> : tensor<3x40xf32>
  %2 = repro.scan max %x dim 1 : tensor<3x40xf32>
  %3 = repro.scan sum %x dim 1 : tensor<3x40xf32>
  %4, %5 = repro.sort ascending %x dim 1 count 5 : tensor<3x40xf32> -> tensor<3x5xf32>, tensor<3x5xi32>
  return
}

// Updates of one column stay together.
// CHECK-NEXT: indexing: gather: 7 free, 8 free
// CHECK-NEXT: indexing: scatter: 100 free, 8 free
func.func @indexing(%table: tensor<100x8xf32>, %ids: tensor<7xi32>, %updates: tensor<7x8xf32>) {
  %0 = repro.gather %table[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<100x8xf32>, tensor<7xi32> -> tensor<7x8xf32>
  %1 = repro.scatter add %table, %updates[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<100x8xf32>, tensor<7x8xf32>, tensor<7xi32>
  return
}

// CHECK-NEXT: elements: constant: one element
// CHECK-NEXT: elements: iota: 12 free
// CHECK-NEXT: elements: reshape: 6 free, 2 free
// CHECK-NEXT: elements: add: 6 free, 2 free
// CHECK-NOT: elements
func.func @elements() {
  %0 = repro.constant dense<1.0> : tensor<f32>
  %1 = repro.iota dim 0 : tensor<12xi32>
  %2 = repro.reshape %1 : tensor<12xi32> to tensor<6x2xi32>
  %3 = repro.add %2, %2 : tensor<6x2xi32>
  return
}
