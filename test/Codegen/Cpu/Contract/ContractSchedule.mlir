// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 | FileCheck %s

// The sizes of the attribute: a register tile of 4 rows and 2 vectors of 16. A
// is transposed, so its rows are packed by a launch before.
// CHECK-LABEL: func.func @tile_pack(
// CHECK-LABEL: func.func private @tile_micro_4x2(
// CHECK: scf.for
// CHECK-COUNT-8: math.fma
// CHECK: scf.yield
// CHECK-NOT: vector.fma
// CHECK-LABEL: func.func @tile(
// CHECK: call @tile_micro_4x2
func.func @main(%a: tensor<40x16xf32>, %b: tensor<40x64xf32>) -> tensor<16x64xf32> {
  %y = repro.kernel "tile" (%x = %a : tensor<40x16xf32>, %w = %b : tensor<40x64xf32>) -> (tensor<16x64xf32>)
      schedule {mr = 4 : i64, nv = 2 : i64, unroll = 1 : i64} {
    %c = repro.contract %x, %w domain <[16, 64, 40], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<40x16xf32>, tensor<40x64xf32> -> tensor<16x64xf32>
    repro.yield %c : tensor<16x64xf32>
  }
  return %y : tensor<16x64xf32>
}
