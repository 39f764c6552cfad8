// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(repro-rematerialize{cheap}))' | FileCheck %s

#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>

// The weight %w is rounded for both products. Between them the largest values are
// live, so it is rounded again, before its update, which is written over it.
// CHECK-LABEL: func.func @weight
// CHECK: %[[A:.+]] = repro.kernel "round"
// CHECK: repro.kernel "forward" ({{.*}}, %{{.*}} = %[[A]]
// CHECK: repro.kernel "large"
// CHECK: repro.kernel "small"
// CHECK: %[[B:.+]] = repro.kernel "round_0" (%{{.*}} = %arg1
// CHECK: repro.kernel "update"
// CHECK: repro.kernel "backward" ({{.*}}, %{{.*}} = %[[B]]
func.func @weight(%x: tensor<64x16xbf16>, %w: tensor<16x16xf32>) -> (tensor<64x16xf32>, tensor<16x16xf32>) {
  %n = repro.kernel "round" (%i = %w : tensor<16x16xf32>) -> tensor<16x16xbf16> {
    %r = repro.convert %i : tensor<16x16xf32> to tensor<16x16xbf16>
    repro.yield %r : tensor<16x16xbf16>
  }
  %f = repro.kernel "forward" (%i = %x : tensor<64x16xbf16>, %j = %n : tensor<16x16xbf16>) -> tensor<64x16xf32> {
    %r = repro.contract %i, %j domain <[64, 16, 16], reduce [2]> maps [#rows, #columns, #result] bounds [in, in]
      order sequential : tensor<64x16xbf16>, tensor<16x16xbf16> -> tensor<64x16xf32>
    repro.yield %r : tensor<64x16xf32>
  }
  %l = repro.kernel "large" (%i = %f : tensor<64x16xf32>) -> tensor<8x64x16xf32> {
    %r = repro.broadcast %i dims [1, 2] : tensor<64x16xf32> to tensor<8x64x16xf32>
    %e = repro.exp %r : tensor<8x64x16xf32>
    repro.yield %e : tensor<8x64x16xf32>
  }
  %s = repro.kernel "small" (%i = %l : tensor<8x64x16xf32>) -> tensor<64x16xbf16> {
    %p = repro.slice %i start [0, 0, 0] limit [1, 64, 16] stride [1, 1, 1] : tensor<8x64x16xf32> to tensor<1x64x16xf32>
    %q = repro.reshape %p : tensor<1x64x16xf32> to tensor<64x16xf32>
    %r = repro.convert %q : tensor<64x16xf32> to tensor<64x16xbf16>
    repro.yield %r : tensor<64x16xbf16>
  }
  %u = repro.kernel "update" (%i = %w : tensor<16x16xf32>) -> tensor<16x16xf32> {
    %r = repro.neg %i : tensor<16x16xf32>
    repro.yield %r : tensor<16x16xf32>
  }
  %b = repro.kernel "backward" (%i = %s : tensor<64x16xbf16>, %j = %n : tensor<16x16xbf16>) -> tensor<64x16xf32> {
    %r = repro.contract %i, %j domain <[64, 16, 16], reduce [2]> maps [#rows, #columns, #result] bounds [in, in]
      order sequential : tensor<64x16xbf16>, tensor<16x16xbf16> -> tensor<64x16xf32>
    repro.yield %r : tensor<64x16xf32>
  }
  return %b, %u : tensor<64x16xf32>, tensor<16x16xf32>
}

// A reader that takes not much longer than the kernel, or an operand that nothing else
// reads later: the value is kept.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-2: repro.kernel "round
// CHECK-NOT: repro.kernel "round
func.func @kept(%x: tensor<8x16xbf16>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> (tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %n = repro.kernel "round" (%i = %w : tensor<16x16xf32>) -> tensor<16x16xbf16> {
    %r = repro.convert %i : tensor<16x16xf32> to tensor<16x16xbf16>
    repro.yield %r : tensor<16x16xbf16>
  }
  %m = repro.kernel "round_v" (%i = %v : tensor<16x16xf32>) -> tensor<16x16xbf16> {
    %r = repro.convert %i : tensor<16x16xf32> to tensor<16x16xbf16>
    repro.yield %r : tensor<16x16xbf16>
  }
  %f = repro.kernel "forward" (%i = %x : tensor<8x16xbf16>, %j = %n : tensor<16x16xbf16>, %k = %m : tensor<16x16xbf16>) -> tensor<8x16xf32> {
    %r = repro.contract %i, %j domain <[8, 16, 16], reduce [2]> maps [#rows, #columns, #result] bounds [in, in]
      order sequential : tensor<8x16xbf16>, tensor<16x16xbf16> -> tensor<8x16xf32>
    repro.yield %r : tensor<8x16xf32>
  }
  %l = repro.kernel "large" (%i = %f : tensor<8x16xf32>) -> tensor<256x8x16xf32> {
    %r = repro.broadcast %i dims [1, 2] : tensor<8x16xf32> to tensor<256x8x16xf32>
    %e = repro.exp %r : tensor<256x8x16xf32>
    repro.yield %e : tensor<256x8x16xf32>
  }
  %s = repro.kernel "small" (%i = %l : tensor<256x8x16xf32>) -> tensor<8x16xbf16> {
    %p = repro.slice %i start [0, 0, 0] limit [1, 8, 16] stride [1, 1, 1] : tensor<256x8x16xf32> to tensor<1x8x16xf32>
    %q = repro.reshape %p : tensor<1x8x16xf32> to tensor<8x16xf32>
    %r = repro.convert %q : tensor<8x16xf32> to tensor<8x16xbf16>
    repro.yield %r : tensor<8x16xbf16>
  }
  %b = repro.kernel "backward" (%i = %s : tensor<8x16xbf16>, %j = %n : tensor<16x16xbf16>) -> tensor<8x16xf32> {
    %r = repro.contract %i, %j domain <[8, 16, 16], reduce [2]> maps [#rows, #columns, #result] bounds [in, in]
      order sequential : tensor<8x16xbf16>, tensor<16x16xbf16> -> tensor<8x16xf32>
    repro.yield %r : tensor<8x16xf32>
  }
  %o = repro.kernel "product" (%i = %m : tensor<16x16xbf16>, %j = %m : tensor<16x16xbf16>) -> tensor<16x16xf32> {
    %r = repro.contract %i, %j domain <[16, 16, 16], reduce [2]> maps [#rows, #columns, #result] bounds [in, in]
      order sequential : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
    repro.yield %r : tensor<16x16xf32>
  }
  %u = repro.kernel "update" (%i = %w : tensor<16x16xf32>) -> tensor<16x16xf32> {
    %r = repro.neg %i : tensor<16x16xf32>
    repro.yield %r : tensor<16x16xf32>
  }
  return %b, %u, %o : tensor<8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
